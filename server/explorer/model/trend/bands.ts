// Which tags share a plot: one band each, or all numbers of a unit on one axis; states and texts keep bands of their own.

import type { TagDefinition } from '../tags/tag.ts';
import { unitOf, type ValueKind, valueKind } from '../values/value-kind.ts';
import type { Layout } from './view-state.ts';

export interface BandMember {
  /** Position in the trend, which gives the colour. */
  readonly index: number;
  readonly tag: TagDefinition;
}

export interface Axis {
  readonly unit: string;
  readonly members: readonly BandMember[];
}

export interface Band {
  readonly key: string;
  readonly kind: ValueKind;
  /** One axis for each unit; a band of states or texts has one, with one member. */
  readonly axes: readonly Axis[];
}

export function arrangeBands(tags: readonly TagDefinition[], layout: Layout): Band[] {
  const members = tags.map((tag, index) => ({ tag, index }));
  if (layout === 'bands') return members.map(ownBand);
  const numbers = members.filter(({ tag }) => isNumeric(valueKind(tag)));
  const others = members.filter(({ tag }) => !isNumeric(valueKind(tag)));
  return [...(numbers.length > 0 ? [sharedBand(numbers)] : []), ...others.map(ownBand)];
}

function isNumeric(kind: ValueKind): boolean {
  return kind === 'line' || kind === 'step';
}

function ownBand(member: BandMember): Band {
  const axis = { unit: unitOf(member.tag)?.text ?? '', members: [member] };
  return { key: `own ${member.index}`, kind: valueKind(member.tag), axes: [axis] };
}

function sharedBand(members: readonly BandMember[]): Band {
  const byUnit = new Map<string, BandMember[]>();
  for (const member of members) {
    const unit = unitOf(member.tag)?.text ?? '';
    byUnit.set(unit, [...(byUnit.get(unit) ?? []), member]);
  }
  return { key: 'shared', kind: 'line', axes: [...byUnit].map(([unit, of]) => ({ unit, members: of })) };
}

const TEXT_HEIGHT_PX = 40;

/** Heights that fill what there is: texts one line, of the rest numbers three parts, states two; none below its least. */
export function bandHeights(bands: readonly Band[], totalPx: number): number[] {
  const sizes = bands.map(sizeOf);
  const sum = sizes.reduce((total, { weight }) => total + weight, 0);
  const textPx = bands.filter(({ kind }) => kind === 'text').length * TEXT_HEIGHT_PX;
  const restPx = Math.max(0, totalPx - textPx);
  return sizes.map(({ weight, leastPx }) => {
    return weight === 0 ? TEXT_HEIGHT_PX : Math.max(leastPx, Math.floor((restPx * weight) / sum));
  });
}

/** The least height leaves an axis room for labels that tell its scale. */
function sizeOf({ kind, key }: Band): { readonly weight: number; readonly leastPx: number } {
  if (kind === 'text') return { weight: 0, leastPx: TEXT_HEIGHT_PX };
  if (key === 'shared') return { weight: 6, leastPx: 150 };
  return kind === 'state' ? { weight: 2, leastPx: 72 } : { weight: 3, leastPx: 84 };
}
