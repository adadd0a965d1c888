// A variable of a server that is collected, or a part of one: where it was found, the tag it becomes, and what its attributes say.

import type { NodeSelection } from '../../config.ts';
import type { ValuePart } from '../../value-part.ts';

export interface FoundNode {
  readonly nodeId: string;
  readonly path: readonly string[];
  readonly tag: string;
  readonly selection: NodeSelection;
  /** Undefined: the value is taken as it is. */
  readonly part: ValuePart | undefined;
}

export interface DescribedNode extends FoundNode {
  readonly hasHistory: boolean;
  /** Upper less lower end of EURange. */
  readonly span: number | undefined;
}

/** What is monitored at the server: one variable, whatever number of tags its parts become. */
export interface Variable {
  readonly nodeId: string;
  readonly selection: NodeSelection;
  readonly hasHistory: boolean;
  readonly nodes: readonly DescribedNode[];
}

/** Fills in the template of a tag's name. */
export function nameTag(template: string, { nodeId, path, part }: Pick<FoundNode, 'nodeId' | 'path' | 'part'>): string {
  const values: Record<string, string> = {
    browsePath: path.length === 0 ? nodeId : path.join('/'),
    nodeId,
    browseName: path.at(-1) ?? nodeId,
    part: part?.text ?? '',
  };
  const whole = part === undefined || template.includes('{part}') ? template : `${template}{part}`;
  return whole.replace(/\{(browsePath|nodeId|browseName|part)\}/g, (_, key: string) => values[key] ?? '');
}

export function groupByVariable(nodes: readonly DescribedNode[]): Variable[] {
  const bySelection = new Map<NodeSelection, Map<string, DescribedNode[]>>();
  for (const node of nodes) {
    const byId = bySelection.get(node.selection) ?? new Map<string, DescribedNode[]>();
    bySelection.set(node.selection, byId);
    const list = byId.get(node.nodeId);
    if (list === undefined) byId.set(node.nodeId, [node]);
    else list.push(node);
  }
  return [...bySelection].flatMap(([selection, byId]) =>
    [...byId].map(([nodeId, list]) => ({ nodeId, selection, hasHistory: list[0]?.hasHistory ?? false, nodes: list })),
  );
}
