// A name that is cut in the middle when there is no room: what tells names apart stands at their ends.

import { splitName } from '../../model/tags/tag-names.ts';

interface MiddleTextProps {
  readonly text: string;
  readonly class?: string;
}

export function MiddleText({ text, class: className = '' }: MiddleTextProps) {
  const [head, tail] = splitName(text);
  return (
    <span class={`middle ${className}`} title={text}>
      <span class="middle-head">{head}</span>
      <span class="middle-tail">{tail}</span>
    </span>
  );
}
