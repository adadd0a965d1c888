// Annotations as the page has them, and where they stand above the time axis. Pure.

import { formatTime } from '../model/time/axis-labels.ts';
import { formatBound, type TimeWindow, typedTime } from '../model/time/time-range.ts';
import type { TimeFault } from '../model/time/typed-time.ts';

/** An annotation as the API has it. */
export interface AnnotationAnswer {
  readonly id: number;
  readonly start: string;
  readonly end?: string;
  readonly tag?: string;
  readonly text: string;
  readonly author?: string;
  readonly created: string;
  readonly changedBy?: string;
  readonly changed: string;
  readonly revision: number;
}

export interface Annotation extends AnnotationAnswer {
  readonly dataset: string;
  readonly startMs: number;
  /** Equal to the start for a single time. */
  readonly endMs: number;
}

/** What its writer says, as the API takes it. */
export type AnnotationContent = Pick<AnnotationAnswer, 'start' | 'end' | 'tag' | 'text'>;

/** What the dialog begins with. */
export interface Draft {
  readonly dataset: string;
  /** What is changed; undefined for a new one. */
  readonly annotation: Annotation | undefined;
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly tag: string | undefined;
}

/** A whole dataset, or a tag of it. */
export interface Subject {
  readonly dataset: string;
  readonly tag?: string | undefined;
}

/** Annotations that stand so near to each other that they have one mark. */
export interface MarkGroup {
  /** Pixels from the left of the plot area. */
  readonly leftPx: number;
  readonly members: readonly Annotation[];
}

/** Nearer marks would cover each other. */
const MARK_PX = 16;

export function toAnnotation(dataset: string, answer: AnnotationAnswer): Annotation {
  const startMs = Date.parse(answer.start);
  return { ...answer, dataset, startMs, endMs: answer.end === undefined ? startMs : Date.parse(answer.end) };
}

/** The marks of what begins in the window, or before it and reaches into it: those stand at its left. In order of time. */
export function groupMarks(annotations: readonly Annotation[], window: TimeWindow, widthPx: number): MarkGroup[] {
  const groups: { leftPx: number; members: Annotation[] }[] = [];
  const inOrder = annotations.filter((one) => touches(one, window)).sort((a, b) => a.startMs - b.startMs);
  for (const annotation of inOrder) {
    const leftPx = shareOf(annotation.startMs, window) * widthPx;
    const last = groups.at(-1);
    if (last && leftPx - last.leftPx < MARK_PX) last.members.push(annotation);
    else groups.push({ leftPx, members: [annotation] });
  }
  return groups;
}

export function touches({ startMs, endMs }: Annotation, window: TimeWindow): boolean {
  return endMs >= window.startMs && startMs <= window.endMs;
}

/** Place of a time in the window, from 0 to 1; the nearer end for a time outside. */
export function shareOf(timeMs: number, { startMs, endMs }: TimeWindow): number {
  return Math.max(0, Math.min(1, (timeMs - startMs) / (endMs - startMs)));
}

export function timeText({ startMs, endMs }: Pick<Annotation, 'startMs' | 'endMs'>, spanMs: number): string {
  const start = formatTime(startMs, spanMs);
  return endMs > startMs ? `${start} – ${formatTime(endMs, spanMs)}` : start;
}

/** What it is about, in words. */
export function aboutText({ dataset, tag }: Subject): string {
  return tag ?? `${dataset}, all of it`;
}

/** Who has made it, and who has changed it last. */
export function byText({ author, created, changedBy, changed, revision }: Annotation): string {
  const made = `${author ?? 'Made'}, ${formatBound(Date.parse(created))}`;
  if (revision === 1) return made;
  return `${made}; changed ${changedBy === undefined ? '' : `by ${changedBy}, `}${formatBound(Date.parse(changed))}`;
}

export interface TypedTimes {
  readonly start: string;
  readonly end: string | undefined;
}

/**
 * The times of two fields as the API takes them; in words what is wrong with them. A field that was not touched keeps its
 * time exactly.
 */
export function parseTimes(from: string, to: string, { startMs, endMs, annotation }: Draft): TypedTimes | string {
  const start = from === formatBound(startMs) ? (annotation?.start ?? isoOf(startMs)) : isoOfTyped(from, 'from');
  if (typeof start === 'object') return start.fault;
  const keepsEnd = endMs !== undefined && to === formatBound(endMs);
  const typedEnd = to.trim() === '' ? undefined : isoOfTyped(to, 'to');
  const end = keepsEnd ? (annotation?.end ?? isoOf(endMs)) : typedEnd;
  if (typeof end === 'object') return end.fault;
  if (end !== undefined && Date.parse(end) < Date.parse(start)) return 'The end must not lie before the start.';
  return { start, end };
}

function isoOfTyped(text: string, side: 'from' | 'to'): string | TimeFault {
  const timeMs = typedTime(text, side);
  return typeof timeMs === 'object' ? timeMs : isoOf(timeMs);
}

function isoOf(timeMs: number): string {
  return new Date(Math.round(timeMs)).toISOString();
}
