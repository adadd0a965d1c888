// The page: bar, sidebar, trend, and the dialogs above them.

import { loadedPart } from '../controls/loaded-part.tsx';
import { px } from '../controls/px.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { Sidebar } from '../tags/sidebar.tsx';
import { WidthHandle } from '../tags/width-handle.tsx';
import { TimeBar } from '../time-window/time-bar.tsx';
import { TrendView } from '../trend/trend-view.tsx';
import { listEdge } from '../user/list-width.ts';
import { isWithoutPoints } from '../views/first-points.ts';
import { views } from '../views/views.ts';
import { Dialogs } from './dialogs.tsx';
import { TopBar } from './top-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const BoardView = loadedPart(async () => (await import('../boards/board-view.tsx')).BoardView);
const PlotView = loadedPart(async () => (await import('../distribution/plot-view.tsx')).PlotView);
const EmptyServer = loadedPart(async () => (await import('./empty-server.tsx')).EmptyServer);

export function App() {
  const isBoard = useStore(views, ({ board }) => board !== undefined);
  const isSidebarOpen = useStore(app, (state) => state.isSidebarOpen);
  const widthPx = useStore(listEdge, (state) => state.widthPx);
  useShortcuts();
  return (
    <>
      <div class={isSidebarOpen ? 'page sidebar-open' : 'page'} style={{ '--list-width': px(widthPx) }}>
        {isBoard ? null : <Sidebar />}
        {isBoard ? null : <WidthHandle />}
        <TopBar />
        {isBoard ? <BoardView /> : <TrendPart />}
      </div>
      <Dialogs />
      <Notice />
    </>
  );
}

function TrendPart() {
  const isEmpty = useStore(app, ({ datasets, view }) => isWithoutPoints(datasets) && view.tags.length === 0);
  const hasTags = useStore(app, ({ view }) => view.tags.length > 0);
  const isPlot = useStore(app, ({ view }) => view.plot !== undefined);
  return (
    <main class="main" aria-label="Trend">
      {isEmpty ? <EmptyServer /> : null}
      {!isEmpty ? <TimeBar /> : null}
      {!isEmpty && hasTags && isPlot ? <PlotView /> : null}
      {!isEmpty && hasTags && !isPlot ? <TrendView /> : null}
      {!isEmpty && !hasTags ? <NothingChosen /> : null}
    </main>
  );
}

function NothingChosen() {
  return (
    <div class="nothing">
      <p>Choose tags on the left to see their history here.</p>
      <p class="muted">
        Search by any part of a name; <kbd>Enter</kbd> adds the tag under the focus, <kbd>?</kbd> lists all keys.
      </p>
    </div>
  );
}

function Notice() {
  const notice = useStore(app, (state) => state.notice);
  const fault = useStore(app, (state) => state.fault);
  return (
    <div class="notices" role="status" aria-live="polite">
      {fault !== undefined ? <p class="notice fault">{fault}</p> : null}
      {notice !== undefined ? <p class={`notice ${notice.kind}`}>{notice.text}</p> : null}
    </div>
  );
}
