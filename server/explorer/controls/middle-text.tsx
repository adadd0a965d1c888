// A name that is cut where there is no room: first in what it has in common with those beside it, then in the middle, for what
// tells names apart stands at their ends.

import { splitName } from '../model/tags/tag-names.ts';

interface MiddleTextProps {
  readonly text: string;
  readonly class?: string;
  /** What all names beside it begin with. */
  readonly common?: string;
}

export function MiddleText({ text, class: className = '', common = '' }: MiddleTextProps) {
  const shared = text.startsWith(common) ? common : '';
  const [head, tail] = splitName(text.slice(shared.length));
  return (
    <span class={`middle ${className}`} title={text}>
      {shared === '' ? null : <span class="middle-head common">{shared}</span>}
      <span class="middle-head">{head}</span>
      <span class="middle-tail">{tail}</span>
    </span>
  );
}
