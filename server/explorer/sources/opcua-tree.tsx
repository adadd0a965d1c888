// The address space of a server, level after level: each is read when it is opened. Variables show their present values, and have a tick;
// so have folders, for everything below them.

import { useEffect, useState } from 'preact/hooks';
import { browseNode, type OpcUaLevel, type OpcUaNode } from '../api/opcua.ts';
import { isNamedByPath, type Pick } from './opcua-file.ts';

const GOOD = 192;
const POOR = 64;

interface TreeProps {
  readonly picks: ReadonlyMap<string, Pick>;
  readonly onPick: (pick: Pick, isPicked: boolean) => void;
}

interface LevelProps extends TreeProps {
  readonly node?: string;
  readonly path: readonly string[];
  readonly isUnique: boolean;
}

export function OpcUaTree(props: TreeProps) {
  return <Level {...props} path={[]} isUnique />;
}

function Level({ node, path, isUnique, ...tree }: LevelProps) {
  const [level, setLevel] = useState<OpcUaLevel>();
  const [fault, setFault] = useState<string>();
  const read = (): void => {
    browseNode(node).then(
      (found) => {
        setLevel(found);
        setFault(undefined);
      },
      (error: unknown) => setFault(error instanceof Error ? error.message : String(error)),
    );
  };
  useEffect(read, [node]);
  if (fault !== undefined) return <p class="form-fault">{fault}</p>;
  if (level === undefined) return <p class="muted">reading…</p>;
  const { nodes, isCut } = level;
  const countOf = (name: string): number => nodes.filter((one) => one.name === name).length;
  const hasValues = nodes.some(({ isVariable }) => isVariable);
  return (
    <>
      {nodes.length === 0 ? <p class="muted">nothing is below it</p> : null}
      <ul class="opcua-level">
        {nodes.map((one) => (
          <Node
            key={one.id}
            {...tree}
            node={one}
            path={[...path, one.name]}
            isUnique={isUnique && countOf(one.name) === 1}
          />
        ))}
      </ul>
      {isCut ? <p class="muted">There are more than {nodes.length}: name the others by a path in the file.</p> : null}
      {hasValues ? (
        <button type="button" class="button quiet" onClick={read}>
          Read the values again
        </button>
      ) : null}
    </>
  );
}

interface NodeProps extends TreeProps {
  readonly node: OpcUaNode;
  readonly path: readonly string[];
  readonly isUnique: boolean;
}

function Node({ node, path, isUnique, picks, onPick }: NodeProps) {
  const { id, name, isVariable } = node;
  const [isOpen, setOpen] = useState(false);
  const pick = { id, path, isFolder: !isVariable, isUnique };
  const canPick = isVariable || isNamedByPath(pick);
  return (
    <li>
      <div class="opcua-node">
        {isVariable ? null : (
          <button
            type="button"
            class="button quiet icon-only"
            aria-expanded={isOpen}
            aria-label={`What is below ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? '−' : '+'}
          </button>
        )}
        <label>
          <input
            type="checkbox"
            checked={picks.has(id)}
            disabled={!canPick}
            onChange={(event) => onPick(pick, event.currentTarget.checked)}
          />{' '}
          {name}
          {isVariable ? null : <span class="muted"> and all below it</span>}
        </label>
        {isVariable ? <Value node={node} /> : null}
      </div>
      {isOpen ? <Level node={id} path={path} isUnique={isUnique} picks={picks} onPick={onPick} /> : null}
    </li>
  );
}

function Value({ node }: { readonly node: OpcUaNode }) {
  const { value, quality, time, type } = node;
  return (
    <span class="opcua-value" title={time}>
      {value ?? 'no value'}
      <small class="muted">
        {' '}
        {type}
        {qualityText(quality)}
      </small>
    </span>
  );
}

function qualityText(quality = GOOD): string {
  if (quality >= GOOD) return '';
  return quality >= POOR ? ', uncertain' : ', bad';
}
