// Reads of functions: one entry for each tag and function, of functions of states one for each state. The results of one tag are
// held at a time.

import { type AggregateFunction, findAggregate } from '../../aggregates/aggregate-functions.ts';
import type { ResultColumn } from '../../aggregates/result-column.ts';
import { EngineError } from '../../errors.ts';
import { Slicer } from '../../io/slicer.ts';
import { MAX_AGGREGATE_RESULTS } from '../../limits.ts';
import type { AggregateLabel, AggregateRequest, ReadRequest, ReadResult, TagCursor } from '../../reads.ts';
import { type Instant, type TagDefinition, ValueType } from '../../types.ts';
import { nonNumbers } from '../../value-types.ts';
import { ResultCursor } from './result-cursor.ts';
import { createTask, findStates, TagResults, type TagTask, type WantedResult } from './tag-results.ts';
import type { FindSources, SliceOwner } from './task-source.ts';

/** All that is asked of one tag. */
interface TagPart {
  readonly task: TagTask;
  readonly definition: TagDefinition;
  readonly states: readonly number[];
  readonly wanted: readonly WantedResult[];
  /** Entries before its first one. */
  readonly firstEntry: number;
}

/** Throws BAD_REQUEST for a range without a length; everything else `settle` does. */
export function readAggregates(
  find: FindSources,
  owner: SliceOwner,
  request: ReadRequest,
  aggregates: AggregateRequest,
): ReadResult {
  const { range } = request;
  if (range.kind !== 'range' || aggregates.edges.length < 2) {
    throw new EngineError('BAD_REQUEST', 'Aggregates need a range with a start before its end.');
  }
  return new AggregatedRead({ find, owner, request, aggregates, start: range.start, end: range.end });
}

interface AggregatedReadParts {
  readonly find: FindSources;
  readonly owner: SliceOwner;
  readonly request: ReadRequest;
  readonly aggregates: AggregateRequest;
  readonly start: Instant;
  readonly end: Instant;
}

class AggregatedRead implements ReadResult {
  readonly bounds = undefined;
  readonly #find: FindSources;
  readonly #owner: SliceOwner;
  readonly #aggregates: AggregateRequest;
  readonly #functions: readonly AggregateFunction[];
  readonly #range: { readonly start: Instant; readonly end: Instant };
  readonly #parts: TagPart[] = [];
  #entryCount = 0;
  #held: { readonly part: TagPart; readonly results: TagResults } | undefined;

  constructor({ find, owner, request, aggregates, start, end }: AggregatedReadParts) {
    this.#find = find;
    this.#owner = owner;
    this.#aggregates = aggregates;
    this.#range = { start, end };
    this.#functions = aggregates.functions.map(knownFunction);
    checkResultCount(request.tags.length, this.#functions.length, this.#intervalCount);
  }

  get tagCount(): number {
    return this.#entryCount;
  }

  get #intervalCount(): number {
    return this.#aggregates.edges.length - 1;
  }

  /** Finds the tags, and the states of those whose states are asked for. */
  async settle(): Promise<void> {
    const found = await this.#find();
    const slicer = new Slicer(this.#owner);
    for (const [index, source] of found.sources.entries()) {
      if (this.#aggregates.isAborted()) return;
      const task = createTask({ source, owner: this.#owner, request: this.#aggregates, range: this.#range });
      checkTypes(this.#functions, source.definition);
      await this.#addPart(task, found.definitionOf(index));
      const pause = slicer.pause();
      if (pause !== undefined) await pause;
    }
  }

  async #addPart(task: TagTask, definition: TagDefinition): Promise<void> {
    const states = this.#functions.some(({ basis }) => basis === 'state') ? await findStates(task) : [];
    const wanted = this.#functions.flatMap((fn) => {
      // A tag that had no state has one entry all the same, without results.
      const count = fn.basis === 'state' ? Math.max(1, states.length) : 1;
      return Array.from({ length: count }, (_, state) => ({ fn, state }));
    });
    this.#parts.push({ task, definition, states, wanted, firstEntry: this.#entryCount });
    this.#entryCount += wanted.length;
    checkResultCount(1, this.#entryCount, this.#intervalCount);
  }

  open(index: number): TagCursor {
    const part = this.#partOf(index);
    if (this.#held?.part !== part) {
      this.#held?.results.leave();
      this.#held = undefined;
      this.#held = { part, results: new TagResults(part.task, part.wanted, part.states) };
    }
    const { results } = this.#held;
    const column = results.columns[index - part.firstEntry] as ResultColumn;
    return new ResultCursor({ tag: part.definition, label: labelOf(part, column), task: part.task, results, column });
  }

  /** Entries are opened in order, so it is nearly always the same or the next one. */
  #partOf(index: number): TagPart {
    let low = 0;
    let high = this.#parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#parts[middle] as TagPart).firstEntry <= index) low = middle;
      else high = middle - 1;
    }
    return this.#parts[low] as TagPart;
  }
}

function knownFunction(name: string): AggregateFunction {
  const known = findAggregate(name);
  if (known === undefined) throw new EngineError('BAD_REQUEST', `There is no aggregate '${name}'.`, { name });
  return known;
}

function checkResultCount(tags: number, functions: number, intervals: number): void {
  const count = tags * functions * intervals;
  if (count <= MAX_AGGREGATE_RESULTS) return;
  throw new EngineError(
    'BAD_REQUEST',
    `The read asks for ${count} results (${intervals} intervals, for each tag and aggregate); want ${MAX_AGGREGATE_RESULTS} at most: a longer interval, a shorter range, or fewer tags.`,
  );
}

function checkTypes(functions: readonly AggregateFunction[], { name, type }: TagDefinition): void {
  const what = nonNumbers(type);
  if (what === undefined) return;
  const unfit = functions.find(({ needsNumbers }) => needsNumbers);
  if (unfit === undefined) return;
  throw new EngineError('BAD_REQUEST', `'${unfit.name}' needs numbers, and tag '${name}' has ${what}.`, { name });
}

function labelOf({ task, states, definition }: TagPart, { fn, state }: ResultColumn): AggregateLabel {
  if (fn.basis !== 'state') return { function: fn.name };
  const value = states[state];
  if (value === undefined) return { function: fn.name, state: null };
  if (task.texts !== undefined) return { function: fn.name, state: task.texts.textOf(value) };
  if (definition.type === ValueType.Boolean) return { function: fn.name, state: value !== 0 };
  const stateName = definition.units?.get(value);
  return { function: fn.name, state: value, ...(stateName !== undefined && { stateName }) };
}
