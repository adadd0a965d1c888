// Suite `engine`: the parts by themselves, in this process: parser, writers of answers, codecs, journal, files, recovery.

import { measureCodecs } from '../micro/codec-cases.ts';
import { measureParser, measureSerialiser } from '../micro/json-cases.ts';
import { measureBlockRead, measureBlockWrite, measureJournal, measureRecovery } from '../micro/storage-cases.ts';
import type { SuiteRun } from '../suite-run.ts';

export async function runEngineSuite(suite: SuiteRun): Promise<void> {
  const limits = { timeMs: suite.size(500, 60), warmUpMs: suite.size(200, 40), iterations: suite.size(20, 5) };
  await measureParser(suite, limits);
  await measureSerialiser(suite, limits);
  await measureCodecs(suite, limits);
  await measureJournal(suite, limits);
  await measureBlockWrite(suite, limits);
  await measureBlockRead(suite, limits);
  await measureRecovery(suite, limits);
}
