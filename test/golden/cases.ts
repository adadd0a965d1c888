// The golden folders of the present version, by name: what each is there for, and how it is made.

import { makeAnnotations } from './cases/annotations.ts';
import { makeDoubles, makeIntegers, makeNumbers, makeStates, makeTexts, makeTimes } from './cases/columns.ts';
import {
  makeAbsorbed,
  makeDataFolder,
  makeJournal,
  makeMissingFile,
  makePurged,
  makePurgedBySize,
  makePurgeLifted,
  makeSealed,
  makeSpill,
} from './cases/files.ts';
import { makeLate, makePurgeWidened } from './cases/late.ts';
import { makeRenamed } from './cases/renamed.ts';
import type { MadeFolder } from './scenario.ts';

export interface GoldenCase {
  readonly name: string;
  readonly shows: string;
  readonly make: () => Promise<MadeFolder>;
}

export const CASES: readonly GoldenCase[] = [
  {
    name: 'numbers',
    shows: 'Whole numbers and decimals under every predictor and packer, as plain points and in the general way',
    make: makeNumbers,
  },
  { name: 'doubles', shows: 'Every form of doubles and singles, with exceptions and extremes', make: makeDoubles },
  { name: 'integers', shows: 'Integers of every size up to 64 bits, and times as values', make: makeIntegers },
  { name: 'texts', shows: 'Texts and decimals of any length', make: makeTexts },
  { name: 'states', shows: 'Nulls, qualities, Booleans, enumerations, and whole definitions', make: makeStates },
  { name: 'times', shows: 'Steps of time, ticks of 100 ns, equal and early times', make: makeTimes },
  { name: 'journal', shows: 'Journals of a killed server: every operation and every form of a run', make: makeJournal },
  { name: 'spill', shows: 'Short heads of many tags in pages, and a catalog of several records', make: makeSpill },
  { name: 'sealed', shows: 'Tag files that were closed by an index, by size and by time', make: makeSealed },
  {
    name: 'absorbed',
    shows: 'Retired spills and journals beside the tag files that hold their points',
    make: makeAbsorbed,
  },
  { name: 'purged', shows: 'Purge by age: a cut in force, and a tag file that was written anew', make: makePurged },
  { name: 'purge-lifted', shows: 'A purge rule that was taken back, and what it has hidden', make: makePurgeLifted },
  {
    name: 'purge-widened',
    shows: 'A purge rule that was widened, and late points behind a point that it had left and that is gone',
    make: makePurgeWidened,
  },
  { name: 'purged-by-size', shows: 'Purge by size: the cut that it has made', make: makePurgedBySize },
  {
    name: 'data-folder',
    shows: 'Several datasets with escaped names, saved views, and a deletion that is remembered',
    make: makeDataFolder,
  },
  {
    name: 'annotations',
    shows: 'Annotations of tags and of the dataset: made, changed and deleted, with and without a name',
    make: makeAnnotations,
  },
  { name: 'late', shows: 'Late points as they came, in blocks, a spill and a journal', make: makeLate },
  {
    name: 'renamed',
    shows: 'Tags that were renamed, once and again, with names that lead to them for good, for a while and not at all',
    make: makeRenamed,
  },
  { name: 'missing-file', shows: 'A tag file that was lost, as the catalog notes it', make: makeMissingFile },
];
