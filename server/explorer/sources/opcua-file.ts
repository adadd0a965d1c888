// The configuration of a collector (opcua.json) made of what was ticked. A path names a variable as people read it; one that no path can
// name, since a name in it has a slash or a star, or a sibling has the same name, is named by its id.

export interface Pick {
  readonly id: string;
  /** Names from the Objects folder down. */
  readonly path: readonly string[];
  /** Everything below it. */
  readonly isFolder: boolean;
  /** No other node has this path. */
  readonly isUnique: boolean;
}

export interface FileParts {
  readonly endpoint: string;
  readonly dataset: string;
  readonly securityPolicy: string;
  readonly user: string;
}

const NO_PATTERN = /^[^/*]+$/;

export function formatOpcUaFile(parts: FileParts, picks: readonly Pick[]): string {
  const { endpoint, dataset, securityPolicy, user } = parts;
  const named = picks.filter(isNamedByPath);
  const paths = named.map(({ path, isFolder }) => path.join('/') + (isFolder ? '/**' : ''));
  const others = picks.filter((pick) => !isNamedByPath(pick) && !pick.isFolder);
  const file = {
    target: { dataset },
    endpoints: [endpoint],
    ...(securityPolicy === 'None' ? {} : { securityPolicy }),
    ...(user === '' ? {} : { user, password: { environment: 'OPCUA_PASSWORD' } }),
    nodes: [
      ...(paths.length === 0 ? [] : [{ paths }]),
      ...(others.length === 0 ? [] : [{ ids: others.map(({ id }) => id), name: '{browsePath} {nodeId}' }]),
    ],
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Whether a folder can be ticked, and a variable is known by its path. */
export function isNamedByPath({ path, isUnique }: Pick): boolean {
  return isUnique && path.every((name) => NO_PATTERN.test(name));
}
