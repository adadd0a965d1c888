// A variable of a server that is collected: where it was found, the tag it becomes, and what its attributes say.

import type { NodeSelection } from '../config.ts';

export interface FoundNode {
  readonly nodeId: string;
  readonly path: readonly string[];
  readonly tag: string;
  readonly selection: NodeSelection;
}

export interface DescribedNode extends FoundNode {
  readonly hasHistory: boolean;
  /** Upper less lower end of EURange. */
  readonly span: number | undefined;
}

/** Fills in the template of a tag's name. */
export function nameTag(template: string, { nodeId, path }: Pick<FoundNode, 'nodeId' | 'path'>): string {
  const values: Record<string, string> = {
    browsePath: path.length === 0 ? nodeId : path.join('/'),
    nodeId,
    browseName: path.at(-1) ?? nodeId,
  };
  return template.replace(/\{(browsePath|nodeId|browseName)\}/g, (_, key: string) => values[key] ?? '');
}
