// What can be done with a tag of the trend, at the end of its row.

import type { TagRef } from '../../model/tags/tag.ts';
import { moveTag, openDialog, toggleTag } from '../../state/app/actions.ts';
import { Icon } from '../controls/icons.tsx';

export function RowActions({ tagRef, hasScale }: { readonly tagRef: TagRef; readonly hasScale: boolean }) {
  const { name } = tagRef;
  return (
    <>
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
