// Chooses the encoding of an answer from the request's Accept-Encoding (RFC 9110, 12.5.3).

export type AnswerEncoding = 'br' | 'gzip' | 'deflate';

/** All of them; among equals the earlier one is taken. */
const PREFERENCE: readonly AnswerEncoding[] = ['br', 'gzip', 'deflate'];

/** The encoding to use of those `offered`, or undefined for none. An answer without encoding is always allowed. */
export function chooseEncoding(
  header: string | undefined,
  offered: readonly AnswerEncoding[] = PREFERENCE,
): AnswerEncoding | undefined {
  if (header === undefined || header === '') return undefined;
  const weights = parseWeights(header);
  const identity = weights.get('identity') ?? 0;
  let best: AnswerEncoding | undefined;
  let bestWeight = 0;
  for (const name of offered) {
    const weight = weights.get(name) ?? weights.get('*') ?? 0;
    if (weight > bestWeight && weight >= identity) {
      best = name;
      bestWeight = weight;
    }
  }
  return best;
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name, ...parameters] = item.split(';').map((part) => part.trim());
    if (name !== undefined && name !== '') weights.set(name, parseWeight(parameters));
  }
  return weights;
}

/** A weight that cannot be read counts as not acceptable. */
function parseWeight(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0;
}
