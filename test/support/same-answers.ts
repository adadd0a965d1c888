// What comparing an edge with its copy needs: answers as texts, and where two of them differ.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Rejects when the answer is no success. */
export async function get(url: string, path: string): Promise<string> {
  const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path.slice(0, 60)}: ${answer.status} ${text.slice(0, 300)}`);
  return text;
}

/** The entry of a tag without points has the present time, which goes. */
export function withoutEmptySpans(text: string): string {
  return text.replaceAll(/"s":"[^"]*","e":"[^"]*","d":\[\]/g, '"d":[]');
}

/** The entry of a tag without points, and then the span of the whole answer, have the present time; all else stays. */
export function withoutNow(text: string): string {
  const timeless = withoutEmptySpans(text);
  return timeless === text ? text : timeless.replace(/^\{"s":"[^"]*","e":"[^"]*",/, '{');
}

export function firstDifference(edge: string, copy: string): string {
  let i = 0;
  while (i < edge.length && edge[i] === copy[i]) i++;
  const shown = (text: string): string => text.slice(Math.max(0, i - 80), i + 120);
  return `at ${i} of ${edge.length} and ${copy.length}: the edge has …${shown(edge)}…, the copy …${shown(copy)}…`;
}

/** Loses the positions of all copies, which a disk may lose; the edge must not run. */
export function losePositions(dataFolder: string): void {
  const folder = join(dataFolder, '.centre');
  for (const name of readdirSync(folder)) if (name.endsWith('.positions')) rmSync(join(folder, name));
}
