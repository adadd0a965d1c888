// The periods before that are laid over the window: any of a list, several at once, or typed.

import { serverNowMs } from '../api/http.ts';
import { Menu, type MenuItem } from '../controls/menu.tsx';
import { compareText, MOST_COMPARED } from '../model/time/comparison.ts';
import { shiftLabel, shiftOf, shiftsBefore } from '../model/time/shift-moves.ts';
import { changeView, notify, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

interface Offer {
  readonly label: string;
  readonly compare: string;
  readonly hint?: string;
}

const SPANS: readonly Offer[] = [
  { label: 'The period before', compare: 'previous' },
  { label: 'One hour earlier', compare: '1h' },
  { label: '8 hours earlier', compare: '8h' },
  { label: 'One day earlier', compare: '1d' },
  { label: 'One week earlier', compare: '1w' },
];
/** Number of offered shifts before the one that is shown. */
const SHIFTS = 9;

export function CompareMenu() {
  const compare = useStore(app, ({ view }) => view.compare);
  // Asks for the shifts before whenever another window is shown.
  useStore(app, ({ view }) => view.range);
  const offers = [...SPANS, ...shiftOffers()];
  const others = compare.filter((text) => offers.every((one) => one.compare !== text));
  const all = [...offers, ...others.map((text) => ({ label: compareText(text), compare: text }))];
  const items: MenuItem[] = [
    { label: 'Nothing', isChosen: compare.length === 0, act: () => changeView({ compare: [] }) },
    ...all.map((offer) => ({ ...offer, isChosen: compare.includes(offer.compare), act: () => toggle(offer.compare) })),
    { label: 'Others…', act: () => openDialog({ kind: 'compare' }) },
  ];
  return (
    <Menu
      label={<>Compare{compare.length === 0 ? '' : `: ${compare.join(', ')}`}</>}
      name="Compare with"
      items={items}
      isMarked={compare.length > 0}
      isSeveral
    />
  );
}

function toggle(text: string): void {
  const { compare } = app.get().view;
  if (compare.includes(text)) changeView({ compare: compare.filter((one) => one !== text) });
  else if (compare.length < MOST_COMPARED) changeView({ compare: [...compare, text] });
  else notify(`At most ${MOST_COMPARED} periods are compared; choose one of them again to take it out.`);
}

/** Earlier shifts, when the window is one. */
function shiftOffers(): Offer[] {
  const shown = shiftOf(app.get().view.range, serverNowMs());
  if (shown === undefined) return [];
  return shiftsBefore(shown, SHIFTS).map((span, index) => {
    const compare = index === 0 ? '1 shift' : `${index + 1} shifts`;
    return { label: compareText(compare), compare, hint: shiftLabel(span) };
  });
}
