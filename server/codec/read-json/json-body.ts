// The source of JSON bodies of points: the scanner with its short cuts, and what its tokens mean.

import { type TagLookup, type TagRef, ValueType } from '../../../engine/index.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import type { BodySource, ShortCut } from '../body/body-source.ts';
import { takesNumbers } from '../body/plain-numbers.ts';
import type { NamedTags } from '../names/named-tags.ts';
import type { Column, ColumnOutcome } from '../scalars/column.ts';
import { readTimeText, TimeReader } from '../scalars/timestamp.ts';
import { type Token, TokenKind } from '../scalars/token.ts';
import { CompactColumns } from './compact-columns.ts';
import { CompactPoints } from './compact-points.ts';
import { CompactRuns } from './compact-runs.ts';
import { COLON, COMMA, JsonScanner, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import { SpacedPoints } from './spaced-points.ts';

const NOWHERE = -1;

export class JsonBody extends JsonScanner implements BodySource {
  private readonly times = new TimeReader();
  private readonly compact = new CompactPoints(this.times);
  private readonly runs = new CompactRuns(this.compact);
  private readonly spaced = new SpacedPoints(this.times);
  private readonly columns = new CompactColumns(this.times);

  override load(bytes: Uint8Array): void {
    this.runs.forget();
    this.compact.begin();
    super.load(bytes);
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

  fastEntries(): boolean {
    return false; // those of the usual shape have gone the other way
  }

  fastRuns(lookup: TagLookup, builder: BatchBuilder, named: NamedTags, most: number, stopAt: number): number {
    const { runs } = this;
    if (this.peek() !== QUOTE || runs.keyStart === this.position) return 0;
    const count = runs.add(this.buffer, this.view, this.position, { lookup, builder, named, most, stopAt });
    if (count > 0) this.position = runs.position;
    return count;
  }

  fastKey(lookup: TagLookup): TagRef | undefined {
    if (this.peek() !== QUOTE) return undefined;
    if (this.runs.keyStart === this.position) return this.fastRunsKey();
    const start = this.position + 1;
    const tag = lookup.findFollowing(this.view, start);
    if (tag === undefined) return undefined;
    const end = start + lookup.foundBytes;
    if (this.bytes[end] !== QUOTE || this.bytes[end + 1] !== COLON) return undefined;
    this.position = end + 2;
    return tag;
  }

  /** The key that the short cut through the runs has ended at. */
  private fastRunsKey(): TagRef | undefined {
    const { runs } = this;
    const { tag } = runs;
    this.position = runs.keyEnd;
    runs.keyStart = NOWHERE;
    return tag;
  }

  fastArray(builder: BatchBuilder): number {
    if (this.bytes[this.position] !== OPEN_BRACKET) return 0;
    if (this.runs.keyEnd === this.position) {
      const heldCount = this.runs.addHeld(builder);
      if (heldCount > 0) this.position = this.runs.position;
      if (heldCount > 0) return heldCount;
    }
    builder.reserve();
    const count = this.compact.add(this.buffer, this.view, this.position + 1, builder);
    if (count > 0) this.position = this.compact.position;
    return count;
  }

  fastPoints(builder: BatchBuilder): number {
    const isNumber = takesNumbers(builder.type);
    if (!isNumber && builder.type !== ValueType.Boolean) return 0;
    builder.reserve();
    let count = isNumber ? this.compact.add(this.buffer, this.view, this.position, builder) : 0;
    if (count > 0) {
      this.position = this.compact.position;
      return count;
    }
    count = this.spaced.add(this.buffer, this.view, this.position, builder);
    if (count > 0) this.position = this.spaced.position;
    return count;
  }

  fastColumns(builder: BatchBuilder, stepBytes: number): ShortCut {
    if (this.peek() !== OPEN_BRACE || !this.columns.begin(this.position, builder)) return 'none';
    return this.fastColumnsOn(builder, stepBytes);
  }

  fastColumnsOn(builder: BatchBuilder, stepBytes: number): ShortCut {
    const outcome = this.columns.add(this.buffer, this.view, builder, stepBytes);
    if (outcome === 'done') this.position = this.columns.position;
    return outcome;
  }

  literal(token: Token): string {
    return this.buffer.toString('latin1', token.start, token.end);
  }

  time(token: Token, reader: TimeReader): boolean {
    if (token.kind !== TokenKind.Text) return false;
    if (token.isEscaped) return readTimeText(this.text(token), reader);
    return reader.read(this.view, token.start, token.end);
  }
}
