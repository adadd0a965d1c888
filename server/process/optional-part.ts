// Parts of the program that need a package of `optionalDependencies`, which a clone may lack: loaded when they are asked for.

/** Its message names the package and says how it is installed. */
export class MissingPackage extends Error {}

/** `asker` is what the user has asked for, such as `--mqtt`. Rejects with `MissingPackage` where a package is missing. */
export async function loadPart<T>(asker: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const name = missingPackageOf(error);
    if (name === undefined) throw error;
    throw new MissingPackage(
      `${asker} needs the package ${name}, which is not installed. Run this in the folder of the program, then try again: npm ci --ignore-scripts --omit=dev (a clone), or npm install --ignore-scripts ${name} (a package)`,
      { cause: error },
    );
  }
}

function missingPackageOf(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  return /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'][^/']*)/.exec((error as Error).message)?.[1];
}
