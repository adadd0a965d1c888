// The annotations of the window as a list.

import { Modal } from '../controls/modal.tsx';
import { openDialog } from '../state/actions.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';
import { type Annotation, aboutText, byText, timeText } from './annotation.ts';
import { useShownAnnotations } from './annotation-layer.tsx';
import { annotateHere, annotations, downloadAnnotations, openAnnotation } from './annotations-state.ts';

const close = (): void => openDialog(undefined);

export function AnnotationListDialog() {
  const shown = useShownAnnotations();
  const isCut = useStore(annotations, (state) => state.isCut);
  const mayWrite = useMay('write');
  return (
    <Modal title="Annotations of the window" onClose={close}>
      {shown.length === 0 ? <p class="muted">There are none about these tags and this time.</p> : null}
      <ul class="annotation-list">
        {shown.map((one) => (
          <Row key={`${one.dataset} ${one.id}`} annotation={one} />
        ))}
      </ul>
      {isCut ? <p class="muted">There are more than can be shown: choose a shorter window.</p> : null}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={() => void downloadAnnotations()}>
          Save as CSV
        </button>
        {mayWrite ? (
          <button type="button" class="button primary" onClick={annotateHere}>
            New annotation
          </button>
        ) : null}
      </div>
    </Modal>
  );
}

function Row({ annotation }: { readonly annotation: Annotation }) {
  return (
    <li>
      <button type="button" onClick={() => openAnnotation(annotation)}>
        <small>
          {timeText(annotation, 0)} · {aboutText(annotation)}
        </small>
        <span class="annotation-text">{annotation.text}</span>
        <small>{byText(annotation)}</small>
      </button>
    </li>
  );
}
