// A field for a time as it is typed, with what it means below.

import { serverNowMs } from '../api/http.ts';
import { understood } from '../model/time/understood.ts';
import { Field } from './field.tsx';

interface TimeFieldProps {
  readonly label: 'From' | 'To' | 'At';
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Said while there is nothing to explain. */
  readonly hint?: string;
}

export function TimeField({ hint, ...field }: TimeFieldProps) {
  const meaning = understood(field.value, field.label === 'To' ? 'to' : 'from', serverNowMs()) ?? hint;
  return <Field {...field} {...(meaning === undefined ? {} : { hint: meaning })} />;
}
