// The corrections of a tag, newest first, each with a button that takes it back.

import { useEffect, useState } from 'preact/hooks';
import type { TagRef } from '../model/tags/tag.ts';
import { reportFault } from '../state/actions.ts';
import type { CorrectionAnswer } from './correction.ts';
import { correctionMaker, describeCorrection } from './correction-text.ts';
import { listCorrections, undoCorrection } from './corrections-api.ts';

interface ListProps {
  readonly tagRef: TagRef;
  /** Another number: something has changed. */
  readonly revision: number;
  readonly onUndone: () => void;
}

export function CorrectionList({ tagRef, revision, onUndone }: ListProps) {
  const [corrections, setCorrections] = useState<readonly CorrectionAnswer[]>([]);
  useEffect(() => {
    let isCurrent = true;
    listCorrections(tagRef).then((listed) => {
      if (isCurrent) setCorrections(listed);
    }, reportFault);
    return () => {
      isCurrent = false;
    };
  }, [tagRef.dataset, tagRef.name, revision]);
  const undo = async (id: number): Promise<void> => {
    try {
      await undoCorrection(tagRef, id);
    } catch (error) {
      reportFault(error);
    }
    onUndone();
  };
  if (corrections.length === 0) return null;
  return (
    <section aria-label="Corrections">
      <h3>Corrections</h3>
      <ul class="correction-list">
        {corrections.map((one) => (
          <li key={one.id}>
            <span>
              {describeCorrection(one)}
              <small>{correctionMaker(one)}</small>
            </span>
            {one.undone === null && one.kind !== 'cut' ? (
              <button type="button" class="button" onClick={() => void undo(one.id)}>
                Undo
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
