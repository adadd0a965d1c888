// The Prefer header (RFC 7240) as far as this server knows it; unknown preferences are ignored.

import type { HttpRequest } from '../../http/contract/http-server.ts';

export interface Preferences {
  readonly isReceiptWanted: boolean;
  readonly handling: 'strict' | 'lenient' | undefined;
}

const NONE: Preferences = { isReceiptWanted: false, handling: undefined };

export function readPreferences(request: HttpRequest): Preferences {
  const text = request.header('prefer');
  if (text === undefined) return NONE;
  const preferences = parsePrefer(text);
  const handling = preferences.get('handling');
  return {
    isReceiptWanted: preferences.get('return') === 'representation',
    handling: handling === 'strict' || handling === 'lenient' ? handling : undefined,
  };
}

/** Form of a trimmed text: no two parts that take spaces meet, so that the time is linear. */
const PREFERENCE = /^([\w-]+)(?:\s*=\s*"?([\w-]*)"?)?$/;

/** The first of a repeated preference counts; parameters after `;` are ignored. */
function parsePrefer(text: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const item of text.split(',')) {
    const [own = ''] = item.split(';', 1);
    const [, name, value = ''] = PREFERENCE.exec(own.trim()) ?? [];
    if (name === undefined || preferences.has(name.toLowerCase())) continue;
    preferences.set(name.toLowerCase(), value.toLowerCase());
  }
  return preferences;
}

/** The `Preference-Applied` header, when a preference was followed. */
export function appliedHeader(preferences: Preferences): (readonly [string, string])[] {
  const applied = [
    ...(preferences.isReceiptWanted ? ['return=representation'] : []),
    ...(preferences.handling === undefined ? [] : [`handling=${preferences.handling}`]),
  ];
  return applied.length === 0 ? [] : [['Preference-Applied', applied.join(', ')]];
}
