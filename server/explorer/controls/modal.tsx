// A dialog of the browser: it keeps the focus, closes by Escape, and gives the focus back.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

interface ModalProps {
  readonly title: string;
  /** Absent for what cannot be left. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

export function Modal({ title, onClose, children }: ModalProps) {
  const host = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = host.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={host}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div class="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        {onClose === undefined ? null : (
          <button type="button" class="button quiet icon-only" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}
