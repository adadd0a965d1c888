// A text as large as its place: a wall is read from afar.

import type { ComponentChildren } from 'preact';

interface FittedProps {
  readonly text: string;
  /** Stands behind the text, and is about as long as so many characters of it. */
  readonly children?: ComponentChildren;
  readonly extraCharacters?: number;
}

export function FittedText({ text, children, extraCharacters = 0 }: FittedProps) {
  return (
    <div class="fitted">
      <p class="value" style={{ '--characters': Math.max(3, text.length + extraCharacters) }}>
        {text}
        {children}
      </p>
    </div>
  );
}
