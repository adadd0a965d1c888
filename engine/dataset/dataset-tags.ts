// The tags of a dataset in memory: by name, by id, in order; ids that are taken. Their points and files are elsewhere.

import { EngineError } from '../errors.ts';
import { FIRST_USER_TAG_ID, SYSTEM_PREFIX } from '../limits.ts';
import { FormerTagNames } from '../tag/former-names.ts';
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
  readonly former: FormerTagNames;
  readonly sorted = new SortedTags(this.names);
  readonly systemNames = new Map<string, Tag>();
  readonly byId = new TagsById();
  /** Tags with the late points of others, by the ids of those. */
  readonly late = new Map<number, Tag>();
  /** Ids of deleted tags: their files may be removed. */
  readonly tombstones = new TagIdSet();
  nextId = FIRST_USER_TAG_ID;

  /** @param nowMs the wall clock */
  constructor(nowMs: () => number) {
    this.former = new FormerTagNames(this.names, nowMs);
  }

  /** By name, or by a former one: the user tag, else the system tag; `$System.<name>` is always the system tag. */
  find(name: string): Tag | undefined {
    const user = this.names.find(name) ?? this.former.leading(name)?.tag;
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
    if (!tag) throw this.notFound([name]);
    return tag;
  }

  /** The error for tags that are not there, one or more; it tells what the first was renamed to. */
  notFound(names: readonly string[]): EngineError {
    const name = names[0] as string;
    const renamedTo = this.former.lastOf(name)?.tag.name;
    const hint = renamedTo === undefined ? '' : ` It was renamed to '${renamedTo}'.`;
    const details = { name, names, ...(renamedTo !== undefined && { renamedTo }) };
    return new EngineError('TAG_NOT_FOUND', `Tag '${name}' could not be found.${hint}`, details);
  }

  /** Throws TAG_RENAMED when the name of a tag to be made leads to one that was renamed. */
  checkNotFormer(name: string): void {
    const renamedTo = this.former.leading(name)?.tag.name;
    if (renamedTo === undefined) return;
    const message = `Tag '${name}' was renamed to '${renamedTo}'; write under that name.`;
    throw new EngineError('TAG_RENAMED', message, { name, renamedTo });
  }

  /** Adds a tag to memory; `id` undefined assigns the next one. */
  add(definition: TagDefinition, id: number | undefined): Tag {
    const tag = new Tag(id ?? this.nextId, definition);
    this.nextId = Math.max(this.nextId, tag.id + 1);
    this.byId.add(tag);
    if (tag.isLate) this.late.set(ownerOfLate(tag.name) as number, tag);
    else if (tag.isSystem) this.systemNames.set(definition.name, tag);
    else this.names.add(definition.name, tag);
    this.former.note(tag, definition);
    return tag;
  }

  /** A tag gets another name; of the two definitions `from` is the present one. */
  rename(tag: Tag, from: TagDefinition, to: TagDefinition): void {
    this.former.forget(tag, from);
    this.names.delete(from.name);
    tag.definition = to;
    this.names.add(to.name, tag);
    this.former.note(tag, to);
  }

  /** Call it by `Dataset.removeTag`, which tells the owners of the tag's other parts. */
  remove(tag: Tag): void {
    tag.deleted = true;
    this.byId.delete(tag.id);
    if (tag.isLate) this.late.delete(ownerOfLate(tag.name) as number);
    this.hide(tag);
  }

  /** Frees a tag's name, unless a newer tag already has it, and its former ones. */
  hide(tag: Tag): void {
    if (this.names.find(tag.name) === tag) this.names.delete(tag.name);
    this.former.forget(tag, tag.definition);
  }

  /** Takes `hide` back. */
  show(tag: Tag): void {
    this.names.add(tag.name, tag);
    this.former.note(tag, tag.definition);
  }
}
