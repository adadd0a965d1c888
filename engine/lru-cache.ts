// A cache that is bounded in the sum of what its entries cost, in any unit. The least recently used entry is evicted first,
// and the one that was put last never, whatever it costs.

interface Entry<V> {
  readonly value: V;
  readonly cost: number;
}

export class LruCache<K, V> {
  readonly #maxCost: number;
  readonly #onEvict: ((key: K, value: V) => void) | undefined;
  /** Least recently used first: a Map keeps the order of insertion. */
  readonly #entries = new Map<K, Entry<V>>();
  #cost = 0;

  constructor(maxCost: number, onEvict?: (key: K, value: V) => void) {
    this.#maxCost = maxCost;
    this.#onEvict = onEvict;
  }

  /** Cost of all entries. */
  get cost(): number {
    return this.#cost;
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  put(key: K, value: V, cost: number): void {
    this.delete(key);
    this.#entries.set(key, { value, cost });
    this.#cost += cost;
    if (this.#cost > this.#maxCost) this.#evict(key);
  }

  /** Without a call of `onEvict`. */
  delete(key: K): void {
    this.#cost -= this.#entries.get(key)?.cost ?? 0;
    this.#entries.delete(key);
  }

  #evict(except: K): void {
    for (const [key, { value }] of this.#entries) {
      if (this.#cost <= this.#maxCost || key === except) return;
      this.delete(key);
      this.#onEvict?.(key, value);
    }
  }
}
