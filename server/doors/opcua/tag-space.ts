// The datasets and tags of the engine as nodes: a folder for each dataset, folders for what stands between slashes in names, a
// variable for each tag. What comes and goes is looked for again and again; beyond a bound tags are left out.

import type { DataValue, HistoryReadDetails, HistoryReadResult, NodeId } from 'node-opcua-client';
import type { OPCUAServer } from 'node-opcua-server';
import type { Engine, TagDefinition, ValueType } from '../../../engine/index.ts';
import { matchesPattern } from '../../patterns/star-pattern.ts';
import { createPacer } from '../../process/pacer.ts';
import { dataTypeOf } from './data-values.ts';
import type { OpcUaServerLibrary } from './library.ts';

type Space = NonNullable<OPCUAServer['engine']['addressSpace']>;
type Namespace = ReturnType<Space['getOwnNamespace']>;
export type Variable = ReturnType<Namespace['addVariable']>;
type Folder = ReturnType<Namespace['addFolder']>;

/** Which tag a node is; a folder has none. */
export interface Place {
  readonly dataset: string;
  readonly tag: string | undefined;
}

export interface TagSpaceOptions {
  readonly library: OpcUaServerLibrary;
  readonly space: Space;
  readonly engine: Engine;
  /** Patterns of names. */
  readonly datasets: readonly string[];
  readonly mostTags: number;
  /** Current value of a tag. */
  readonly read: (place: Place) => DataValue;
  readonly readHistory: (
    place: Place,
    details: HistoryReadDetails,
    continuation: { readonly continuationPoint?: Buffer | null; readonly releaseContinuationPoints?: boolean | null },
    session: unknown,
  ) => Promise<HistoryReadResult>;
}

interface ShownTag {
  readonly variable: Variable;
  readonly type: ValueType;
  readonly description: string | undefined;
  readonly folders: readonly string[];
}

interface ShownFolder {
  readonly node: Folder;
  childCount: number;
}

interface ShownDataset {
  readonly node: Folder;
  readonly tags: Map<string, ShownTag>;
  readonly folders: Map<string, ShownFolder>;
}

const SEPARATOR = '/';
/** CurrentRead and HistoryRead. */
const ACCESS_LEVEL = 0x05;
/** The kind of ids that are texts. */
const STRING_ID = 2;
const SAMPLING_MS = 250;

export class TagSpace {
  readonly #options: TagSpaceOptions;
  readonly #places = new WeakMap<object, Place>();
  readonly #datasets = new Map<string, ShownDataset>();
  readonly #variableOptions: object;
  readonly #historyRead: (...asked: unknown[]) => Promise<HistoryReadResult>;
  #tagCount = 0;

  constructor(options: TagSpaceOptions) {
    this.#options = options;
    const places = this.#places;
    const { client } = options.library;
    const waiting = new client.DataValue({ statusCode: client.StatusCodes.BadWaitingForInitialData });
    // Shared by all variables, each of which is `this`: very many closures would be memory.
    this.#variableOptions = {
      timestamped_get(this: object) {
        const place = places.get(this);
        return place === undefined ? waiting : options.read(place);
      },
    };
    this.#historyRead = async function historyRead(this: object, ...asked: unknown[]) {
      const [context, details, , , continuation] = asked as [
        { session: unknown },
        HistoryReadDetails,
        unknown,
        unknown,
        object,
      ];
      return options.readHistory(places.get(this) as Place, details, continuation, context.session);
    };
  }

  get datasetCount(): number {
    return this.#datasets.size;
  }

  get tagCount(): number {
    return this.#tagCount;
  }

  /** Undefined for nodes that are none of datasets. */
  placeOf(node: object): Place | undefined {
    return this.#places.get(node);
  }

  /** Makes the nodes those of the engine; gives how many tags are left out. */
  async update(isStopped: () => boolean): Promise<number> {
    const { engine, datasets } = this.#options;
    const open = engine.datasets().filter(({ state }) => state !== 'unavailable');
    const shown = open
      .map(({ name }) => name)
      .filter((name) => datasets.some((pattern) => matchesPattern(pattern, name)));
    for (const name of [...this.#datasets.keys()]) if (!shown.includes(name)) await this.#removeDataset(name);
    let leftOut = 0;
    for (const name of shown) {
      if (isStopped()) return leftOut;
      leftOut += await this.#updateDataset(name, isStopped);
    }
    return leftOut;
  }

  async #updateDataset(name: string, isStopped: () => boolean): Promise<number> {
    const dataset = this.#datasets.get(name) ?? this.#addDataset(name);
    const { user } = await this.#options.engine.tags(name, isStopped);
    const pacer = createPacer();
    const gone = new Set(dataset.tags.keys());
    let leftOut = 0;
    for (const tag of user) {
      if (pacer.isDue()) await pacer.yield();
      if (isStopped()) return leftOut;
      gone.delete(tag.name);
      const known = dataset.tags.get(tag.name);
      if (known !== undefined && known.type === tag.type && known.description === tag.description) continue;
      if (known !== undefined) this.#removeTag(dataset, tag.name);
      if (this.#tagCount < this.#options.mostTags) this.#addTag(name, dataset, tag);
      else leftOut++;
    }
    for (const tag of gone) {
      if (pacer.isDue()) await pacer.yield();
      this.#removeTag(dataset, tag);
    }
    return leftOut;
  }

  #addDataset(name: string): ShownDataset {
    const { space } = this.#options;
    const node = this.#own.addFolder(space.rootFolder.objects, { browseName: name, nodeId: this.#idOf(name) });
    this.#places.set(node, { dataset: name, tag: undefined });
    const dataset = { node, tags: new Map(), folders: new Map() };
    this.#datasets.set(name, dataset);
    return dataset;
  }

  async #removeDataset(name: string): Promise<void> {
    const dataset = this.#datasets.get(name) as ShownDataset;
    const pacer = createPacer();
    for (const tag of dataset.tags.keys()) {
      if (pacer.isDue()) await pacer.yield();
      this.#removeTag(dataset, tag);
    }
    this.#own.deleteNode(dataset.node);
    this.#datasets.delete(name);
  }

  #addTag(name: string, dataset: ShownDataset, { name: tag, type, description }: TagDefinition): void {
    const parts = tag.split(SEPARATOR);
    // Names with nothing between slashes have no folders.
    const path = parts.includes('') ? [tag] : parts;
    const folders = path.slice(0, -1).map((_, index) => path.slice(0, index + 1).join(SEPARATOR));
    const parent = this.#openFolders(name, dataset, folders);
    const variable = this.#own.addVariable({
      browseName: path.at(-1) ?? tag,
      nodeId: this.#idOf(`${name}/${tag}`),
      organizedBy: parent,
      dataType: dataTypeOf(type),
      ...(description !== undefined && { description }),
      accessLevel: ACCESS_LEVEL,
      userAccessLevel: ACCESS_LEVEL,
      historizing: true,
      minimumSamplingInterval: SAMPLING_MS,
      value: this.#variableOptions,
    });
    this.#places.set(variable, { dataset: name, tag });
    Object.assign(variable, { historyRead: this.#historyRead });
    dataset.tags.set(tag, { variable, type, description, folders });
    this.#tagCount++;
  }

  /** The last of the folders, or the dataset's. */
  #openFolders(name: string, dataset: ShownDataset, folders: readonly string[]): Folder {
    let parent = dataset.node;
    for (const path of folders) {
      let folder = dataset.folders.get(path);
      if (folder === undefined) {
        const browseName = path.slice(path.lastIndexOf(SEPARATOR) + 1);
        // A colon: no tag has the id of a folder.
        const node = this.#own.addFolder(parent, { browseName, nodeId: this.#idOf(`${name}:${path}`) });
        this.#places.set(node, { dataset: name, tag: undefined });
        folder = { node, childCount: 0 };
        dataset.folders.set(path, folder);
      }
      folder.childCount++;
      parent = folder.node;
    }
    return parent;
  }

  #removeTag(dataset: ShownDataset, tag: string): void {
    const shown = dataset.tags.get(tag);
    if (shown === undefined) return;
    dataset.tags.delete(tag);
    this.#tagCount--;
    this.#own.deleteNode(shown.variable);
    for (const path of [...shown.folders].reverse()) {
      const folder = dataset.folders.get(path);
      if (folder === undefined || --folder.childCount > 0) continue;
      this.#own.deleteNode(folder.node);
      dataset.folders.delete(path);
    }
  }

  get #own(): Namespace {
    return this.#options.space.getOwnNamespace();
  }

  #idOf(text: string): NodeId {
    const { client } = this.#options.library;
    return new client.NodeId(STRING_ID, text, this.#own.index);
  }
}
