// The names of the suites, in the order in which they run.

export const SUITE_NAMES = [
  'ingest',
  'simulator',
  'read',
  'aggregates',
  'mixed',
  'engine',
  'scale',
  'limit',
  'figures',
  'day',
  'peers',
] as const;
export type SuiteName = (typeof SUITE_NAMES)[number];

/** Suites that run only when they are named: they repeat others, or need what is not part of the project. */
export const NAMED_SUITES: readonly SuiteName[] = ['figures', 'day', 'peers'];
