// The page: bar, sidebar, trend, and the dialogs above them.

import { app } from '../state/app/app-state.ts';
import { useStore } from '../state/app/store.ts';
import { isWithoutPoints } from '../state/views/first-points.ts';
import { views } from '../state/views/views.ts';
import { loadedPart } from './controls/loaded-part.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { TimeBar } from './frame/time-bar.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { useShortcuts } from './frame/use-shortcuts.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import { TrendView } from './trend/trend-view.tsx';

const BoardView = loadedPart(async () => (await import('./board/board-view.tsx')).BoardView);
const EmptyServer = loadedPart(async () => (await import('./frame/empty-server.tsx')).EmptyServer);

export function App() {
  const isBoard = useStore(views, ({ board }) => board !== undefined);
  const isSidebarOpen = useStore(app, (state) => state.isSidebarOpen);
  useShortcuts();
  return (
    <>
      <div class={isSidebarOpen ? 'page sidebar-open' : 'page'}>
        {isBoard ? null : <Sidebar />}
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
  return (
    <main class="main" aria-label="Trend">
      {isEmpty ? <EmptyServer /> : null}
      {!isEmpty ? <TimeBar /> : null}
      {!isEmpty && hasTags ? <TrendView /> : null}
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
