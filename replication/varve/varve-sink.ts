// Copies datasets to another Varve, over its HTTP API: a reader of it needs nothing else, and sees points in their place.

import { formatDataset } from '../documents.ts';
import { NameTaken } from '../job/copy-faults.ts';
import { CORRECTIONS_TAG, LogEntries } from '../log-entries.ts';
import {
  type Batch,
  type CopiedDataset,
  type CopyState as CopiedState,
  type DatasetDocument,
  type KeptPoints,
  type OtherCopy,
  PassingFailure,
  type Sink,
  type TagDocument,
} from '../sink.ts';
import { takeLog } from './copy-cuts.ts';
import { putPoints } from './copy-points.ts';
import { CopyState } from './copy-state.ts';
import { acceptLate, mendTypes, putTags } from './copy-tags.ts';
import type { VarveAddress } from './http/address.ts';
import { Refused } from './http/faults.ts';
import { Historian, pathOf } from './http/historian.ts';
import { keyOf, Ledger, ledgerName, ledgerOwner } from './ledger.ts';

const NOTHING: CopiedState = { revision: 0, ordinals: new Map() };

type WrittenDataset = DatasetDocument & CopiedDataset;

interface OpenCopy {
  readonly state: CopyState;
  readonly log: LogEntries;
}

export class VarveSink implements Sink {
  readonly name: string;
  readonly pace = { lingerMs: 500, heartbeatMs: 15_000 };
  readonly #historian: Historian;
  readonly #corrections: VarveAddress['corrections'];
  readonly #nowMs: () => number;
  /** By identity, until a request for one fails. */
  readonly #open = new Map<string, OpenCopy>();

  constructor(address: VarveAddress, nowMs: () => number = Date.now) {
    this.#historian = new Historian(address);
    this.#corrections = address.corrections;
    this.#nowMs = nowMs;
    this.name = address.text;
  }

  /** Rejects where the other end is no Varve, or the token is not for writing and deleting. */
  async open(): Promise<void> {
    const caller = await this.#historian.ask<{ role?: string }>({ method: 'GET', path: '/auth/caller' });
    if (caller?.role === 'admin') return;
    throw new Error(
      `${this.name}: the token has the role '${caller?.role}'; a copy needs admin, to remove points, tags and datasets that are removed here.`,
    );
  }

  async datasets(): Promise<readonly OtherCopy[]> {
    const found: OtherCopy[] = [];
    for (const name of await this.#names()) {
      const owner = ledgerOwner(name);
      const written = owner === undefined ? undefined : readDocument(await this.#ledger(owner));
      if (written === undefined) continue;
      const { name: copied, identity, edge, isDeleted } = written;
      // An edge that ended meanwhile has removed a part of it.
      if (isDeleted) await this.#remove({ name: copied, identity });
      else found.push({ name: copied, identity, edge, isDeleted });
    }
    return found;
  }

  async stateOf(dataset: CopiedDataset): Promise<CopiedState> {
    const copy = isLedger(dataset) ? undefined : await this.#find(dataset);
    if (copy === undefined) return NOTHING;
    const { ledger } = copy.state;
    const ordinals = new Map([[CORRECTIONS_TAG, copy.log.next]]);
    for (const { id, lateOf } of copy.state.tags())
      ordinals.set(id, ledger.number(keyOf(lateOf === undefined ? 'at' : 'done', id)));
    return { revision: readDocument(ledger)?.revision ?? 0, ordinals };
  }

  async putDataset(dataset: CopiedDataset, document: DatasetDocument): Promise<void> {
    if (isLedger(dataset)) return;
    if (document.isDeleted) return this.#bury(dataset, document);
    const copy = await this.#find(dataset);
    await this.#orForget(dataset, async () => {
      const { ledger } = copy?.state ?? { ledger: await this.#create(dataset, document) };
      const known = readDocument(ledger)?.revision ?? 0;
      if (document.revision >= known) await ledger.note([['dataset', writeDocument(dataset, document)]]);
      const state = copy?.state ?? (await this.#find(dataset))?.state;
      if (state && document.rules.late === 'accept') await acceptLate(state);
    });
  }

  putTags(dataset: CopiedDataset, documents: readonly TagDocument[], kept: KeptPoints): Promise<void> {
    return this.#using(dataset, ({ state }) => putTags(state, documents, kept));
  }

  putPoints(dataset: CopiedDataset, batch: Batch): Promise<void> {
    const corrections = this.#corrections;
    return this.#using(dataset, async ({ state, log }) => {
      const runs = batch.runs.filter(({ tag }) => tag.isSystem && tag.id === CORRECTIONS_TAG);
      await takeLog(state, log, { batch, runs, corrections });
      await putPoints(state, batch);
    });
  }

  async close(): Promise<void> {}

  async #using(dataset: CopiedDataset, work: (copy: OpenCopy) => Promise<void>): Promise<void> {
    if (isLedger(dataset)) return;
    const copy = await this.#find(dataset);
    if (copy === undefined)
      throw new Error(`${this.name} has lost the copy '${dataset.name}': restart this server to send all of it again.`);
    await this.#orForget(dataset, () => work(copy));
  }

  /** What is known of a copy does not hold after a failure. */
  async #orForget(dataset: CopiedDataset, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#open.delete(dataset.identity);
      // Tags or the dataset were deleted there: the next try finds out, and says so.
      if (error instanceof Refused && error.status === 404) throw new PassingFailure(error.message, { cause: error });
      throw error;
    }
  }

  /** Undefined: there is no copy yet. Rejects with NameTaken where there is something else of its name. */
  async #find(dataset: CopiedDataset): Promise<OpenCopy | undefined> {
    const known = this.#open.get(dataset.identity);
    if (known) return known;
    const names = await this.#names();
    const ledger = names.has(ledgerName(dataset.name)) ? await this.#ledger(dataset.name) : undefined;
    const written = ledger && readDocument(ledger);
    if (ledger === undefined || written === undefined) {
      if (names.has(dataset.name)) throw this.#taken(dataset, 'that is no copy');
      return undefined;
    }
    if (written.isDeleted) {
      await this.#remove(dataset);
      return undefined;
    }
    if (written.identity !== dataset.identity) throw this.#taken(dataset, `that is a copy of another one`);
    const state = await CopyState.open(this.#historian, dataset, ledger);
    await this.#prepare(state, names.has(dataset.name));
    const copy = { state, log: new LogEntries(ledger.number('log')) };
    this.#open.set(dataset.identity, copy);
    return copy;
  }

  async #prepare(state: CopyState, isThere: boolean): Promise<void> {
    const { dataset, ledger } = state;
    if (!isThere) {
      for (const { id } of state.tags())
        if (ledger.number(keyOf('at', id)) > 0)
          throw new Error(
            `${this.name}: dataset '${dataset.name}' was deleted there. To have it again, delete '${ledgerName(dataset.name)}' there as well, and restart this server.`,
          );
      await this.#createDataset(dataset);
    }
    await state.loadTypes();
    await mendTypes(state);
  }

  /** The ledger first: a dataset without one is no copy. */
  async #create(dataset: CopiedDataset, document: DatasetDocument): Promise<Ledger> {
    await this.#checkNoCircle(dataset, document);
    const ledger = new Ledger(this.#historian, dataset.name, this.#nowMs);
    await ledger.create();
    await ledger.note([['dataset', writeDocument(dataset, document)]]);
    await this.#createDataset(dataset);
    return ledger;
  }

  /** Purge there is a matter of whoever runs it. */
  async #createDataset({ name }: CopiedDataset): Promise<void> {
    const body = JSON.stringify({ n: name, pa: 0, ps: 0 });
    await this.#historian.ask({ method: 'POST', path: '/api/datasets', body });
  }

  /** A server that is its own target would copy each copy again. */
  async #checkNoCircle({ name }: CopiedDataset, { edge }: DatasetDocument): Promise<void> {
    for (const other of await this.datasets())
      if (other.edge === edge && name.endsWith(`.${other.name}`))
        throw new NameTaken(`${this.name} is this server: '${name}' would be a copy of its own copy.`);
  }

  /** Noted first: whatever ends in between, the rest of it is removed later. */
  async #bury(dataset: CopiedDataset, document: DatasetDocument): Promise<void> {
    this.#open.delete(dataset.identity);
    if (!(await this.#names()).has(ledgerName(dataset.name))) return;
    const ledger = await this.#ledger(dataset.name);
    const written = readDocument(ledger);
    // It was made, and the answer was lost: the dataset itself comes later.
    if (written === undefined) return this.#historian.ask({ method: 'DELETE', path: pathOf(ledgerName(dataset.name)) });
    if (written.identity !== dataset.identity) return;
    await ledger.note([['dataset', writeDocument(dataset, document)]]);
    await this.#remove(dataset);
  }

  async #remove({ name }: CopiedDataset): Promise<void> {
    const names = await this.#names();
    for (const gone of [name, ledgerName(name)])
      if (names.has(gone)) await this.#historian.ask({ method: 'DELETE', path: pathOf(gone) });
  }

  async #names(): Promise<ReadonlySet<string>> {
    const listed = await this.#historian.ask<{ n: string }[]>({ method: 'GET', path: '/api/datasets' });
    return new Set(listed.map(({ n }) => n));
  }

  async #ledger(dataset: string): Promise<Ledger> {
    const ledger = new Ledger(this.#historian, dataset, this.#nowMs);
    await ledger.load();
    return ledger;
  }

  #taken({ name }: CopiedDataset, what: string): NameTaken {
    return new NameTaken(
      `${this.name} has a dataset '${name}' ${what}. Give this edge a --site of its own, or remove the dataset there, and '${ledgerName(name)}' with it.`,
    );
  }
}

/** What is noted of copies that a server holds is not copied on. */
function isLedger({ name }: CopiedDataset): boolean {
  return ledgerOwner(name) !== undefined;
}

function readDocument(ledger: Ledger): WrittenDataset | undefined {
  const text = ledger.text('dataset');
  return text === undefined ? undefined : (JSON.parse(text) as WrittenDataset);
}

function writeDocument({ name, identity }: CopiedDataset, document: DatasetDocument): string {
  return JSON.stringify({ ...(JSON.parse(formatDataset(document)) as DatasetDocument), name, identity });
}
