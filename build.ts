// Generates the code of the SDK and of the ccxt class that repeats the contract, then builds both
// and the web UI into dist/. npm runs it after `npm ci` and before `npm start` and `npm test`.
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeClientCode } from './docs/sdk/generate.ts';
import { buildCcxt } from './src/ccxt/build.ts';
import { buildSdk } from './src/sdk/build.ts';
import { buildWeb } from './web/build.ts';

writeClientCode();
await Promise.all([buildWeb(), buildSdk(), buildCcxt()]);

// `npx agio` finds the program here. Without the link npm would build the checkout again at each call,
// which a user who may not write to the checkout cannot.
const programs = join(import.meta.dir, 'node_modules/.bin');
const link = join(programs, 'agio');
if (existsSync(programs) && !existsSync(link)) symlinkSync('../../bin/agio', link);
