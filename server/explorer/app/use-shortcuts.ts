// Keys that work wherever no text is being typed.

import { useEffect } from 'preact/hooks';
import { annotateHere } from '../annotations/annotations-state.ts';
import { newCalculated } from '../calculated/calculated-buttons.tsx';
import { goBack, openDialog, pan, toggleLive, toggleMarkAtCursor, togglePinAtCursor, zoom } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { views } from '../views/views.ts';

export const SHORTCUTS: readonly (readonly [keys: string, meaning: string])[] = [
  ['/', 'Search for tags; Enter adds the first one found'],
  ['↑ ↓', 'Move in the list of tags; ← → close and open a branch'],
  ['Enter', 'Add the tag to the trend, or take it out'],
  ['Shift + Enter', 'Add all tags from the last one that was added to this one; Shift and a click do the same'],
  ['F', 'Favourite: put a star to the tag, or take it off'],
  ['I', 'Details of the tag'],
  ['← →', 'Move the cursor of the chart, when it has the focus'],
  ['M', 'Mark the time of the cursor, to measure from there; again: take the mark away'],
  ['P', 'Put a cursor that stays to the time of the cursor; again: take it away'],
  ['A', 'Write an annotation: about the time of the cursor, or from the mark to the cursor'],
  ['C', 'Calculate: add a series made of tags'],
  ['Shift + ← →', 'Earlier, later'],
  ['+ -', 'Zoom in, out'],
  ['L', 'Live on, off'],
  ['Backspace', 'Back to the view before'],
  ['Click', 'Mark a time; again: take the mark away'],
  ['Ctrl + click', 'Put a cursor that stays; again: take it away'],
  ['Drag', 'Zoom into what is marked; with Shift move the window'],
  ['Wheel', 'Zoom about the pointer; with Shift move the window'],
];

const ACTIONS: Readonly<Record<string, () => void>> = {
  '/': () => document.querySelector<HTMLInputElement>('#tag-search')?.focus(),
  '+': () => zoom(0.5),
  '=': () => zoom(0.5),
  '-': () => zoom(2),
  l: toggleLive,
  m: toggleMarkAtCursor,
  p: togglePinAtCursor,
  a: annotateHere,
  c: newCalculated,
  '?': () => openDialog({ kind: 'help' }),
  Backspace: goBack,
};

const SHIFTED: Readonly<Record<string, () => void>> = { ArrowLeft: () => pan(-0.5), ArrowRight: () => pan(0.5) };

export function useShortcuts(): void {
  useEffect(() => {
    addEventListener('keydown', handle);
    return () => removeEventListener('keydown', handle);
  }, []);
}

function handle(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const isTyping = target.matches('input, textarea, select') || target.isContentEditable;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (app.get().dialog !== undefined || app.get().needsToken) return;
  if (views.get().board !== undefined && event.key !== '?') return;
  const action = (event.shiftKey ? SHIFTED[event.key] : undefined) ?? ACTIONS[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
