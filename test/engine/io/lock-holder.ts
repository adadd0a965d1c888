// A process of its own that takes the lock on a folder, says so, and holds it until it is killed or its input ends.

import { lockFolder, lockFolderByFile } from '../../../engine/io/folder-lock.ts';

const [folder, way] = process.argv.slice(2) as [string, string];
try {
  const lock = await (way === 'file' ? lockFolderByFile(folder) : lockFolder(folder));
  process.stdout.write('locked\n');
  process.stdin.once('end', () => void lock.release());
  process.stdin.resume();
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ code: (error as { code: string }).code, message: (error as Error).message })}\n`,
  );
}
