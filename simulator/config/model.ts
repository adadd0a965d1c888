// A checked configuration, as the generator uses it: sequences with their instances, every name and text filled in.

import type { TagObject } from '../../forward/historian-client.ts';
import type { SequenceSource } from './document/schema.ts';
import type { EntryTemplate, NumberRange } from './entries.ts';
import type { TagType } from './tag-types.ts';

export interface StepDefinition {
  readonly value: NumberRange;
  readonly durationMinutes: NumberRange;
}

export interface TagDefinition {
  readonly object: TagObject;
  readonly type: TagType;
  /** One for each step: where the template has fewer, its last stands for the rest. */
  readonly entries: readonly EntryTemplate[];
  /** For each step the index of the tag that it integrates among the instance's tags; -1 where it integrates none. */
  readonly sources: readonly number[];
  /** The map's fields and the tag's own, for texts. */
  readonly fields: ReadonlyMap<string, string>;
}

export interface InstanceDefinition {
  readonly sequence: SequenceDefinition;
  readonly index: number;
  /** Name of the instance's stream of random numbers: the sequence's name and the values of its map fields. */
  readonly key: string;
  readonly tags: readonly TagDefinition[];
  /** Places in `tags`, every integrated tag before those that integrate it. */
  readonly order: readonly number[];
}

export interface SequenceDefinition {
  readonly name: string;
  readonly source: SequenceSource;
  /** Hash of the definition: equal when it means the same. */
  readonly hash: string;
  readonly steps: readonly StepDefinition[];
  readonly instances: readonly InstanceDefinition[];
}

export interface Plant {
  readonly backfillDays: number;
  readonly stateFolder: string | undefined;
  readonly sequences: readonly SequenceDefinition[];
}
