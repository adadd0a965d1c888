// The names that a tag had before it was renamed: how they are shown, and how a tag is found by one.

import { formatTime } from '../time/axis-labels.ts';
import type { FormerName, TagDefinition } from './tag.ts';

const HOUR_MS = 3_600_000;

/** The tag of this name, else the one that a former name leads to. */
export function findTag(tags: readonly TagDefinition[], name: string, nowMs: number): TagDefinition | undefined {
  const leads = ({ n, until }: FormerName): boolean => n === name && isKept(until, nowMs);
  return tags.find(({ n }) => n === name) ?? tags.find(({ former = [] }) => former.some(leads));
}

/** Such as `Feed (until 2026-12-29 12:00, for reading and writing)`. */
export function formerNameText({ n, until, forward }: FormerName, nowMs: number): string {
  if (!isKept(until, nowMs)) return `${n} (leads here no more)`;
  const end = until === undefined ? '' : `until ${formatTime(Date.parse(until), HOUR_MS)}, `;
  return `${n} (${end}for reading${forward ? ' and writing' : ''})`;
}

function isKept(until: string | undefined, nowMs: number): boolean {
  return until === undefined || Date.parse(until) > nowMs;
}
