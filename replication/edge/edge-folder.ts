// What an edge keeps of its copies: who it is, and a file of positions for each dataset. Inside the data folder, so that it is
// backed up and moved with it; datasets' folders do not begin with a dot.

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../disk/folders.ts';
import { replaceFileSync } from '../../disk/whole-files.ts';
import type { CopiedDataset } from '../sink.ts';
import { PositionsFile, readPositionsHead } from './positions-file.ts';

const FOLDER = '.centre';
const EDGE_FILE = 'edge';
const ENDING = '.positions';
const IDENTITY = /^[0-9a-f]{32}$/;

export class EdgeFolder {
  readonly #path: string;
  /** 32 hexadecimal digits, the same for as long as the folder is there. */
  readonly edge: string;

  /** Throws the system's error. */
  constructor(dataFolder: string) {
    this.#path = join(dataFolder, FOLDER);
    makeFolders(this.#path);
    this.edge = this.#readEdge() ?? this.#makeEdge();
  }

  positions(dataset: CopiedDataset, sink: string): PositionsFile {
    return new PositionsFile(join(this.#path, `${dataset.identity}${ENDING}`), dataset, sink);
  }

  /** Datasets of which a sink has, or had, a copy by this edge, as far as files tell. */
  copied(sink: string): CopiedDataset[] {
    const known: CopiedDataset[] = [];
    for (const name of readdirSync(this.#path)) {
      const head = name.endsWith(ENDING) ? readPositionsHead(join(this.#path, name)) : undefined;
      if (head?.sink === sink) known.push({ name: head.name, identity: head.identity });
    }
    return known;
  }

  #readEdge(): string | undefined {
    const path = join(this.#path, EDGE_FILE);
    const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    return IDENTITY.test(text) ? text : undefined;
  }

  #makeEdge(): string {
    const edge = randomBytes(16).toString('hex');
    replaceFileSync(join(this.#path, EDGE_FILE), Buffer.from(`${edge}\n`));
    return edge;
  }
}
