// The tags of a dataset in memory: by name, by id, in order; ids that are taken. Their points and files are elsewhere.

import { EngineError } from '../errors.ts';
import { FIRST_USER_TAG_ID, SYSTEM_PREFIX } from '../limits.ts';
import { ownerOfLate } from '../tag/late-tag.ts';
import { SortedTags } from '../tag/listed/sorted-tags.ts';
import { Tag } from '../tag/tag.ts';
import { TagIdSet } from '../tag/tag-id-set.ts';
import { TagNames } from '../tag/tag-names.ts';
import { TagsById } from '../tag/tags-by-id.ts';
import type { PointRun, TagDefinition } from '../types.ts';
import { SYSTEM_ALIASES } from './system-aliases.ts';

export class DatasetTags {
  /** User tags, also those whose request is not durable yet. */
  readonly names = new TagNames();
  readonly sorted = new SortedTags(this.names);
  readonly systemNames = new Map<string, Tag>();
  readonly byId = new TagsById();
  /** Tags with the late points of others, by the ids of those. */
  readonly late = new Map<number, Tag>();
  /** Ids of deleted tags: their files may be removed. */
  readonly tombstones = new TagIdSet();
  nextId = FIRST_USER_TAG_ID;

  /** By name: the user tag, else the system tag; `$System.<name>` is always the system tag. */
  find(name: string): Tag | undefined {
    const user = this.names.find(name);
    return user?.visible ? user : this.findSystem(name);
  }

  /** By its name, with or without `$System.`, or by an alias. */
  findSystem(name: string): Tag | undefined {
    const own = name.startsWith(SYSTEM_PREFIX) ? name.slice(SYSTEM_PREFIX.length) : name;
    return this.systemNames.get(own) ?? this.systemNames.get(SYSTEM_ALIASES.get(name) ?? '');
  }

  /** The tag of a run of points: found by the parser, or by name. */
  ofRun({ tag, name }: PointRun): Tag | undefined {
    return tag instanceof Tag && !tag.deleted && !tag.leaving ? tag : this.names.find(name);
  }

  /** Throws TAG_NOT_FOUND. */
  named(name: string): Tag {
    const tag = this.find(name);
    if (!tag) throw new EngineError('TAG_NOT_FOUND', `Tag '${name}' could not be found.`, { name, names: [name] });
    return tag;
  }

  /** Adds a tag to memory; `id` undefined assigns the next one. */
  add(definition: TagDefinition, id: number | undefined): Tag {
    const tag = new Tag(id ?? this.nextId, definition);
    this.nextId = Math.max(this.nextId, tag.id + 1);
    this.byId.add(tag);
    if (tag.isLate) this.late.set(ownerOfLate(tag.name) as number, tag);
    else if (tag.isSystem) this.systemNames.set(definition.name, tag);
    else this.names.add(definition.name, tag);
    return tag;
  }

  /** Call it by `Dataset.removeTag`, which tells the owners of the tag's other parts. */
  remove(tag: Tag): void {
    tag.deleted = true;
    this.byId.delete(tag.id);
    if (tag.isLate) this.late.delete(ownerOfLate(tag.name) as number);
    this.hide(tag);
  }

  /** Frees a tag's name, unless a newer tag already has it. */
  hide(tag: Tag): void {
    if (this.names.find(tag.name) === tag) this.names.delete(tag.name);
  }
}
