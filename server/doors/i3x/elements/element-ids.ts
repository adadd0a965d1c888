// ElementIds of objects: `<dataset>`, `<dataset>:<path>/` of a folder, `<dataset>:<tag>`. What could be mistaken for something
// else is percent-encoded, so that an id names one thing only, and never a type.

export type Element =
  | { readonly kind: 'dataset'; readonly dataset: string }
  /** The path ends with a slash. */
  | { readonly kind: 'folder'; readonly dataset: string; readonly path: string }
  | { readonly kind: 'tag'; readonly dataset: string; readonly tag: string };

/** Beginnings of the ids of types, which no dataset's id has. */
const RESERVED = /^(?=varve\.|Has(?:Parent|Children|Component)$|ComponentOf$)./;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be found.
const UNSAFE = /[%\u0000-\u001f\u007f-\u009f]|^\s|\s$/gu;
/** Longer ids name nothing. */
const MAX_ID_LENGTH = 8192;

export function datasetId(dataset: string): string {
  return escaped(dataset).replaceAll(':', '%3A').replace(RESERVED, encode);
}

export function tagId(dataset: string, tag: string): string {
  return `${datasetId(dataset)}:${escaped(tag).replace(/\/$/, '%2F')}`;
}

export function folderId(dataset: string, path: string): string {
  return `${datasetId(dataset)}:${escaped(path)}`;
}

/** Undefined for what is the id of no object. */
export function parseElementId(id: string): Element | undefined {
  const element = id.length <= MAX_ID_LENGTH ? decoded(id) : undefined;
  return element !== undefined && idOf(element) === id ? element : undefined;
}

export function idOf(element: Element): string {
  if (element.kind === 'dataset') return datasetId(element.dataset);
  if (element.kind === 'folder') return folderId(element.dataset, element.path);
  return tagId(element.dataset, element.tag);
}

/** Parent that the element hangs on; undefined for a dataset. */
export function parentOf(element: Element): Element | undefined {
  if (element.kind === 'dataset') return undefined;
  const { dataset } = element;
  const path = foldersOf(element.kind === 'folder' ? element.path.slice(0, -1) : element.tag).at(-1);
  return path === undefined ? { kind: 'dataset', dataset } : { kind: 'folder', dataset, path };
}

/** The folders that a tag lies in, outermost first: a slash between two names makes one. */
export function foldersOf(tag: string): string[] {
  const folders: string[] = [];
  for (let at = tag.indexOf('/', 1); at > 0 && at < tag.length - 1; at = tag.indexOf('/', at + 1)) {
    if (tag[at - 1] !== '/' && tag[at + 1] !== '/') folders.push(tag.slice(0, at + 1));
  }
  return folders;
}

export function displayName(element: Element): string {
  if (element.kind === 'dataset') return element.dataset;
  const parent = parentOf(element);
  const path = parent?.kind === 'folder' ? parent.path : '';
  return element.kind === 'folder' ? element.path.slice(path.length, -1) : element.tag.slice(path.length);
}

function decoded(id: string): Element | undefined {
  try {
    const colon = id.indexOf(':');
    if (colon < 0) return { kind: 'dataset', dataset: decodeURIComponent(id) };
    const dataset = decodeURIComponent(id.slice(0, colon));
    const name = decodeURIComponent(id.slice(colon + 1));
    return id.endsWith('/') ? { kind: 'folder', dataset, path: name } : { kind: 'tag', dataset, tag: name };
  } catch {
    return undefined; // Not percent-encoding.
  }
}

function escaped(name: string): string {
  return name.replace(UNSAFE, encode);
}

function encode(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
