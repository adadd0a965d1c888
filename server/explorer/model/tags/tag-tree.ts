// The rows of the tag list: flat, or as a tree cut at `/` and `.`.
import type { TagDefinition } from './tag.ts';

export interface ListedTag {
  /** Name in requests to the API. */
  readonly name: string;
  /** Name that is shown and searched. */
  readonly label: string;
  readonly description?: string | undefined;
  readonly unit?: string | undefined;
  readonly tag?: TagDefinition;
}

export interface TagRow {
  /** Unique among the rows: the path of the node. */
  readonly path: string;
  readonly label: string;
  /** From 1. */
  readonly level: number;
  /** The tag that the row is; undefined for a mere branch. */
  readonly tagName: string | undefined;
  /** Tags below it; 0 for a leaf. */
  readonly below: number;
  readonly isOpen: boolean;
}

interface TreeNode {
  /** The beginning of the names below it. */
  readonly path: string;
  /** The last part of the path, with the separator in front. */
  readonly part: string;
  tagName: string | undefined;
  below: number;
  readonly children: Map<string, TreeNode>;
}

export function flatRows(tags: readonly ListedTag[]): TagRow[] {
  return tags.map(({ name, label }) => ({ path: name, label, level: 1, tagName: name, below: 0, isOpen: false }));
}

/** Rows of the branches that `isOpen` says are open, top down. Branches with a single child are joined with it. */
export function treeRows(tags: readonly ListedTag[], isOpen: (path: string) => boolean): TagRow[] {
  const root = createNode('', '');
  for (const tag of tags) insert(root, tag);
  const rows: TagRow[] = [];
  for (const child of root.children.values()) collect(child, 1, isOpen, rows);
  return rows;
}

function createNode(path: string, part: string): TreeNode {
  return { path, part, tagName: undefined, below: 0, children: new Map() };
}

function insert(root: TreeNode, { name, label }: ListedTag): void {
  let node = root;
  for (const part of label.match(/[/.]*[^/.]+|[/.]+$/g) ?? [label]) {
    node.below++;
    let child = node.children.get(part);
    if (child === undefined) {
      child = createNode(`${node.path}${part}`, part);
      node.children.set(part, child);
    }
    node = child;
  }
  node.tagName = name;
}

function collect(node: TreeNode, level: number, isOpen: (path: string) => boolean, rows: TagRow[]): void {
  const { shown, text } = joinSingle(node);
  const open = shown.children.size > 0 && isOpen(shown.path);
  const label = level === 1 ? text : text.replace(/^[/.](?=[^/.])/, '');
  rows.push({ path: shown.path, label, level, tagName: shown.tagName, below: shown.below, isOpen: open });
  if (!open) return;
  for (const child of shown.children.values()) collect(child, level + 1, isOpen, rows);
}

/** A branch that holds nothing but one branch or tag is one row with it. */
function joinSingle(node: TreeNode): { shown: TreeNode; text: string } {
  let shown = node;
  let text = node.part;
  while (shown.tagName === undefined && shown.children.size === 1) {
    shown = [...shown.children.values()][0] as TreeNode;
    text += shown.part;
  }
  return { shown, text };
}
