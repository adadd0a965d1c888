// Dialogs whose code is loaded when they are opened, so that the page itself stays small.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { openDialog, reportFault } from '../../state/app/actions.ts';

const FAULT = 'This dialog could not be loaded: the server is away, or another version runs there. Reload the page.';

/** A dialog that shows nothing until it is loaded; it is closed, and the fault said, when it cannot be. */
export function loadedDialog<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return function Loading(props: Props) {
    const [Loaded, setLoaded] = useState<FunctionComponent<Props>>();
    useEffect(() => {
      let isOpen = true;
      const show = (loaded: FunctionComponent<Props>): void => {
        if (isOpen) setLoaded(() => loaded);
      };
      load().then(show, () => {
        openDialog(undefined);
        reportFault(new Error(FAULT));
      });
      return () => {
        isOpen = false;
      };
    }, []);
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
