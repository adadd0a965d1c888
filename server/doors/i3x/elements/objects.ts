// Objects: what stands in answers for datasets, folders and tags, and finding them for a caller. What the caller may not read is
// not there.

import { formatValueType, type TagDefinition, type TagSequence, ValueType } from '../../../../engine/index.ts';
import type { Caller } from '../../../auth/rules/caller.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import { createPacer } from '../../../process/pacer.ts';
import type { Service } from '../../../routes/service/service.ts';
import { findTag } from '../../readable/readable-tags.ts';
import { displayName, type Element, foldersOf, idOf, parentOf, parseElementId } from './element-ids.ts';
import { TYPE_NAMESPACE, typeIdOf } from './type-lists.ts';

export interface Found {
  readonly element: Element;
  /** Definition of a tag; other elements have none. */
  readonly tag?: TagDefinition;
}

/** Objects as one request sees them: the tags of a dataset are listed once. */
export class Objects {
  readonly #service: Service;
  readonly #caller: Caller;
  readonly #isAborted: () => boolean;
  readonly #tags = new Map<string, Promise<TagSequence>>();

  constructor(service: Service, { caller, request }: Pick<RouteContext, 'caller' | 'request'>) {
    this.#service = service;
    this.#caller = caller;
    this.#isAborted = () => request.aborted;
  }

  /** Undefined when there is no such object for the caller. */
  async find(id: string): Promise<Found | undefined> {
    const element = parseElementId(id);
    if (element === undefined || !this.isReadable(element.dataset)) return undefined;
    if (element.kind === 'dataset') return { element };
    if (element.kind === 'folder')
      return (await this.#isFolder(element.dataset, element.path)) ? { element } : undefined;
    return this.findTag(element.dataset, element.tag);
  }

  /** The same for tags alone, at once. */
  findTag(dataset: string, name: string): Found | undefined {
    const { engine } = this.#service;
    if (name.startsWith('$System.') || !this.isReadable(dataset)) return undefined;
    const tag = findTag(engine, dataset, name);
    // A system tag that answers to the name is no object.
    const isUserTag = tag !== undefined && tag.name === name && engine.lookup(dataset).find(name) !== undefined;
    return isUserTag ? { element: { kind: 'tag', dataset, tag: name }, tag } : undefined;
  }

  isReadable(dataset: string): boolean {
    return this.#caller.may('read', dataset) && this.#service.engine.hasDataset(dataset);
  }

  /** Sorted by name. */
  tags(dataset: string): Promise<TagSequence> {
    const known = this.#tags.get(dataset);
    if (known !== undefined) return known;
    const listed = this.#service.engine.tags(dataset, this.#isAborted).then(({ user }) => user);
    this.#tags.set(dataset, listed);
    return listed;
  }

  /** Every object below a dataset, folders before what is in them; of a path, those in it. */
  async *below(dataset: string, path = ''): AsyncGenerator<Found> {
    const pacer = createPacer();
    const tags = await this.tags(dataset);
    let open: readonly string[] = [];
    for (const tag of tags.from(path)) {
      if (!tag.name.startsWith(path) || this.#isAborted()) return;
      const folders = foldersOf(tag.name);
      for (const folder of folders) {
        if (!open.includes(folder) && folder.length > path.length)
          yield { element: { kind: 'folder', dataset, path: folder } };
      }
      open = folders;
      yield { element: { kind: 'tag', dataset, tag: tag.name }, tag };
      if (pacer.isDue()) await pacer.yield();
    }
  }

  /** What hangs of an element. */
  async *children(element: Element): AsyncGenerator<Found> {
    if (element.kind === 'tag') return;
    const id = idOf(element);
    for await (const found of this.below(element.dataset, element.kind === 'folder' ? element.path : '')) {
      const parent = parentOf(found.element);
      if (parent !== undefined && idOf(parent) === id) yield found;
    }
  }

  async #isFolder(dataset: string, path: string): Promise<boolean> {
    const tags = await this.tags(dataset);
    const pacer = createPacer();
    for (const { name } of tags.from(path)) {
      if (!name.startsWith(path) || this.#isAborted()) return false;
      if (foldersOf(name).includes(path)) return true;
      // `a//b` begins with `a/` and is in no folder of that name.
      if (pacer.isDue()) await pacer.yield();
    }
    return false;
  }
}

export function typeOf({ element, tag }: Found): string {
  if (element.kind === 'dataset') return 'varve.Dataset';
  return element.kind === 'folder' ? 'varve.Folder' : typeIdOf(tag?.type ?? ValueType.Open);
}

/** The object as JSON. */
export function formatObject(found: Found, hasMetadata: boolean): string {
  const { element } = found;
  const parent = parentOf(element);
  return JSON.stringify({
    elementId: idOf(element),
    displayName: displayName(element),
    typeElementId: typeOf(found),
    parentId: parent === undefined ? null : idOf(parent),
    isComposition: false,
    isExtended: false,
    ...(hasMetadata && { metadata: metadataOf(found) }),
  });
}

function metadataOf({ element, tag }: Found): object {
  const sourceTypeId = { dataset: 'Dataset', folder: 'Folder', tag: '' }[element.kind];
  if (tag === undefined) return { typeNamespaceUri: TYPE_NAMESPACE, sourceTypeId };
  const { units, fields, format } = tag;
  const unit = units?.size === 1 ? [...units.values()][0] : undefined;
  const system = {
    ...(units !== undefined && { units: Object.fromEntries(units) }),
    ...(fields !== undefined && { fields: Object.fromEntries(fields) }),
    ...(format !== undefined && { format }),
  };
  return {
    typeNamespaceUri: TYPE_NAMESPACE,
    sourceTypeId: formatValueType(tag.type) ?? 'UnknownType',
    ...(tag.description !== undefined && { description: tag.description }),
    ...(unit !== undefined && { engUnit: unit }),
    system,
  };
}
