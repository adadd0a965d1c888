// A labelled text field, and a list of keys with values as fields.

import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: string;
  readonly type?: keyof typeof KINDS;
  readonly isFirst?: boolean;
}

const KINDS = {
  text: { type: 'text' },
  number: { type: 'number', min: 0 },
  password: { type: 'password' },
  time: { type: 'time' },
  'datetime-local': { type: 'datetime-local' },
} as const;

export function Field({ label, value, onValue, hint, type = 'text', isFirst }: FieldProps) {
  const common = {
    value,
    autoFocus: isFirst,
    autoComplete: 'off',
    spellcheck: false,
    onInput: (event: { readonly currentTarget: HTMLInputElement }): void => onValue(event.currentTarget.value),
  } as const;
  return (
    <label class="field">
      <span>{label}</span>
      <input {...common} {...KINDS[type]} />
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  );
}

export type Pair = readonly [key: string, text: string];

interface PairsProps {
  readonly label: string;
  readonly keyName: string;
  readonly pairs: readonly Pair[];
  readonly onPairs: (pairs: readonly Pair[]) => void;
  readonly hint?: ComponentChildren;
}

export function PairFields({ label, keyName, pairs, onPairs, hint }: PairsProps) {
  const replace = (index: number, pair: Pair): void => onPairs(pairs.map((old, at) => (at === index ? pair : old)));
  return (
    <fieldset class="pairs">
      <legend>{label}</legend>
      {pairs.map(([key, text], index) => (
        <div class="pair" key={index}>
          <input
            aria-label={`${label}: ${keyName} ${index + 1}`}
            value={key}
            onInput={(event) => replace(index, [event.currentTarget.value, text])}
          />
          <input
            aria-label={`${label}: text ${index + 1}`}
            value={text}
            onInput={(event) => replace(index, [key, event.currentTarget.value])}
          />
          <button
            type="button"
            class="button quiet icon-only"
            aria-label={`${label}: remove ${index + 1}`}
            onClick={() => onPairs(pairs.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div class="pair-foot">
        <button type="button" class="button" onClick={() => onPairs([...pairs, ['', '']])}>
          Add
        </button>
        {hint === undefined ? null : <small>{hint}</small>}
      </div>
    </fieldset>
  );
}
