// Every tool, in the order of the list.

import { LISTING_TOOLS } from './listing-tools.ts';
import { QUALITY_TOOL } from './quality-history.ts';
import { READING_TOOLS } from './reading-tools.ts';
import type { Tool } from './tool.ts';
import { WRITING_TOOL } from './writing-tool.ts';

export const TOOLS: readonly Tool[] = [...LISTING_TOOLS, ...READING_TOOLS, QUALITY_TOOL, WRITING_TOOL];
