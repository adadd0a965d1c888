// Annotations for tests.

import type { Annotation, AnnotationContent, Engine } from '../../engine/index.ts';

export const ANNOTATED = 'plant';

/** About a time of so many ms since 1970, of the whole dataset. */
export function contentAt(ms: number, text: string, rest: Partial<AnnotationContent> = {}): AnnotationContent {
  return { start: { ms, ticks: 0 }, end: undefined, tag: undefined, text, ...rest };
}

export async function makeAnnotated(engine: Engine): Promise<void> {
  await engine.createDataset({ name: ANNOTATED, purgeAgeDays: 0, purgeSizeGb: 0 });
}

/** Annotations of the dataset, as lines that can be compared. */
export function linesOf(annotations: Iterable<Annotation>): string[] {
  return [...annotations].map((one) => JSON.stringify(Object.entries(one).sort())).sort();
}

export const ANY_REVISION = (): void => {};
