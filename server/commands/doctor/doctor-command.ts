// The command `varve doctor [flags of serve]`: looks at everything that a start depends on, and says what to do.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tokenFilePath } from '../../auth/open-auth.ts';
import { ExitCode } from '../../exit-codes.ts';
import { encodingPlace } from '../../process/encoding-place.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { type Finding, ok } from './finding.ts';
import { lookAtClock, newestChangeMs } from './look-at-clock.ts';
import { lookAtFolder } from './look-at-folder.ts';
import { lookAtPort, lookAtReach } from './look-at-port.ts';
import { lookAtFrontEnd, lookAtOpenFiles, lookAtVersions } from './look-at-program.ts';

const PROGRAM_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const LIMITS_FILE = '/proc/self/limits';

/** Throws a `UsageError` for invalid settings. */
export async function runDoctor(flags: readonly string[]): Promise<ExitCode> {
  const settings = readSettings({ flags, environment: process.env, readFile: (path) => readFileSync(path, 'utf8') });
  const nowMs = Date.now();
  const folder = await lookAtFolder(settings, nowMs);
  const findings: Finding[] = [
    lookAtVersions(process.versions.node),
    lookAtFrontEnd(settings),
    ok(encodingPlace(settings['encoding-thread']).description),
    lookAtOpenFiles(existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, 'utf8') : undefined),
    lookAtClock(nowMs, newestChangeMs([settings.data, PROGRAM_FOLDER])),
    ...folder.findings,
    await lookAtPort(settings, folder.holderPid),
    ...lookAtReach(settings, existsSync(tokenFilePath(settings))),
  ];
  process.stdout.write(findings.map(formatFinding).join(''));
  return findings.some(({ level }) => level === 'error') ? ExitCode.Failed : ExitCode.Ok;
}

function formatFinding({ level, message, fix }: Finding): string {
  return `${level.padEnd(5)} ${message}\n${fix === undefined ? '' : `      fix: ${fix}\n`}`;
}
