// Names of tags that a field proposes while one types: found by the server, some at a time, however many a dataset has.

import { useEffect, useState } from 'preact/hooks';
import { findTags } from '../api/historian.ts';
import { SYSTEM_PREFIX } from '../model/tags/tag.ts';

const MOST_PROPOSED = 100;
/** Whoever types goes on typing. */
const QUIET_MS = 200;
const RETRY_MS = 2000;

/** Names of the dataset that have the text in them; those found before stay until the server has answered. */
export function useProposedNames(dataset: string, typed: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (dataset === '') return undefined;
    const closing = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const found = await namesWith(dataset, typed.trim(), closing.signal);
        if (!closing.signal.aborted) setNames(found);
      } catch {
        // The datasets are read by a clock of their own, which says what is wrong.
        if (!closing.signal.aborted) timer = setTimeout(() => void ask(), RETRY_MS);
      }
    };
    timer = setTimeout(() => void ask(), QUIET_MS);
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [dataset, typed]);
  return names;
}

async function namesWith(dataset: string, text: string, signal: AbortSignal): Promise<readonly string[]> {
  const isOfSystem = text.startsWith(SYSTEM_PREFIX);
  const contains = isOfSystem ? text.slice(SYSTEM_PREFIX.length) : text;
  const { User, System } = await findTags(dataset, { contains, limit: MOST_PROPOSED, signal });
  const ofSystem = System.map(({ n }) => `${SYSTEM_PREFIX}${n}`);
  const own = isOfSystem ? [] : User.map(({ n }) => n);
  return [...own, ...ofSystem].slice(0, MOST_PROPOSED);
}
