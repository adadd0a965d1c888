// Every fixed layout on disk, for the tests that pin sizes and compare docs/format.md with the code.

import { BLOCK_HEADER_LAYOUT } from './block/block-header.ts';
import { INDEX_ENTRY, INDEX_FOOTER } from './block/block-index.ts';
import { BLOCK_STATISTICS_LAYOUT } from './block/block-statistics.ts';
import {
  ANNOTATIONS_HEADER,
  CATALOG_HEADER,
  JOURNAL_HEADER,
  SPILL_HEADER,
  TAG_FILE_HEADER,
} from './bytes/file-headers.ts';
import { FRAME_HEADER } from './bytes/frame.ts';
import type { Layout } from './bytes/layout.ts';

export const LAYOUTS: readonly Pick<Layout<never>, 'name' | 'sizeBytes' | 'fields'>[] = [
  BLOCK_HEADER_LAYOUT,
  BLOCK_STATISTICS_LAYOUT,
  INDEX_ENTRY,
  INDEX_FOOTER,
  FRAME_HEADER,
  JOURNAL_HEADER,
  TAG_FILE_HEADER,
  SPILL_HEADER,
  CATALOG_HEADER,
  ANNOTATIONS_HEADER,
];
