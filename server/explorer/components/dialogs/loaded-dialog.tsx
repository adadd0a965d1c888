// Dialogs whose code is loaded when they are opened.

import type { FunctionComponent } from 'preact';
import { openDialog } from '../../state/app/actions.ts';
import { loadedPart } from '../controls/loaded-part.tsx';

/** A dialog that shows nothing until it is loaded; it is closed when it cannot be. */
export function loadedDialog<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return loadedPart(load, () => openDialog(undefined));
}
