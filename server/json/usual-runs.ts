// The short cut through the members of a body as most clients repeat them: tags in the order of the body before, each with
// an array of points of the usual shape (usual-points.ts) in a minute that is at hand, and nothing between them but
// commas. A request of many tags with a point each costs little more than its bytes like that. Whatever else it meets it
// leaves alone, for the next way through the body, which gives the same (`bench/server/json.ts`).

import { GOOD_QUALITY, type TagLookup, type TagRef, ValueType } from '../../engine/index.ts';
import type { BatchBuilder } from './batch-builder.ts';
import { secondsOf } from './digit-words.ts';
import type { NamedTags } from './named-tags.ts';
import { readShortNumber } from './short-numbers.ts';
import { MS_TIME_BYTES, type TimeReader } from './timestamp.ts';
import {
  asciiDouble,
  asciiHalf,
  GOOD_QUALITY_BYTES,
  GOOD_QUALITY_DOUBLE,
  MARGIN_BYTES,
  NEXT_BYTES,
  NEXT_DOUBLE,
  VALUE_BACK,
  VALUE_FRONT,
  VALUE_KEY_BYTES,
} from './usual-bytes.ts';

// An import is looked up at every use; a constant of the module itself is compiled in.
const timeBytes = MS_TIME_BYTES;
const readSeconds = secondsOf;
const readValue = readShortNumber;
const valueFront = VALUE_FRONT;
const valueBack = VALUE_BACK;
const valueKeyBytes = VALUE_KEY_BYTES;
const goodQualityDouble = GOOD_QUALITY_DOUBLE;
const goodQualityBytes = GOOD_QUALITY_BYTES;
const nextDouble = NEXT_DOUBLE;
const nextBytes = NEXT_BYTES;
const marginBytes = MARGIN_BYTES;
const goodQuality = GOOD_QUALITY;
const double = ValueType.Double;

const QUOTE = 0x22;
const COLON = 0x3a;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;
/** Behind the name's quote. */
const HEAD_DOUBLE = asciiDouble(':[{"t":"');
const HEAD_BYTES = 8;
/** The end of a member and the beginning of the next. */
const NEXT_MEMBER = asciiHalf(',"');
const NONE = -1;

/** Where runs are looked up and put, and how far. */
export interface WantedRuns {
  readonly lookup: TagLookup;
  readonly builder: BatchBuilder;
  /** Tags that are for others. */
  readonly named: NamedTags;
  readonly most: number;
  /** No member that begins behind it. */
  readonly stopAt: number;
}

export class UsualRuns {
  /** Behind the last member that was added. */
  position = 0;
  /** The tag that was found, but whose points are for others; the place of its key, and the one behind its colon. */
  tag: TagRef | undefined;
  keyStart = NONE;
  keyEnd = NONE;
  private readonly times: TimeReader;

  constructor(times: TimeReader) {
    this.times = times;
  }

  /** Forgets the tag that was found. */
  forget(): void {
    this.tag = undefined;
    this.keyStart = NONE;
  }

  /** Adds the members that are next, the first of which begins at `start`; returns how many. */
  add(bytes: Buffer, view: DataView, start: number, wanted: WantedRuns): number {
    const { lookup, builder, named, most, stopAt } = wanted;
    const lastStart = Math.min(bytes.length - marginBytes, stopAt);
    let key = start;
    let added = 0;
    while (added < most && key <= lastStart) {
      const tag = lookup.findFollowing(view, key + 1);
      if (tag === undefined) break;
      const end = key + 1 + lookup.foundBytes;
      if (bytes[end] !== QUOTE || bytes[end + 1] !== COLON) break;
      const firstPoint = builder.points.count;
      const behind = tag.type === double && !named.has(tag.id) ? this.addRun(bytes, view, end + 1, builder) : NONE;
      if (behind === NONE) {
        this.tag = tag;
        this.keyStart = key;
        this.keyEnd = end + 2;
        break;
      }
      named.add(tag.id);
      builder.addRun(tag, firstPoint);
      added++;
      this.position = behind;
      if (view.getInt16(behind, true) !== NEXT_MEMBER) break;
      key = behind + 1;
    }
    return added;
  }

  /** Adds the points of the array behind the colon at a place; the place behind it, or NONE, having added nothing. */
  private addRun(bytes: Buffer, view: DataView, colon: number, builder: BatchBuilder): number {
    if (colon > bytes.length - marginBytes || view.getFloat64(colon, true) !== HEAD_DOUBLE) return NONE;
    builder.reserve();
    const { points } = builder;
    const { timesMs, ticks, numbers, nulls, qualities, capacity } = points;
    const { minuteMs, minuteFront, minuteBack, olderMs, olderFront, olderBack } = this.times;
    const lastStart = bytes.length - marginBytes;
    let count = points.count;
    let place = (colon + HEAD_BYTES) | 0;
    while (count < capacity && place <= lastStart) {
      const front = view.getFloat64(place, true);
      const back = view.getFloat64((place + 8) | 0, true);
      const isAtHand = back === minuteBack && front === minuteFront;
      if (!isAtHand && !(back === olderBack && front === olderFront)) return NONE;
      const msOfMinute = readSeconds(view.getInt32((place + 16) | 0, true), view.getInt32((place + 20) | 0, true));
      place = (place + timeBytes) | 0;
      if (msOfMinute < 0) return NONE;
      if (view.getInt32(place, true) !== valueFront || view.getInt32((place + 2) | 0, true) !== valueBack) return NONE;
      place = readValue(bytes, view, (place + valueKeyBytes) | 0, numbers, count);
      if (place < 0) return NONE;
      if (view.getFloat64(place, true) === goodQualityDouble) place = (place + goodQualityBytes) | 0;
      if (bytes[place] !== CLOSE_BRACE) return NONE;
      timesMs[count] = (isAtHand ? minuteMs : olderMs) + msOfMinute;
      ticks[count] = 0;
      nulls[count] = 0;
      qualities[count] = goodQuality;
      count = (count + 1) | 0;
      if (bytes[place + 1] === CLOSE_BRACKET) {
        points.count = count;
        return (place + 2) | 0;
      }
      if (view.getFloat64(place, true) !== nextDouble) return NONE;
      place = (place + nextBytes) | 0;
    }
    return NONE;
  }
}
