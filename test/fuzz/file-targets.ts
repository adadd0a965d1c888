// Fuzzed: the files of a dataset. Checksums stop nearly every damage, so the decoders behind them are also given changed
// bytes as if a checksum had passed: a forged file, or one damaged before its checksum was made.

import { readFileSync } from 'node:fs';
import { readAnnotations } from '../../engine/annotations/annotation-reader.ts';
import { decodeChange } from '../../engine/annotations/annotation-record.ts';
import { readCatalog } from '../../engine/files/catalog-file.ts';
import { readDatasetFile } from '../../engine/files/dataset-file.ts';
import { decodeVerifiedBlock } from '../../engine/format/block/block.ts';
import { decodeBlockHeader } from '../../engine/format/block/block-header.ts';
import { decodeIndexFooter } from '../../engine/format/block/block-index.ts';
import { ByteReader } from '../../engine/format/bytes/byte-cursors.ts';
import { ANNOTATIONS_HEADER, FORMAT_VERSION } from '../../engine/format/bytes/file-headers.ts';
import { decodeFrame } from '../../engine/format/bytes/frame.ts';
import { decodeCatalogRecord } from '../../engine/format/record/catalog-record.ts';
import { decodeRecord } from '../../engine/format/record/journal-record.ts';
import { EngineError, PointColumns } from '../../engine/index.ts';
import { readJournal } from '../../engine/journal/journal-reader.ts';
import { diskOf, withFile } from '../corruption/disk-image.ts';
import { FOLDER } from '../corruption/plant.ts';
import { makeScenarios, pathsOf, type Scenarios } from '../corruption/scenarios.ts';
import { judge, type SoundPlant } from '../corruption/verdict.ts';
import { goldenFolder } from '../golden/golden-folders.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { type FilePart, partsOf } from './file-parts.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { mutateBytes } from './mutate.ts';

const MOST_POINTS = 1024;

function isDeclared(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'CORRUPT';
}

function sameSize(part: FilePart, random: SeededRandom): Uint8Array {
  return mutateBytes(part.bytes, random, 'in place');
}

const IGNORE = { define: () => {}, delete: () => {}, deletion: () => {}, run: () => {} };

/** Targets over the files of one sound dataset. */
export async function makeFileTargets(): Promise<FuzzTarget[]> {
  const scenarios = await makeScenarios();
  return [...decoderTargets(scenarios), ...fileTargets(scenarios), ...annotationTargets()];
}

function annotationTargets(): FuzzTarget[] {
  const golden = goldenFolder(FORMAT_VERSION, 'annotations');
  const file = new Uint8Array(readFileSync(`${golden.data}/d/annotations`));
  const { identity } = readAnnotations(file);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const records: Uint8Array[] = [];
  for (let at = ANNOTATIONS_HEADER.sizeBytes; at < file.length; ) {
    const { payloadStart, payloadEnd } = decodeFrame(file, view, at, identity);
    records.push(file.subarray(payloadStart, payloadEnd));
    at = payloadEnd;
  }
  return [
    {
      name: 'annotations behind their checksum',
      isDeclared,
      run: (random) => {
        const { kind } = decodeChange(new ByteReader(mutateBytes(random.pick(records), random, 'any')));
        if (kind !== 'keep' && kind !== 'delete') throw new Error(`got a change of kind ${String(kind)}`);
      },
    },
    {
      name: 'annotations',
      isDeclared,
      run: (random) => {
        let count = 0;
        for (const { kind } of readAnnotations(mutateBytes(file, random, 'any')).entries)
          if (kind === 'record') count++;
        // A changed file may repeat what was there, never make up more.
        if (count > 4 * records.length) throw new Error(`got ${count} records; there were ${records.length}`);
      },
    },
  ];
}

function decoderTargets({ killed, stopped }: Scenarios): FuzzTarget[] {
  const parts = [...partsOf(killed), ...partsOf(stopped)];
  const of = (kind: FilePart['kind']): FilePart[] => {
    const found = parts.filter((part) => part.kind === kind);
    if (found.length === 0) throw new Error(`BUG: the plant has no ${kind}`);
    return found;
  };
  const records = of('journal record');
  const catalogs = of('catalog record');
  const blocks = of('block');
  const footers = of('index footer');
  const scratch = new PointColumns(64);
  return [
    {
      name: 'journal records behind their checksum',
      isDeclared,
      run: (random) => {
        const bytes = mutateBytes(random.pick(records).bytes, random, 'any');
        decodeRecord(bytes, 0, bytes.length, scratch, IGNORE);
      },
    },
    {
      name: 'catalog records behind their checksum',
      isDeclared,
      run: (random) => {
        const bytes = mutateBytes(random.pick(catalogs).bytes, random, 'any');
        decodeCatalogRecord(new ByteReader(bytes, 0, bytes.length));
      },
    },
    {
      name: 'block payloads behind their checksum',
      isDeclared,
      run: (random) => {
        const { bytes } = random.pick(blocks);
        const header = decodeBlockHeader(bytes, 0);
        const changed = bytes.slice();
        changed.set(mutateBytes(bytes.subarray(header.headerBytes), random, 'in place'), header.headerBytes);
        const target = new PointColumns(MOST_POINTS);
        decodeVerifiedBlock(changed, 0, header, target);
        if (target.count !== header.pointCount)
          throw new Error(`got ${target.count} points; want ${header.pointCount}`);
      },
    },
    {
      name: 'block headers',
      isDeclared,
      run: (random) => void decodeBlockHeader(sameSize(random.pick(blocks), random), 0),
    },
    {
      name: 'index footers',
      isDeclared,
      run: (random) => void decodeIndexFooter(sameSize(random.pick(footers), random), random.below(100_000)),
    },
  ];
}

function fileTargets({ killed, stopped }: Scenarios): FuzzTarget[] {
  const catalog = `${FOLDER}/catalog`;
  const datasetFile = `${FOLDER}/dataset.json`;
  const journal = pathsOf(killed).journals[0] ?? '';
  const changed = (plant: SoundPlant, path: string, random: SeededRandom) =>
    diskOf(withFile(plant.image, path, mutateBytes(plant.image.get(path) as Uint8Array, random, 'any')));
  return [
    { name: 'catalog', isDeclared, run: (random) => void readCatalog(changed(stopped, catalog, random), FOLDER) },
    {
      name: 'dataset.json',
      isDeclared,
      run: (random) => void readDatasetFile(changed(stopped, datasetFile, random), FOLDER),
    },
    {
      name: 'journal',
      isDeclared,
      run: (random) => void readJournal(changed(killed, journal, random), `${FOLDER}/journal`, journalNumber(journal)),
    },
    wholeDataset('every file of a killed dataset, opened and read', killed),
    wholeDataset('every file of a stopped dataset, opened and read', stopped),
  ];
}

function journalNumber(path: string): number {
  return Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 10);
}

/** A file changed in several places: nothing wrong is read, nothing is missing that is whole, what is missing is said. */
function wholeDataset(name: string, plant: SoundPlant): FuzzTarget {
  const paths = [...plant.image.keys()].filter((path) => path.startsWith(FOLDER));
  return {
    name,
    isDeclared: () => false,
    run: async (random) => {
      const path = random.pick(paths);
      const original = plant.image.get(path) as Uint8Array;
      const bytes = mutateBytes(original, random, 'in place');
      if (Buffer.compare(bytes, original) === 0) return;
      await judge(plant, { path, what: 'changed at random', bytes });
    },
  };
}
