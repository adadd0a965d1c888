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
import { App } from './components/app.tsx';
import { followPrinting } from './paper/paper-state.ts';
import { followAddress } from './state/app/actions.ts';
import { followDatasets, refreshDatasets } from './state/datasets/datasets.ts';
import { followTrend } from './state/trend/trend.ts';
import { learnRights } from './state/user/account.ts';
import { applyTheme, keptTheme } from './state/user/theme.ts';
import { applyKeptZone } from './state/user/zone.ts';
import { followFirstPoints } from './state/views/first-points.ts';
import { chooseFirstView } from './state/views/first-view.ts';
import { followShifts, readShifts, tellShiftFault } from './state/views/shifts.ts';
import { followViews } from './state/views/views.ts';

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
