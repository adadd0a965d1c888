// The points of a tag of a dataset, for functions: whole blocks as digests where these are enough.

import type { Dataset } from '../../dataset/dataset.ts';
import type { ReadGap } from '../../reads.ts';
import type { Tag } from '../../tag/tag.ts';
import type { TagDefinition } from '../../types.ts';
import { AskedTags, type TagChoice } from '../asked-tags.ts';
import type { BlockSource } from '../block-sources.ts';
import { DigestReader } from './digest-reader.ts';
import { readNeededPoints } from './needed-points.ts';
import type { FindSources, NeededPoints, TakePoints, TaskSource } from './task-source.ts';

class DatasetSource implements TaskSource {
  readonly #dataset: Dataset;
  readonly #tag: Tag;

  constructor(dataset: Dataset, tag: Tag) {
    this.#dataset = dataset;
    this.#tag = tag;
  }

  get definition(): TagDefinition {
    return this.#tag.definition;
  }

  async read(needed: NeededPoints, take: TakePoints): Promise<readonly ReadGap[]> {
    const needs = { ...needed, dataset: this.#dataset, tag: this.#tag };
    const { calculation, start } = needed;
    if (calculation === undefined) return readNeededPoints(needs, take);
    const digests = new DigestReader(this.#dataset, start, calculation);
    const takesUnread = (source: BlockSource): boolean => digests.takes(source);
    try {
      return await readNeededPoints({ ...needs, takesUnread }, take);
    } finally {
      digests.close();
    }
  }
}

export function sourcesOf(dataset: Dataset, choice: TagChoice): FindSources {
  return async () => {
    const asked = new AskedTags(dataset, choice);
    await asked.findInSlices();
    return {
      sources: asked.tags.map((tag) => new DatasetSource(dataset, tag)),
      definitionOf: (index) => asked.definitionOf(index),
    };
  };
}
