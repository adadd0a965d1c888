#!/usr/bin/env node
// The installed binary: TypeScript is compiled as it is loaded, in this process.

import { register } from 'tsx/esm/api';

register();
await import('../server/main.ts');
