// What can be done with a tag of the trend, at the end of its row.

import { isSystemName, type TagRef } from '../../model/tags/tag.ts';
import { moveTag, openDialog, toggleTag } from '../../state/app/actions.ts';
import { useMay } from '../../state/user/account.ts';
import { Icon } from '../controls/icons.tsx';

export function RowActions({ tagRef, hasScale }: { readonly tagRef: TagRef; readonly hasScale: boolean }) {
  const { name } = tagRef;
  const mayCorrect = useMay('admin') && !isSystemName(name);
  return (
    <>
      {mayCorrect ? (
        <button
          type="button"
          class="button quiet icon-only"
          aria-label={`Correct ${name}`}
          title="Correct points"
          onClick={() => openDialog({ kind: 'correct', ref: tagRef })}
        >
          <Icon name="pen" />
        </button>
      ) : null}
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
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={`Details of ${name}`}
        onClick={() => openDialog({ kind: 'tag', ref: tagRef })}
      >
        <Icon name="info" />
      </button>
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
