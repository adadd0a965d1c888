// The entry of the page: the theme, the state that follows the server, and the components.

import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/trend.css';
import './styles/dialogs.css';
import './styles/views.css';
import './styles/annotations.css';
import './styles/calculated.css';
import './styles/statistics.css';
import './styles/states.css';
import './styles/paper.css';
import { App } from './app/app.tsx';
import { followDatasets, refreshDatasets } from './datasets/datasets.ts';
import { followPrinting } from './paper/paper-state.ts';
import { followAddress } from './state/actions.ts';
import { followShifts, readShifts, tellShiftFault } from './time-window/shifts.ts';
import { followTrend } from './trend/trend.ts';
import { learnRights } from './user/account.ts';
import { applyTheme, keptTheme } from './user/theme.ts';
import { applyKeptZone } from './user/zone.ts';
import { followFirstPoints } from './views/first-points.ts';
import { chooseFirstView } from './views/first-view.ts';
import { followViews } from './views/views.ts';

async function start(): Promise<void> {
  applyTheme(keptTheme());
  applyKeptZone();
  followAddress();
  addEventListener('popstate', followAddress);
  render(<App />, document.body);
  followDatasets();
  followViews();
  followShifts();
  await learnRights();
  await Promise.all([refreshDatasets(), readShifts()]);
  tellShiftFault();
  await chooseFirstView();
  followTrend();
  followFirstPoints();
  followPrinting();
}

void start();
