// The operations of the API on annotations.

import { send, sendForJson } from '../api/http.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { type Annotation, type AnnotationAnswer, type AnnotationContent, toAnnotation } from './annotation.ts';

/** More would not be told apart in a chart. */
const MOST_READ = 2000;

export interface AnnotationsRead {
  readonly annotations: readonly Annotation[];
  /** There are more in the range. */
  readonly isCut: boolean;
}

export async function readAnnotations(
  dataset: string,
  range: TimeWindow,
  signal: AbortSignal,
): Promise<AnnotationsRead> {
  const path = `${listPath(dataset)}?${rangeQuery(range)}&limit=${MOST_READ}`;
  const { annotations, next } = await sendForJson<{ annotations: AnnotationAnswer[]; next?: string }>(path, { signal });
  return { annotations: annotations.map((one) => toAnnotation(dataset, one)), isCut: next !== undefined };
}

export async function readAnnotationsCsv(dataset: string, range: TimeWindow): Promise<Blob> {
  return (await send(`${listPath(dataset)}?${rangeQuery(range)}&format=csv`)).blob();
}

export async function createAnnotation(dataset: string, content: AnnotationContent): Promise<void> {
  await send(listPath(dataset), { method: 'POST', body: content });
}

/** Throws an `ApiError` 412 when it has another revision by now. */
export async function changeAnnotation(
  { dataset, id, revision }: Annotation,
  content: AnnotationContent,
): Promise<void> {
  const headers = { 'If-Match': `"${revision}"` };
  await send(`${listPath(dataset)}/${id}`, { method: 'PUT', headers, body: content });
}

/** Throws as `changeAnnotation`. */
export async function deleteAnnotation({ dataset, id, revision }: Annotation): Promise<void> {
  await send(`${listPath(dataset)}/${id}`, { method: 'DELETE', headers: { 'If-Match': `"${revision}"` } });
}

function listPath(dataset: string): string {
  return `/api/datasets/${encodeURIComponent(dataset)}/annotations`;
}

function rangeQuery({ startMs, endMs }: TimeWindow): string {
  const iso = (timeMs: number): string => new Date(Math.round(timeMs)).toISOString();
  return `start=${iso(startMs)}&end=${iso(endMs)}`;
}
