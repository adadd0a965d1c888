// What can be done with a tag or a calculated series of the trend, at the end of its row.

import { EditButton } from '../calculated/calculated-buttons.tsx';
import { Icon } from '../controls/icons.tsx';
import { isCalculated, isSystemName, type LineRef, type TagRef } from '../model/tags/tag.ts';
import { moveTag, openDialog, toggleTag } from '../state/actions.ts';
import { useMay } from '../user/account.ts';

interface ActionsProps {
  readonly tagRef: LineRef;
  readonly hasScale: boolean;
}

export function RowActions({ tagRef, hasScale }: ActionsProps) {
  const { name } = tagRef;
  return (
    <>
      {isCalculated(tagRef) ? <EditButton edited={tagRef} /> : <CorrectButton tagRef={tagRef} />}
      {hasScale ? (
        <button
          type="button"
          class="button quiet icon-only scale"
          aria-label={`Scale of ${name}`}
          title="Scale and limits"
          onClick={() => openDialog({ kind: 'axis', ref: tagRef })}
        >
          <Icon name="scale" />
        </button>
      ) : null}
      <button
        type="button"
        class="button quiet icon-only move"
        aria-label={`Move ${name} up`}
        onClick={() => moveTag(tagRef, -1)}
      >
        <Icon name="up" />
      </button>
      {isCalculated(tagRef) ? null : (
        <button
          type="button"
          class="button quiet icon-only"
          aria-label={`Details of ${name}`}
          onClick={() => openDialog({ kind: 'tag', ref: tagRef })}
        >
          <Icon name="info" />
        </button>
      )}
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={`Remove ${name}`}
        onClick={() => toggleTag(tagRef)}
      >
        <Icon name="close" />
      </button>
    </>
  );
}

function CorrectButton({ tagRef }: { readonly tagRef: TagRef }) {
  const mayCorrect = useMay('admin') && !isSystemName(tagRef.name);
  if (!mayCorrect) return null;
  return (
    <button
      type="button"
      class="button quiet icon-only"
      aria-label={`Correct ${tagRef.name}`}
      title="Correct points"
      onClick={() => openDialog({ kind: 'correct', ref: tagRef })}
    >
      <Icon name="pen" />
    </button>
  );
}
