// Parts of the page whose code is loaded when they are first shown, so that the page itself stays small.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reportFault } from '../state/actions.ts';

const FAULT = 'This part could not be loaded: the server is away, or another version runs there. Reload the page.';

/** Nothing is shown until it is loaded; when it cannot be, that is said, after `onFailed`. */
export function loadedPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  onFailed: () => void = () => {},
): FunctionComponent<Props> {
  return function Loading(props: Props) {
    const [Loaded, setLoaded] = useState<FunctionComponent<Props>>();
    useEffect(() => {
      let isOpen = true;
      const show = (loaded: FunctionComponent<Props>): void => {
        if (isOpen) setLoaded(() => loaded);
      };
      load().then(show, () => {
        onFailed();
        reportFault(new Error(FAULT));
      });
      return () => {
        isOpen = false;
      };
    }, []);
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
