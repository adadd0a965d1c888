// Dialogs whose code is loaded when they are opened.

import type { FunctionComponent } from 'preact';
import { loadedPart } from '../controls/loaded-part.tsx';
import { openDialog } from '../state/actions.ts';

/** A dialog that shows nothing until it is loaded; it is closed when it cannot be. */
export function loadedDialog<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return loadedPart(load, () => openDialog(undefined));
}
