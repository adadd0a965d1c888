// A button that opens a list of actions; closed by Escape, by a choice, and by leaving it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  /** Tells items apart whose labels may be equal. */
  readonly key?: string;
  readonly label: string;
  readonly hint?: string;
  readonly isChosen?: boolean;
  readonly act: () => void;
}

interface MenuProps {
  readonly label: ComponentChildren;
  readonly name: string;
  readonly items: readonly MenuItem[];
  readonly isMarked?: boolean;
  /** Whether several items may be chosen at once. */
  readonly isSeveral?: boolean;
}

export function Menu({ label, name, items, isMarked, isSeveral }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    host.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
    const leave = (event: Event): void => {
      if (!host.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    host.current?.querySelector('button')?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the items inside of it
    <div class="menu" ref={host} onKeyDown={(event) => handleKey(event, isOpen, close)}>
      <button
        type="button"
        class={isMarked ? 'button marked' : 'button'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={name}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen ? <MenuList name={name} items={items} isSeveral={isSeveral === true} close={close} /> : null}
    </div>
  );
}

const PLAIN = { role: 'menuitem' } as const;

function chosenAs(isChosen: boolean, isSeveral: boolean) {
  return { role: isSeveral ? 'menuitemcheckbox' : 'menuitemradio', 'aria-checked': isChosen } as const;
}

interface ListProps extends Pick<MenuProps, 'name' | 'items'> {
  readonly isSeveral: boolean;
  readonly close: () => void;
}

function MenuList({ name, items, isSeveral, close }: ListProps) {
  return (
    <div class="menu-list" role="menu" aria-label={name}>
      {items.map(({ key = '', label, hint, isChosen, act }) => (
        <button
          key={key === '' ? label : key}
          type="button"
          {...(isChosen === undefined ? PLAIN : chosenAs(isChosen, isSeveral))}
          tabIndex={-1}
          onClick={() => {
            close();
            act();
          }}
        >
          <span>{label}</span>
          {hint === undefined ? null : <small>{hint}</small>}
        </button>
      ))}
    </div>
  );
}

function handleKey(event: KeyboardEvent, isOpen: boolean, close: () => void): void {
  if (!isOpen) return;
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  const next = steps[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (next === undefined) return;
  else items[(next + items.length) % items.length]?.focus();
  event.stopPropagation();
  if (event.key !== 'Tab') event.preventDefault();
}
