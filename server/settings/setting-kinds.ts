// The kinds of values that settings have: each reads a text and says what it wants instead of a wrong one.

import { isIP } from 'node:net';

export interface SettingKind<T> {
  /** Stands for the value in `--help` and the docs, e.g. `<port>`; empty for a switch. */
  readonly placeholder: string;
  /** Several values; its flag may be repeated. */
  readonly isList?: true;
  /** The value of a text. Throws a `SettingFault`. */
  parse(text: string): T;
}

/** A text that is no value of its kind; the message says what is wanted, as the end of `got 'x'; want `. */
export class SettingFault extends Error {}

const MS_BY_UNIT = new Map([
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
]);

const BYTES_BY_UNIT = new Map([
  ['', 1],
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
]);

export function textOf(placeholder: string): SettingKind<string> {
  return {
    placeholder,
    parse(text) {
      if (text === '') throw new SettingFault('a text that is not empty');
      return text;
    },
  };
}

/** Part of the name of a dataset, before a dot; empty for none. */
export const siteName: SettingKind<string> = {
  placeholder: '<name>',
  parse(text) {
    if (/^[\w-]{0,64}$/.test(text)) return text;
    throw new SettingFault('a name of at most 64 letters, digits, _ and -');
  },
};

export function oneOf<const T extends string>(...choices: readonly T[]): SettingKind<T> {
  return {
    placeholder: choices.join('|'),
    parse(text) {
      const choice = choices.find((candidate) => candidate === text);
      if (choice === undefined) throw new SettingFault(choices.join(' or '));
      return choice;
    },
  };
}

export function wholeNumber(placeholder: string, smallest: number, largest: number): SettingKind<number> {
  return {
    placeholder,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= smallest && value <= largest))
        throw new SettingFault(`a whole number from ${smallest} to ${largest}`);
      return value;
    },
  };
}

/** On or off; as a flag it needs no value. */
export const onOff: SettingKind<boolean> = {
  placeholder: '',
  parse(text) {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    throw new SettingFault('true or false');
  },
};

/** A length of time such as `1d12h`, in ms. */
export function span(smallestMs: number): SettingKind<number> {
  return {
    placeholder: '<span>',
    parse(text) {
      const wanted = new SettingFault(
        `a length of time such as 36h or 1d12h, with the units w d h m s, at least ${smallestMs / 1000} s`,
      );
      if (!/^(?:\d{1,9}[wdhms])+$/.test(text)) throw wanted;
      let totalMs = 0;
      for (const [, count, unit = ''] of text.matchAll(/(\d+)([wdhms])/g))
        totalMs += Number(count) * (MS_BY_UNIT.get(unit) ?? 0);
      if (totalMs < smallestMs) throw wanted;
      return totalMs;
    },
  };
}

/** A number of bytes such as `64MiB`. */
export function byteSize(smallest: number, largest: number): SettingKind<number> {
  return {
    placeholder: '<size>',
    parse(text) {
      const [, digits, unit = ''] = /^(\d{1,15})\s?([KMG]i?B|B|)$/.exec(text) ?? [];
      const bytes = Number(digits) * (BYTES_BY_UNIT.get(unit) ?? Number.NaN);
      if (bytes >= smallest && bytes <= largest) return bytes;
      throw new SettingFault(`a size from ${formatBytes(smallest)} to ${formatBytes(largest)}, such as 16MiB or 30MB`);
    },
  };
}

/** Several values, separated by commas; a flag may also be repeated. */
export function listOfTexts(placeholder: string): SettingKind<readonly string[]> {
  return { placeholder, isList: true, parse: splitList };
}

/** Addresses of IPv4 or IPv6. */
export const listOfAddresses: SettingKind<readonly string[]> = {
  placeholder: '<address>',
  isList: true,
  parse: (text) => splitList(text).map(parseAddress),
};

/** Several of the choices. */
export function someOf<const T extends string>(placeholder: string, choices: readonly T[]): SettingKind<readonly T[]> {
  const one = oneOf(...choices);
  return { placeholder, isList: true, parse: (text) => splitList(text).map((item) => one.parse(item)) };
}

/** Origins as browsers write them, such as `https://dashboard.example:8443`. */
export const listOfOrigins: SettingKind<readonly string[]> = {
  placeholder: '<origin>',
  isList: true,
  parse: (text) => splitList(text).map(parseOrigin),
};

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new SettingFault('IP addresses such as 10.0.0.7');
}

function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  if (/^https?:/.test(origin) && origin === text.toLowerCase()) return origin;
  throw new SettingFault('origins such as https://dashboard.example:8443, without path and default port');
}

/** In the largest unit of 1024 that divides it. */
export function formatBytes(bytes: number): string {
  for (const unit of ['GiB', 'MiB', 'KiB'] as const) {
    const unitBytes = BYTES_BY_UNIT.get(unit) ?? 1;
    if (bytes % unitBytes === 0) return `${bytes / unitBytes}${unit}`;
  }
  return `${bytes}B`;
}
