// What is on the screen as a few lines for another program, to be copied.

import { useState } from 'preact/hooks';
import { Choice } from '../controls/choice.tsx';
import { Modal } from '../controls/modal.tsx';
import { LANGUAGES, type Language } from '../model/export/copy-as.ts';
import { openDialog } from '../state/actions.ts';
import { CommandText } from './command-text.tsx';
import { copiedText } from './copied-text.ts';

/** What was chosen last, until the page is loaded again. */
let kept: Language = 'python';

export function CopyDialog() {
  const [language, setLanguage] = useState(kept);
  const choose = (one: Language): void => {
    kept = one;
    setLanguage(one);
  };
  const name = LANGUAGES.find(([known]) => known === language)?.[1] ?? language;
  return (
    <Modal title="Copy as" onClose={() => openDialog(undefined)}>
      <div class="form">
        <Choice label="For" value={language} options={LANGUAGES} onValue={choose} />
        <CommandText text={copiedText(language)} name={name} />
        <p class="muted">
          It gives the lines of the trend: averages as they are shown, of the rest every point of the window.
        </p>
      </div>
    </Modal>
  );
}
