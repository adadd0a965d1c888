// Says beside a value which limit it lies beyond: by sign and colour, so that neither is needed alone.

import { beyondText, isOuter, LIMIT_SIGNS, type TagLimit } from '../model/values/limits.ts';

export function beyondClass(beyond: TagLimit | undefined): string {
  if (beyond === undefined) return '';
  return isOuter(beyond.kind) ? ' beyond outer' : ' beyond';
}

export function BeyondSign({ beyond }: { readonly beyond: TagLimit | undefined }) {
  if (beyond === undefined) return null;
  const text = beyondText(beyond);
  return (
    <abbr class="beyond-sign" title={text} aria-label={text}>
      {LIMIT_SIGNS[beyond.kind]}
    </abbr>
  );
}
