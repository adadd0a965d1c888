// The named schemas of the OpenAPI description: the very objects that validate.

import { annotationBodySchema, annotationListSchema, annotationSchema } from '../schemas/annotation.ts';
import { healthSchema, problemSchema, readySchema } from '../schemas/answers.ts';
import {
  callerSchema,
  issuedTokenSchema,
  tokenDiscoverySchema,
  tokenFaultSchema,
  tokenRequestSchema,
} from '../schemas/auth.ts';
import { changesAnswerSchema, changesBodySchema } from '../schemas/changes.ts';
import { copiesSchema } from '../schemas/copies.ts';
import {
  correctionListSchema,
  correctionPreviewSchema,
  correctionReceiptSchema,
  correctionSchema,
} from '../schemas/correction.ts';
import { datasetAnswerSchema, datasetBodySchema, datasetListSchema } from '../schemas/dataset.ts';
import { multiTagDataSchema, readBodySchema, rowsSchema, tagDataSchema } from '../schemas/read.ts';
import { sourcesSchema } from '../schemas/sources.ts';
import { statisticsBodySchema, statisticsSchema, tagStatisticsSchema } from '../schemas/statistics.ts';
import {
  tagAnswerSchema,
  tagBodySchema,
  tagListSchema,
  tagNameListSchema,
  tagPostSchema,
  tagRenameSchema,
} from '../schemas/tag.ts';
import {
  columnsAnswerSchema,
  columnsBodySchema,
  cutReceiptSchema,
  receiptSchema,
  statusBodySchema,
  statusPostSchema,
  tagPointsSchema,
  tvqAnswerSchema,
  tvqBodySchema,
  tvqListSchema,
  tvqMapSchema,
} from '../schemas/tvq.ts';
import { viewAnswerSchema, viewBodySchema, viewHeadSchema, viewListSchema } from '../schemas/view.ts';

export const COMPONENT_SCHEMAS = {
  Dataset: datasetBodySchema,
  DatasetAnswer: datasetAnswerSchema,
  DatasetList: datasetListSchema,
  DatasetExists: { type: 'boolean' },
  Tag: tagBodySchema,
  TagAnswer: tagAnswerSchema,
  TagList: tagListSchema,
  TagNames: tagNameListSchema,
  TagPost: tagPostSchema,
  TagRename: tagRenameSchema,
  Tvq: tvqBodySchema,
  TvqAnswer: tvqAnswerSchema,
  TvqList: tvqListSchema,
  Columns: columnsBodySchema,
  ColumnsAnswer: columnsAnswerSchema,
  TagPoints: tagPointsSchema,
  TvqMap: tvqMapSchema,
  StatusPoint: statusBodySchema,
  StatusPost: statusPostSchema,
  Receipt: receiptSchema,
  CutReceipt: cutReceiptSchema,
  ReadBody: readBodySchema,
  ChangesBody: changesBodySchema,
  Changes: changesAnswerSchema,
  TagData: tagDataSchema,
  MultiTagData: multiTagDataSchema,
  Rows: rowsSchema,
  StatisticsBody: statisticsBodySchema,
  Sources: sourcesSchema,
  Copies: copiesSchema,
  TagStatistics: tagStatisticsSchema,
  Statistics: statisticsSchema,
  Annotation: annotationBodySchema,
  AnnotationAnswer: annotationSchema,
  AnnotationList: annotationListSchema,
  Correction: correctionSchema,
  CorrectionList: correctionListSchema,
  CorrectionPreview: correctionPreviewSchema,
  CorrectionReceipt: correctionReceiptSchema,
  View: viewBodySchema,
  ViewHead: viewHeadSchema,
  ViewList: viewListSchema,
  ViewAnswer: viewAnswerSchema,
  TokenRequest: tokenRequestSchema,
  IssuedToken: issuedTokenSchema,
  TokenFault: tokenFaultSchema,
  TokenDiscovery: tokenDiscoverySchema,
  Caller: callerSchema,
  Problem: problemSchema,
  Health: healthSchema,
  Ready: readySchema,
} as const;

export type SchemaName = keyof typeof COMPONENT_SCHEMAS;

/** Headers that answers carry, by name. */
export const HEADERS: Readonly<Record<string, { readonly description: string; readonly type: string }>> = {
  'Historian-Written': { description: 'Points stored.', type: 'integer' },
  'Historian-Ignored': { description: "Points earlier than their tag's newest, dropped.", type: 'integer' },
  'Historian-Repeated': { description: 'Points that were stored already.', type: 'integer' },
  'Historian-Rejected': { description: 'Faulty points left out.', type: 'integer' },
  'Historian-Expired': { description: 'Points that the purge rules would take at once, not stored.', type: 'integer' },
  'Historian-Ahead': { description: 'Points stored though more than a day ahead.', type: 'integer' },
  'Historian-Fault': {
    description: 'The first fault of the points that were left out, as JSON: path and message.',
    type: 'string',
  },
  'Historian-Removed': { description: 'Points taken away.', type: 'integer' },
  'Preference-Applied': { description: 'The preferences of the request that were followed.', type: 'string' },
  'Varve-Reduced': {
    description:
      'The answer is reduced: `points=<n>` to a few points for each of so many intervals, `aggregates` to results of functions.',
    type: 'string',
  },
  ETag: { description: 'The revision of what was answered, in quotes.', type: 'string' },
  Location: { description: 'Where what was made is.', type: 'string' },
  Deprecation: { description: 'This operation gives way to the multiple-tag read.', type: 'string' },
};
