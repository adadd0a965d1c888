// The menu of saved trends and dashboards in the bar: the first of them, what can be saved, and the way to all of them.

import { Menu, type MenuItem } from '../controls/menu.tsx';
import { openDialog } from '../state/actions.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';
import { savedTrends } from './saved.ts';
import { closeView, newBoard, openLocal, openView, save, views } from './views.ts';

/** The others are in the dialog. */
const MOST_SHOWN = 15;

export function ViewsMenu() {
  const heads = useStore(views, (state) => state.heads) ?? [];
  const local = useStore(savedTrends, (state) => state.trends);
  const open = useStore(views, ({ board, trend }) => board?.head ?? trend);
  const isBoard = useStore(views, ({ board }) => board !== undefined);
  const mayWrite = useMay('write');
  const shown: MenuItem[] = heads.slice(0, MOST_SHOWN).map(({ id, folder, name, kind, owner }) => ({
    key: id,
    label: folder === '' ? name : `${folder} / ${name}`,
    hint: [kind === 'dashboard' ? 'dashboard' : '', owner ?? ''].filter((text) => text !== '').join(', '),
    act: () => void openView(id),
  }));
  const here: MenuItem[] = local.map(({ name, link }) => ({
    key: `here ${name}`,
    label: name,
    hint: 'in this browser',
    act: () => openLocal(link),
  }));
  const saving: MenuItem[] = [
    ...(open?.editable === true && !isBoard ? [{ label: 'Save', hint: open.name, act: () => void save() }] : []),
    ...(isBoard ? [] : [saveAsItem(mayWrite)]),
    ...(mayWrite ? [{ label: 'New dashboard', act: newBoard }] : []),
    { label: 'All trends and dashboards…', act: () => openDialog({ kind: 'views' }) },
    ...(open === undefined && !isBoard ? [] : [{ label: 'Close', hint: open?.name ?? '', act: closeView }]),
  ];
  return (
    <Menu
      label={<span class="views-label">{open?.name ?? 'Trends'}</span>}
      name="Saved trends"
      items={[...saving, ...shown, ...here]}
      isMarked={open !== undefined}
    />
  );
}

function saveAsItem(mayWrite: boolean): MenuItem {
  const hint = mayWrite ? 'on the server' : 'in this browser';
  return { label: 'Save this trend as…', hint, act: () => openDialog({ kind: 'save-view' }) };
}
