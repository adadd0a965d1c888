// The views of one server: what the list needs in memory, what they show in a file each. One write at a time goes to the
// disk, and clients take turns: views must not keep the threads that the journals are synced on.

import { randomBytes } from 'node:crypto';
import { ProblemError } from '../problem.ts';
import { WriteTurns } from '../process/write-turns.ts';
import { MAX_VIEWS, VIEW_ID_FORM, type View, type ViewDefinition, type ViewHead } from './view.ts';
import type { ViewDisk } from './view-disk.ts';
import { formatViewFile, parseViewFile, ViewFileFault } from './view-file.ts';
import { damagedView, notRemoved, notSaved, toReadProblem } from './view-problems.ts';

const ID_BYTES = 10;
/** Files that are read at a time at the start. */
const READERS = 8;

export interface ViewStoreOptions {
  readonly disk: ViewDisk;
  readonly nowMs: () => number;
  /** Views are not saved while less is free on the disk. */
  readonly reserveBytes: number;
  /** Told of each file that is left alone. */
  readonly onLeftAlone: (file: string, reason: string) => void;
}

/** What is to be saved: the definition, who saves it, and the content as JSON text. */
export interface NewView {
  readonly definition: ViewDefinition;
  readonly owner: string | undefined;
  readonly content: string;
}

export interface ViewChange {
  readonly definition: ViewDefinition;
  readonly content: string;
}

/** Says whether a change may be made to a view of this revision, by throwing when not. */
export type RevisionCheck = (revision: number) => void;

export class ViewStore {
  readonly #options: ViewStoreOptions;
  readonly #heads = new Map<string, ViewHead>();
  readonly #turns = new WriteTurns('views');

  private constructor(options: ViewStoreOptions) {
    this.#options = options;
  }

  /** Reads all views. What cannot be read is told, left alone and not served; never rejects for it. */
  static async open(options: ViewStoreOptions): Promise<ViewStore> {
    const store = new ViewStore(options);
    await store.#load();
    return store;
  }

  /** In no particular order. */
  heads(): ViewHead[] {
    return [...this.#heads.values()];
  }

  /** Throws a 404. */
  head(id: string): ViewHead {
    const head = this.#heads.get(id);
    if (head !== undefined) return head;
    throw new ProblemError(404, `There is no view '${id.slice(0, 100)}'; it may have been deleted.`, {
      key: 'Error.ViewNotFound',
    });
  }

  /** Throws a 404, or a 500 when its file has been damaged since the start. */
  async read(id: string): Promise<View> {
    this.head(id);
    try {
      return parseViewFile(await this.#options.disk.read(id), id);
    } catch (error) {
      this.head(id); // It may have been deleted meanwhile.
      throw error instanceof ViewFileFault ? damagedView(error) : toReadProblem(error);
    }
  }

  /** Durable when it resolves. Throws a 409 when there are too many, 507 when the disk is full. */
  create({ definition, owner, content }: NewView, holder: string): Promise<ViewHead> {
    return this.#turns.run(holder, () => {
      if (this.#heads.size >= MAX_VIEWS) throw tooManyViews();
      const id = randomBytes(ID_BYTES).toString('hex');
      const head = { id, ...definition, ...(owner === undefined ? {} : { owner }), changed: this.#now(), revision: 1 };
      return this.#save({ head, content });
    });
  }

  /** The owner stays. Durable when it resolves. Throws a 404, what `check` throws, or a 507. */
  change(id: string, { definition, content }: ViewChange, check: RevisionCheck, holder: string): Promise<ViewHead> {
    return this.#turns.run(holder, () => {
      const old = this.head(id);
      check(old.revision);
      const head = { ...old, ...definition, changed: this.#now(), revision: old.revision + 1 };
      return this.#save({ head, content });
    });
  }

  /** What was deleted; durable when it resolves. Throws a 404, or what `check` throws. */
  delete(id: string, check: RevisionCheck, holder: string): Promise<ViewHead> {
    return this.#turns.run(holder, async () => {
      const head = this.head(id);
      check(head.revision);
      try {
        await this.#options.disk.remove(id);
        this.#heads.delete(id);
        await this.#options.disk.sync();
      } catch (error) {
        throw notRemoved(error);
      }
      return head;
    });
  }

  async #save(view: View): Promise<ViewHead> {
    const { disk, reserveBytes } = this.#options;
    try {
      const bytes = formatViewFile(view);
      if ((await disk.freeBytes()) - bytes.length < reserveBytes) throw notSaved('too little is free');
      await disk.replace(view.head.id, bytes);
      // From here on reads give this version, whether or not it is durable.
      this.#heads.set(view.head.id, view.head);
      await disk.sync();
    } catch (error) {
      throw notSaved(error);
    }
    return view.head;
  }

  #now(): string {
    return new Date(this.#options.nowMs()).toISOString();
  }

  async #load(): Promise<void> {
    const { disk, onLeftAlone } = this.#options;
    let names: string[];
    try {
      names = await disk.list();
    } catch (error) {
      onLeftAlone('.', reasonOf(error));
      return;
    }
    const next = names.values();
    const readers = Array.from({ length: READERS }, async () => {
      for (const name of next) await this.#loadOne(name);
    });
    await Promise.all(readers);
  }

  async #loadOne(name: string): Promise<void> {
    const { disk, onLeftAlone } = this.#options;
    try {
      if (!VIEW_ID_FORM.test(name)) throw new ViewFileFault('its name is not that of a view');
      const { head } = parseViewFile(await disk.read(name), name);
      this.#heads.set(name, head);
    } catch (error) {
      onLeftAlone(`${name}.json`, reasonOf(error));
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function tooManyViews(): ProblemError {
  const detail = `There are ${MAX_VIEWS} views, as many as there can be; delete one first.`;
  return new ProblemError(409, detail, { key: 'Error.TooManyViews' });
}
