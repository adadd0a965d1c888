// What a search for a quality finds: the qualities of the values in force now are read for all tags that have the rest of it.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { serverNowMs } from '../api/http.ts';
import { tagKey } from '../model/tags/tag.ts';
import { type QualityNow, splitQuality } from '../model/values/quality-search.ts';
import { app } from '../state/app-state.ts';
import { readCurrent } from './current-values.ts';
import { type BrowsedTag, type FoundTags, type Side, useFoundTags } from './found-tags.ts';

/** Looked at, of what has the rest of the search. */
const MOST_LOOKED_AT = 5000;
const TAGS_PER_READ = 500;
/** Whoever types goes on typing. */
const QUIET_MS = 250;
const REFRESH_MS = 10_000;
const NONE: ReadonlyMap<string, QualityNow> = new Map();

export interface FoundByQuality {
  readonly found: readonly FoundTags[];
  /** Said below the search; undefined when there is nothing to say. */
  readonly note: string | undefined;
}

export function useFoundByQuality(dataset: string | undefined, text: string, side: Side): FoundByQuality {
  const { rest, wants } = useMemo(() => splitQuality(text), [text]);
  const all = useFoundTags(dataset, rest, side, text.trim() === '' ? 'chosen' : 'all');
  const looked = useMemo(() => (wants === undefined ? [] : firstOf(all)), [all, wants === undefined]);
  const qualities = useQualities(looked);
  return useMemo(() => {
    if (wants === undefined) return { found: all, note: undefined };
    if (qualities === undefined) return { found: [], note: 'Reading the qualities…' };
    const isWanted = (tag: BrowsedTag): boolean => {
      const key = tagKey(tag);
      return qualities.has(key) && wants(qualities.get(key));
    };
    const found = all.map(({ dataset, tags }) => ({ dataset, tags: tags.filter(isWanted) }));
    const count = all.reduce((sum, { tags }) => sum + tags.length, 0);
    const note = count > MOST_LOOKED_AT ? `Qualities of the first ${MOST_LOOKED_AT} of ${count} tags.` : undefined;
    return { found, note };
  }, [all, wants, qualities]);
}

function firstOf(all: readonly FoundTags[]): readonly BrowsedTag[] {
  return all.flatMap(({ tags }) => tags).slice(0, MOST_LOOKED_AT);
}

/** By `tagKey`; undefined until they were read. */
function useQualities(tags: readonly BrowsedTag[]): ReadonlyMap<string, QualityNow> | undefined {
  const [known, setKnown] = useState<ReadonlyMap<string, QualityNow>>();
  useEffect(() => {
    setKnown(undefined);
    if (tags.length === 0) return undefined;
    const closing = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async (): Promise<void> => {
      if (!document.hidden && !app.get().needsToken) {
        // Whatever is wrong with the server, the datasets tell.
        const read = await readQualities(tags, closing.signal).catch(() => undefined);
        if (read !== undefined && !closing.signal.aborted) setKnown(read);
      }
      if (!closing.signal.aborted) timer = setTimeout(() => void follow(), REFRESH_MS);
    };
    timer = setTimeout(() => void follow(), QUIET_MS);
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [tags]);
  return tags.length === 0 ? NONE : known;
}

async function readQualities(
  tags: readonly BrowsedTag[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, QualityNow>> {
  const found = new Map<string, QualityNow>(tags.map((tag) => [tagKey(tag), undefined]));
  for (let from = 0; from < tags.length; from += TAGS_PER_READ) {
    const refs = tags.slice(from, from + TAGS_PER_READ).map(({ dataset, name }) => ({ dataset, name }));
    for (const [key, { quality }] of await readCurrent(refs, serverNowMs(), signal)) found.set(key, quality);
  }
  return found;
}
