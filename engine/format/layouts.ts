// Every fixed layout on disk, for the size pins and for the test that holds docs/format.md against the code.

import { BLOCK_HEADER_LAYOUT } from './block-header.ts';
import { BLOCK_STATISTICS_LAYOUT } from './block-statistics.ts';
import type { Layout } from './layout.ts';

export const LAYOUTS: readonly Pick<Layout<never>, 'name' | 'sizeBytes' | 'fields'>[] = [
  BLOCK_HEADER_LAYOUT,
  BLOCK_STATISTICS_LAYOUT,
];
