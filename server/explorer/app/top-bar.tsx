// The bar above everything: the name, saved trends, export, and how the page looks.

import { Icon, type IconName, Mark } from '../controls/icons.tsx';
import { Menu, type MenuItem } from '../controls/menu.tsx';
import { copyText, downloadCsv } from '../export/export.ts';
import { downloadPicture } from '../export/picture.ts';
import { changeView, notify, openDialog, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { applyTheme, keptTheme, nextTheme, type Theme, themeChanges } from '../user/theme.ts';
import { views } from '../views/views.ts';
import { ViewsMenu } from '../views/views-menu.tsx';

const THEME_ICONS: Readonly<Record<Theme, IconName>> = { system: 'screen', light: 'sun', dark: 'moon' };

export function TopBar() {
  const isBoard = useStore(views, ({ board }) => board !== undefined);
  return (
    <header class="top-bar">
      {isBoard ? null : <SidebarButton />}
      <h1 class="brand">
        <Mark />
        Varve
      </h1>
      <div class="spacer" />
      <ViewsMenu />
      {isBoard ? null : <LayoutSwitch />}
      {isBoard ? null : <ExportMenu />}
      <a class="button quiet wide-only" href="/api/help">
        API
      </a>
      <AccountButton />
      <ThemeButton />
      <button type="button" class="button quiet" title="Keys (?)" onClick={() => openDialog({ kind: 'help' })}>
        ?<span class="hidden"> Keys and help</span>
      </button>
    </header>
  );
}

function SidebarButton() {
  return (
    <button
      type="button"
      class="button icon-only narrow-only"
      aria-label="Datasets and tags"
      onClick={() => app.set({ isSidebarOpen: !app.get().isSidebarOpen })}
    >
      <Icon name="menu" />
    </button>
  );
}

function LayoutSwitch() {
  const layout = useStore(app, ({ view }) => view.layout);
  return (
    <div class="segments wide-only" role="group" aria-label="Layout">
      <button type="button" aria-pressed={layout === 'bands'} onClick={() => changeView({ layout: 'bands' })}>
        Bands
      </button>
      <button type="button" aria-pressed={layout === 'shared'} onClick={() => changeView({ layout: 'shared' })}>
        Shared
      </button>
    </div>
  );
}

function ExportMenu() {
  const items: MenuItem[] = [
    { label: 'Download CSV', hint: 'what is shown', act: downloadCsv },
    { label: 'Download PNG', hint: 'the chart', act: downloadPicture },
    { label: 'Print…', hint: 'chart and table', act: () => print() },
    { label: 'Export…', hint: 'every point, or averages', act: withTags(() => openDialog({ kind: 'export' })) },
    { label: 'Copy as curl', hint: 'what is shown', act: withTags(() => void copyCurl()) },
    { label: 'Copy as…', hint: 'Python, Power Query, R', act: withTags(() => openDialog({ kind: 'copy' })) },
    { label: 'Copy link', hint: 'to this very view', act: () => void copyText(location.href, 'The link was copied.') },
  ];
  return <Menu label={<>Export</>} name="Export" items={items} />;
}

function withTags(act: () => void): () => void {
  return () => (app.get().view.tags.length === 0 ? notify('There is no tag in the trend.') : act());
}

async function copyCurl(): Promise<void> {
  try {
    const { copiedText } = await import('../export/copied-text.ts');
    await copyText(copiedText('curl'), 'The command was copied.');
  } catch (error) {
    reportFault(error);
  }
}

/** Who is signed in; nothing on a server without tokens. */
function AccountButton() {
  const role = useStore(app, ({ rights }) => (rights?.access === 'token' ? rights.role : undefined));
  if (role === undefined) return null;
  const title = `Signed in with the role ${role}`;
  return (
    <button
      type="button"
      class="button quiet"
      title={title}
      aria-label={title}
      onClick={() => openDialog({ kind: 'account' })}
    >
      <Icon name="user" />
      <span class="wide-only">{role}</span>
    </button>
  );
}

function ThemeButton() {
  useStore(themeChanges, ({ count }) => count);
  const theme = keptTheme();
  return (
    <button
      type="button"
      class="button quiet icon-only"
      title={`Theme: ${theme}`}
      aria-label={`Theme: ${theme}`}
      onClick={() => applyTheme(nextTheme(theme))}
    >
      <Icon name={THEME_ICONS[theme]} />
    </button>
  );
}
