// What is known by name of very many members of a body: in parts, because a map that grows goes over all that it holds in
// one go. Which part a name is in is told by its last letters, in which names of many tags differ.

const PARTS = 256;
const LAST_LETTERS = 8;

export class NameMap<T> {
  #parts: (Map<string, T> | undefined)[] = [];
  size = 0;

  get(name: string): T | undefined {
    return this.#parts[partOf(name)]?.get(name);
  }

  set(name: string, value: T): void {
    const number = partOf(name);
    const part = this.#parts[number] ?? new Map<string, T>();
    this.#parts[number] = part;
    const before = part.size;
    part.set(name, value);
    this.size += part.size - before;
  }

  clear(): void {
    if (this.size === 0) return;
    this.#parts = [];
    this.size = 0;
  }
}

function partOf(name: string): number {
  let hash = name.length;
  for (let i = Math.max(0, name.length - LAST_LETTERS); i < name.length; i++)
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) ^ hash) & (PARTS - 1);
}
