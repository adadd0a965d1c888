// The operations on datasets.

import type { Operation } from '../operation.ts';

const answer = { n: 'Plant', pa: 365, ps: 0, s: 0.0021, c: 240, a: 12.5 };
const body = { n: 'Plant', pa: 365, ps: 0 };

export const DATASET_OPERATIONS: readonly Operation[] = [
  {
    id: 'listDatasets',
    method: 'GET',
    path: '/api/datasets',
    group: 'Datasets',
    summary: 'List datasets',
    answers: [{ status: 200, description: 'All datasets, sorted by name.', schema: 'DatasetList', example: [answer] }],
    problems: [],
  },
  {
    id: 'createDataset',
    method: 'POST',
    path: '/api/datasets',
    group: 'Datasets',
    summary: 'Create a dataset',
    description: 'Another definition under the name of one that is there is refused.',
    body: { schema: 'Dataset', description: 'A key that is null counts as absent.', examples: { plant: body } },
    answers: [
      { status: 201, description: 'Created.', schema: 'DatasetAnswer', example: { ...answer, s: 0, c: 0, a: 0 } },
      { status: 200, description: 'It was there.', schema: 'DatasetAnswer', example: answer },
    ],
    problems: [400, 409, 413],
  },
  {
    id: 'getDataset',
    method: 'GET',
    path: '/api/datasets/{dataset}',
    group: 'Datasets',
    summary: 'Get a dataset',
    answers: [{ status: 200, description: 'The dataset.', schema: 'DatasetAnswer', example: answer }],
    problems: [404],
  },
  {
    id: 'updateDataset',
    method: 'POST',
    path: '/api/datasets/{dataset}',
    group: 'Datasets',
    summary: 'Update a dataset',
    description: 'Creates it when missing. `n` must equal the name in the path.',
    body: {
      schema: 'Dataset',
      description: 'A key that is null counts as absent.',
      examples: { keepTwoYears: { ...body, pa: 730 } },
    },
    answers: [
      { status: 200, description: 'Updated.', schema: 'DatasetAnswer', example: { ...answer, pa: 730 } },
      {
        status: 201,
        description: 'Created.',
        schema: 'DatasetAnswer',
        example: { ...answer, pa: 730, s: 0, c: 0, a: 0 },
      },
    ],
    problems: [400, 413],
  },
  {
    id: 'deleteDataset',
    method: 'DELETE',
    path: '/api/datasets/{dataset}',
    group: 'Datasets',
    summary: 'Delete a dataset and all its data',
    description: 'Irreversible. Copy the folder of the dataset first to keep a backup.',
    answers: [{ status: 200, description: 'Deleted; empty body.' }],
    problems: [404],
  },
  {
    id: 'datasetExists',
    method: 'GET',
    path: '/api/datasets/{dataset}/exists',
    group: 'Datasets',
    summary: 'Is there a dataset of this name?',
    answers: [{ status: 200, description: 'true or false.', schema: 'DatasetExists', example: true }],
    problems: [],
  },
];
