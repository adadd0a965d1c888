// The tools that tell which datasets and tags there are.

import type { TagDefinition } from '../../../../engine/index.ts';
import { charsOfTag, formatTag } from '../../../codec/write-json/tag-json.ts';
import { createPacer } from '../../../process/pacer.ts';
import { asToolError, MAX_ANSWER_BYTES } from '../inner-call.ts';
import { datasetArgument, datasetOfCall, objectOf, type Tool } from './tool.ts';

const MOST_LISTED = 500;
const USUALLY_LISTED = 100;
/** Most bytes of a page's tags: a page with longer texts has fewer of them. */
const MOST_PAGE_BYTES = MAX_ANSWER_BYTES - 4096;

export const LISTING_TOOLS: readonly Tool[] = [
  {
    name: 'list_datasets',
    title: 'List datasets',
    description: 'The datasets that may be read, each with its rules and how many tags it has.',
    arguments: objectOf({}, []),
    role: 'read',
    async run({ routes, outer }) {
      // The route itself leaves out what the caller may not read.
      return { datasets: await routes.call(outer, { route: 'GET /api/datasets' }) };
    },
  },
  {
    name: 'list_tags',
    title: 'List tags',
    description:
      'The tags of a dataset by name, with description (d), type (t) and units (u: the unit under 1, or the texts of states). Page by page: give `next` as `after`.',
    arguments: objectOf(
      {
        dataset: datasetArgument,
        contains: { type: 'string', maxLength: 1024, description: 'Only names with this in them, whatever the case.' },
        after: {
          type: 'string',
          maxLength: 1024,
          description: 'Only names behind this one: `next` of the page before.',
        },
        limit: { type: 'integer', minimum: 1, maximum: MOST_LISTED, default: USUALLY_LISTED },
        system: { type: 'boolean', description: "true lists the dataset's own system tags instead." },
      },
      ['dataset'],
    ),
    role: 'read',
    async run({ service, outer }, given) {
      const dataset = datasetOfCall(given);
      try {
        outer.caller.require('read', dataset);
        const isAborted = (): boolean => outer.request.aborted;
        const { user, system } = await service.engine.tags(dataset, isAborted);
        const wanted = {
          contains: (given.contains as string | undefined)?.toLowerCase(),
          after: given.after as string | undefined,
          limit: (given.limit as number | undefined) ?? USUALLY_LISTED,
        };
        const { total, found, isWhole } = await findPage(given.system === true ? system : user, wanted, isAborted);
        const page = await pageOf(found);
        const isLast = isWhole && page.length === found.length;
        return { tags: page, total, ...(isLast ? {} : { next: found[page.length - 1]?.name }) };
      } catch (error) {
        throw asToolError(error);
      }
    },
  },
];

interface WantedPage {
  /** In lower case. */
  readonly contains: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

interface FoundPage {
  /** Tags of all pages. */
  readonly total: number;
  readonly found: readonly TagDefinition[];
  /** No tags come behind it. */
  readonly isWhole: boolean;
}

/** Tags come in the order of names. */
async function findPage(
  tags: Iterable<TagDefinition>,
  { contains, after, limit }: WantedPage,
  isAborted: () => boolean,
): Promise<FoundPage> {
  const pacer = createPacer();
  const found: TagDefinition[] = [];
  let total = 0;
  let isWhole = true;
  for (const tag of tags) {
    if (pacer.isDue()) await pacer.yield();
    if (isAborted()) break;
    if (contains !== undefined && !tag.name.toLowerCase().includes(contains)) continue;
    total++;
    if (after !== undefined && tag.name <= after) continue;
    if (found.length < limit) found.push(tag);
    else isWhole = false;
  }
  return { total, found, isWhole };
}

/** The first of the tags, as many as an answer holds. */
async function pageOf(tags: readonly TagDefinition[]): Promise<unknown[]> {
  const page: unknown[] = [];
  const pacer = createPacer();
  let sizeBytes = 0;
  for (const tag of tags) {
    const text = fittingTag(tag);
    sizeBytes += Buffer.byteLength(text) + 1;
    if (sizeBytes > MOST_PAGE_BYTES) break;
    page.push(JSON.parse(text));
    if (pacer.isDueNow()) await pacer.yield();
  }
  return page;
}

/** A tag as text; one that is longer than an answer by itself keeps name and type. */
function fittingTag(tag: TagDefinition): string {
  if (charsOfTag(tag) < MOST_PAGE_BYTES) {
    const text = formatTag(tag);
    if (Buffer.byteLength(text) < MOST_PAGE_BYTES) return text;
  }
  return formatTag({ name: tag.name, type: tag.type });
}
