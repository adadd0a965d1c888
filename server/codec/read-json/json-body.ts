// The source of JSON bodies of points: the scanner, its fast paths, and what its tokens mean.

import { type TagLookup, type TagRef, ValueType } from '../../../engine/index.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import type { BodySource } from '../body/body-source.ts';
import { FastOutcome, type FastRequest, FastStep } from '../body/fast-path.ts';
import { takesNumbers } from '../body/plain-numbers.ts';
import { MOST_RECENT_BYTES } from '../body/recent-texts.ts';
import type { Column, ColumnOutcome } from '../scalars/column.ts';
import { readTimeText, TimeReader } from '../scalars/timestamp.ts';
import { type Token, TokenKind } from '../scalars/token.ts';
import { CompactColumns } from './compact-columns.ts';
import { CompactPoints } from './compact-points.ts';
import { CompactRuns } from './compact-runs.ts';
import { COLON, COMMA, JsonScanner, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import { PlainColumns } from './plain-columns.ts';
import { SpacedPoints } from './spaced-points.ts';

const NOWHERE = -1;

export class JsonBody extends JsonScanner implements BodySource {
  readonly #times = new TimeReader();
  readonly #compact = new CompactPoints(this.#times);
  readonly #plainColumns = new PlainColumns(this.#times);
  readonly #columns = new CompactColumns(this.#times, this.#plainColumns);
  readonly #runs = new CompactRuns(this.#compact, this.#plainColumns);
  readonly #spaced = new SpacedPoints(this.#times, this.recent);

  override load(bytes: Uint8Array, spareBytes: number): void {
    this.#runs.forget();
    this.#compact.begin();
    this.#plainColumns.beginBody();
    super.load(bytes, spareBytes);
  }

  override unload(): void {
    this.#runs.forget();
    super.unload();
  }

  goTo(position: number): void {
    this.position = position;
  }

  openColumn(column: Column): ColumnOutcome {
    column.clear();
    if (this.peek() !== OPEN_BRACKET) return 'none';
    column.start = this.position + 1;
    this.beginSkip();
    return 'begun';
  }

  entry(column: Column, token: Token): void {
    this.position = column.next;
    this.value(token);
    if (this.peek() === COMMA) this.position++;
    column.next = this.position;
  }

  tryFast(step: FastStep, request: FastRequest): number {
    switch (step) {
      case FastStep.Members:
        return this.#members(request);
      case FastStep.Points:
        return this.#points(request);
      case FastStep.PausedColumns:
        return this.#addColumns(request);
      case FastStep.Elements:
        return this.#elements(request);
      default:
        return FastOutcome.NotTaken; // entries of columns: what is fast about them was read with the columns
    }
  }

  #members(request: FastRequest): number {
    const runs = this.#runs;
    if (this.peek() !== QUOTE) return FastOutcome.NotTaken;
    if (runs.keyStart !== this.position) {
      const count = runs.add(this.buffer, this.view, this.position, request);
      if (count > 0) {
        this.position = runs.position;
        return count;
      }
    }
    request.tag = runs.keyStart === this.position ? this.#runKey() : this.#followingKey(request.lookup);
    return request.tag === undefined ? FastOutcome.NotTaken : FastOutcome.Key;
  }

  /** Steps over the key at which the fast path through runs has stopped. */
  #runKey(): TagRef | undefined {
    const runs = this.#runs;
    const { tag } = runs;
    this.position = runs.keyEnd;
    runs.keyStart = NOWHERE;
    return tag;
  }

  /** Steps over the key that is next if it names the tag that `lookup` expects. */
  #followingKey(lookup: TagLookup): TagRef | undefined {
    const start = this.position + 1;
    const tag = lookup.findFollowing(this.view, start);
    if (tag === undefined) return undefined;
    const end = start + lookup.foundBytes;
    if (this.bytes[end] !== QUOTE || this.bytes[end + 1] !== COLON) return undefined;
    this.position = end + 2;
    return tag;
  }

  #points(request: FastRequest): number {
    const { builder } = request;
    if (this.bytes[this.position] === OPEN_BRACKET) return this.#array(builder);
    if (this.peek() !== OPEN_BRACE || !this.#columns.begin(this.position, builder)) return FastOutcome.NotTaken;
    return this.#addColumns(request);
  }

  #array(builder: BatchBuilder): number {
    const runs = this.#runs;
    const compact = this.#compact;
    if (runs.keyEnd === this.position) {
      const heldCount = runs.addHeld(builder);
      if (heldCount > 0) {
        this.position = runs.position;
        return heldCount;
      }
    }
    builder.reserve();
    const count = compact.add(this.buffer, this.view, this.position + 1, builder);
    if (count > 0) this.position = compact.position;
    return count;
  }

  #elements({ builder, maxTextBytes }: FastRequest): number {
    const { type } = builder;
    const isNumber = takesNumbers(type);
    const isText = type === ValueType.String && maxTextBytes >= MOST_RECENT_BYTES;
    if (!isNumber && !isText && type !== ValueType.Boolean) return FastOutcome.NotTaken;
    builder.reserve();
    let count = isNumber ? this.#compact.add(this.buffer, this.view, this.position, builder) : 0;
    if (count > 0) {
      this.position = this.#compact.position;
      return count;
    }
    count = this.#spaced.add(this.buffer, this.view, this.position, builder);
    if (count > 0) this.position = this.#spaced.position;
    return count;
  }

  #addColumns({ builder }: FastRequest): number {
    const outcome = this.#columns.add(this.buffer, this.view, builder);
    if (outcome === FastOutcome.ColumnsRead) this.position = this.#columns.position;
    return outcome;
  }

  time(token: Token, reader: TimeReader): boolean {
    if (token.kind !== TokenKind.Text) return false;
    if (token.isEscaped) return readTimeText(this.text(token), reader);
    return reader.read(this.view, token.start, token.end);
  }
}
