// Many tags: 100,000 of one dataset, ten points each, in requests of 10,000 tags; then a restart after a clean stop and
// one after kill -9. Run: npm run bench scale -- [--tags 100000]

import { parseArgs } from 'node:util';
import { measureRestart, RESTART_ENDS } from '../suites/restart.ts';

const { values } = parseArgs({ options: { tags: { type: 'string', default: '100000' } } });
for (const end of RESTART_ENDS) {
  await measureRestart({ tags: Number(values.tags), end, seed: 1 }, (line) => console.log(line));
}
