// What kinds of things the format has, by the code, and which of them were seen in files.

import { AnnotationFlag, AnnotationRecord } from '../../../engine/annotations/annotation-record.ts';
import { BlockFlag } from '../../../engine/format/block/block-header.ts';
import { BigintForm } from '../../../engine/format/columns/bigint-column.ts';
import { NumberForm } from '../../../engine/format/columns/number-column.ts';
import { RUNS } from '../../../engine/format/integers/integer-column.ts';
import { Packer } from '../../../engine/format/integers/integer-packers.ts';
import { Predictor } from '../../../engine/format/integers/integer-predictors.ts';
import { LAYOUTS } from '../../../engine/format/layouts.ts';
import { CatalogFileFlag, CatalogRecord, CatalogValue } from '../../../engine/format/record/catalog-record.ts';
import { DefinitionFlag, FormerNameFlag } from '../../../engine/format/record/definition-codec.ts';
import { Operation } from '../../../engine/format/record/journal-record.ts';
import { plainCoding, wordBytesOf } from '../../../engine/format/record/plain-words.ts';
import * as runCoding from '../../../engine/format/record/run-coding.ts';
import { MAX_PLAIN_DECIMALS, ValueType } from '../../../engine/types.ts';

type Codes = Readonly<Record<string, number | string>>;

/** Sizes of words that a coding has room for. */
const WORD_SIZES = 8;

const { MAX_DECIMALS, RAW, BIGINT, TEXT, ...others } = runCoding;
const RUN_FLAGS = Object.fromEntries(
  Object.entries(others).filter(([name, code]) => typeof code === 'number' && /^(NEXT|SAME|HAS)_/.test(name)),
) as Codes;

/** What no code of its own tells apart. */
export const Variant = {
  StatisticsLacking: 'a block without statistics',
  TagFileSealed: 'a tag file with an index',
  TagFileOpen: 'a tag file without an index',
  PagePacked: 'a packed page',
  PageStored: 'a stored page',
  RecordUnsynced: 'a record made while others were not synced',
  EntropyLowBits: 'entropy packing with low bits',
  EntropyWhole: 'entropy packing without low bits',
  RadixRest: 'radix packing with a shorter word at the end',
  BigintUnit: 'differences in a unit above 1',
  CatalogCut: 'a tag with a cut in the catalog',
  CatalogTie: 'a tag with several newest points in the catalog',
  CatalogPurged: 'a tag with a first ordinal left in the catalog',
  CatalogPurgedTime: 'a tag with the time of the first point left in the catalog',
  DeletedTag: 'a deleted tag in the catalog',
} as const;

const DATASET_FIELDS = [
  'late',
  ...['format', 'purgeAgeDays', 'purgeSizeGb', 'lateToleranceMs', 'lateAgeDays', 'purgedBeforeMs'],
  ...['systemPurgedBeforeMs', 'sizePurgedBeforeMs', 'liftedBeforeMs', 'liftedSequence', 'crc'],
];
const FILES = ['dataset.json', 'catalog', 'journal', 'spill', 'tags', 'annotations', '.deletions.json', '.views'];

/** Every kind that there is. */
export const KNOWN_KINDS = {
  file: named(FILES),
  layout: named(LAYOUTS.map(({ name }) => name)),
  predictor: Predictor,
  packer: Packer,
  runs: { Runs: RUNS },
  numberForm: NumberForm,
  bigintForm: BigintForm,
  blockFlag: BlockFlag,
  blockType: ValueType,
  operation: Operation,
  runFlag: RUN_FLAGS,
  runCoding: { ...numbered(MAX_DECIMALS, 'decimals'), RAW, BIGINT, TEXT },
  runType: ValueType,
  plainDecimals: numbered(MAX_PLAIN_DECIMALS, 'decimals'),
  plainWords: wordSizes(),
  definitionFlag: DefinitionFlag,
  formerNameFlag: FormerNameFlag,
  catalogRecord: CatalogRecord,
  catalogValue: CatalogValue,
  catalogFileFlag: CatalogFileFlag,
  datasetField: named(DATASET_FIELDS),
  annotationRecord: AnnotationRecord,
  annotationFlag: AnnotationFlag,
  variant: Variant,
} as const satisfies Readonly<Record<string, Codes>>;

export type KindList = keyof typeof KNOWN_KINDS;

function named(names: readonly string[]): Codes {
  return Object.fromEntries(names.map((name) => [name, name]));
}

function numbered(most: number, unit: string): Codes {
  return Object.fromEntries(Array.from({ length: most + 1 }, (_, i) => [`${i} ${unit}`, i]));
}

/** By what the code takes for a size. */
function wordSizes(): Codes {
  const sizes = Array.from({ length: WORD_SIZES }, (_, size) => [size, wordBytesOf(plainCoding(0, size))] as const);
  return Object.fromEntries(sizes.filter(([, bytes]) => bytes > 0).map(([size, bytes]) => [`${bytes} bytes`, size]));
}

/** Takes note of kinds as files are walked. */
export class SeenKinds {
  readonly #seen = new Map<KindList, Set<number | string>>();

  see(list: KindList, code: number | string): void {
    const codes = this.#seen.get(list) ?? new Set();
    this.#seen.set(list, codes.add(code));
  }

  /** Each bit that is set. */
  seeFlags(list: KindList, flags: number): void {
    for (let bit = 1; bit <= flags; bit *= 2) if (flags & bit) this.see(list, bit);
  }

  has(list: KindList, code: number | string): boolean {
    return this.#seen.get(list)?.has(code) ?? false;
  }

  /** Known kinds that were not seen, as texts. */
  missing(): string[] {
    return this.#compare((list, codes) => Object.entries(codes).filter(([, code]) => !this.has(list, code)));
  }

  /** What was seen and is not known: the walk, or the lists, are wrong. */
  unknown(): string[] {
    return this.#compare((list, codes) => {
      const known = new Set<number | string>(Object.values(codes));
      return [...(this.#seen.get(list) ?? [])].filter((code) => !known.has(code)).map((code) => [String(code), code]);
    });
  }

  #compare(find: (list: KindList, codes: Codes) => readonly (readonly [string, unknown])[]): string[] {
    return Object.entries(KNOWN_KINDS).flatMap(([list, codes]) =>
      find(list as KindList, codes).map(([name]) => `${list} ${name}`),
    );
  }
}
