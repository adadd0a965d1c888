// What a target can show of tags.

import { AGGREGATE_NAMES } from '../../../engine/index.ts';

export const STATUS_TAG = '$System.Status';

const FORMS: readonly (readonly [value: string, label: string])[] = [
  ['points', 'Points, reduced to the width of the panel'],
  ['table', 'Table of points with their qualities'],
  ['states', 'Annotations: states of the tags'],
  ['statuses', 'Annotations: statuses of the dataset'],
];

export const SHOW_NAMES: readonly string[] = [...FORMS.map(([value]) => value), ...AGGREGATE_NAMES];

export const SHOW_OPTIONS = [
  ...FORMS.map(([value, label]) => ({ label, value })),
  ...AGGREGATE_NAMES.map((name) => ({ label: name, value: name })),
];
