// The entry of the page: the theme, the state that follows the server, and the components.

import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/trend.css';
import './styles/dialogs.css';
import './styles/views.css';
import { App } from './components/app.tsx';
import { learnRights } from './state/account.ts';
import { followAddress } from './state/actions.ts';
import { followDatasets, refreshDatasets } from './state/datasets.ts';
import { followFirstPoints } from './state/first-points.ts';
import { chooseFirstView } from './state/first-view.ts';
import { applyTheme, keptTheme } from './state/theme.ts';
import { followTrend } from './state/trend.ts';
import { followViews } from './state/views.ts';
import { applyKeptZone } from './state/zone.ts';

async function start(): Promise<void> {
  applyTheme(keptTheme());
  applyKeptZone();
  followAddress();
  addEventListener('popstate', followAddress);
  render(<App />, document.body);
  followDatasets();
  followViews();
  await learnRights();
  await refreshDatasets();
  await chooseFirstView();
  followTrend();
  followFirstPoints();
}

void start();
