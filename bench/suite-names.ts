// The names of the suites, in the order in which they run.

export const SUITE_NAMES = [
  'ingest',
  'simulator',
  'read',
  'mixed',
  'engine',
  'scale',
  'limit',
  'figures',
  'day',
] as const;
export type SuiteName = (typeof SUITE_NAMES)[number];
