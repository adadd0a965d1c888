// The command `varve check <folder>`: prints what the engine's offline check finds.

import { type CheckFinding, type CheckReport, checkUnusedFolder } from '../../engine/index.ts';
import { ExitCode } from '../exit-codes.ts';
import { StartFailure, toOpenFailure } from '../process/start-failure.ts';

/** Checks a data folder, or the folder of one dataset, that no server is using. */
export async function checkData(folder: string): Promise<ExitCode> {
  try {
    const report = await checkUnusedFolder(folder);
    process.stdout.write(formatReport(report));
    return report.clean ? ExitCode.Ok : ExitCode.Failed;
  } catch (error) {
    const failure = toOpenFailure(error, folder);
    if (!(failure instanceof StartFailure)) throw error;
    process.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  }
}

function formatReport({ findings, counts, clean }: CheckReport): string {
  const { datasets, files, blocks, points, journalRecords, bytes } = counts;
  const looked = `${datasets} datasets, ${files} files, ${blocks} blocks, ${journalRecords} journal records, ${points} points, ${bytes} bytes`;
  const verdict = clean ? 'No faults.' : 'There are faults.';
  return `${findings.map(formatFinding).join('')}Checked ${looked}. ${verdict}\n`;
}

function formatFinding({ level, path, offset, message }: CheckFinding): string {
  const position = offset === undefined ? path : `${path}, byte ${offset}`;
  return `${level.padEnd(5)} ${position === '' ? 'the folder' : position}: ${message}\n`;
}
