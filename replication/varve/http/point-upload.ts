// Writes points of tags, in requests of bounded size. A point is stored with the type that its tag has at that moment, so the
// type of a tag is changed for points of another one, and given back in the end.

import { type PointColumns, ValueType } from '../../../engine/index.ts';
import { turn } from '../../turns.ts';
import { type Historian, pathOf } from './historian.ts';
import { timeText, valueText } from './point-text.ts';
import { typeText } from './tag-text.ts';

/** Characters of a request: three bytes each at most, which with the longest text is below 16 MiB, the default of --max-body. */
const REQUEST_CHARACTERS = 4 * 2 ** 20;
/** Points between two looks at the clock. */
const POINTS_A_LOOK = 512;

interface Columns {
  readonly times: string[];
  readonly values: string[];
  readonly qualities: number[];
}

export class PointUpload {
  readonly #historian: Historian;
  readonly #dataset: string;
  /** Types of the tags there, by name: kept up to date. */
  readonly #types: Map<string, ValueType>;
  readonly #open = new Map<string, Columns>();
  /** Types that were changed, to be given back. */
  readonly #lent = new Map<string, ValueType>();
  #characters = 0;
  #points = 0;

  constructor(historian: Historian, dataset: string, types: Map<string, ValueType>) {
    this.#historian = historian;
    this.#dataset = dataset;
    this.#types = types;
  }

  /** From now on points of the tag are of the type; points of Open are all null, and go with any. */
  async begin(tag: string, type: ValueType): Promise<void> {
    const before = this.#types.get(tag) ?? ValueType.Open;
    if (type === ValueType.Open || type === before) return;
    if (this.#open.has(tag)) await this.#send();
    if (!this.#lent.has(tag)) this.#lent.set(tag, before);
    await this.#setType(tag, type);
  }

  /** Adds point `i`, of the type that was begun. */
  async add(tag: string, points: PointColumns, i: number, type: ValueType): Promise<void> {
    const time = timeText(points, i);
    const value = valueText(points, i, type);
    if (value === undefined)
      throw new Error(
        `${this.#historian.name}: tag '${tag}' has a value at ${time} that is no number, which cannot be written over HTTP: correct or remove it.`,
      );
    const columns = this.#columnsOf(tag);
    columns.times.push(time);
    columns.values.push(value);
    columns.qualities.push(points.qualities[i] as number);
    this.#characters += time.length + value.length + 6;
    if (this.#characters >= REQUEST_CHARACTERS) await this.#send();
    const pause = ++this.#points % POINTS_A_LOOK === 0 ? turn() : undefined;
    if (pause) await pause;
  }

  /** Sends what is left, and gives types back. */
  async finish(): Promise<void> {
    await this.#send();
    for (const [tag, type] of this.#lent)
      if (type !== ValueType.Open && this.#types.get(tag) !== type) await this.#setType(tag, type);
    this.#lent.clear();
  }

  #columnsOf(tag: string): Columns {
    const known = this.#open.get(tag);
    if (known) return known;
    const columns = { times: [], values: [], qualities: [] };
    this.#open.set(tag, columns);
    this.#characters += tag.length;
    return columns;
  }

  async #send(): Promise<void> {
    if (this.#open.size === 0) return;
    const members = [...this.#open].map(([tag, columns]) => `${JSON.stringify(tag)}:${columnsText(columns)}`);
    const { ignored, rejected } = await this.#historian.write(this.#dataset, `{${members.join(',')}}`);
    if (ignored + rejected > 0)
      throw new Error(
        `${this.#historian.name} has left out ${ignored + rejected} points: something else writes dataset '${this.#dataset}' there, or its rule of late points was changed.`,
      );
    this.#open.clear();
    this.#characters = 0;
  }

  async #setType(tag: string, type: ValueType): Promise<void> {
    const body = `[${typeText(tag, type)}]`;
    await this.#historian.ask({ method: 'POST', path: `${pathOf(this.#dataset)}/tags`, body });
    this.#types.set(tag, type);
  }
}

function columnsText({ times, values, qualities }: Columns): string {
  const [first] = qualities;
  const same = qualities.every((quality) => quality === first);
  return `{"t":[${times.join(',')}],"v":[${values.join(',')}],"q":${same ? first : `[${qualities.join(',')}]`}}`;
}
