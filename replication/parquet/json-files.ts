// Documents as files of JSON.

import type { ObjectStore } from './stores/object-store.ts';

/** Undefined: there is no such file. Rejects with an error that names the file when it holds anything else. */
export async function readJson<T>(store: ObjectStore, path: string): Promise<T | undefined> {
  const bytes = await store.get(path);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  } catch (cause) {
    throw new Error(`${store.name}/${path} is damaged: restore it, or begin a new copy in another place.`, { cause });
  }
}

export function writeJson(store: ObjectStore, path: string, content: object): Promise<void> {
  return store.put(path, Buffer.from(`${JSON.stringify(content)}\n`));
}
