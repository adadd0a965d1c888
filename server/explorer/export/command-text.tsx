// A command for a shell, with a button that copies it.

import { copyText } from './export.ts';

export function CommandText({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keys */}
      <pre tabIndex={0}>{text}</pre>
      <button
        type="button"
        class="button"
        aria-label={`Copy: ${name}`}
        onClick={() => void copyText(text, 'The command was copied.')}
      >
        Copy
      </button>
    </div>
  );
}
