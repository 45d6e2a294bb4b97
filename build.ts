// Generates the code of the SDK and of the ccxt class that repeats the contract, then builds both
// and the web UI into dist/. npm runs it after `npm ci` and before `npm start` and `npm test`.
import { writeClientCode } from './docs/sdk/generate.ts';
import { buildCcxt } from './src/ccxt/build.ts';
import { buildSdk } from './src/sdk/build.ts';
import { buildWeb } from './web/build.ts';

writeClientCode();
await Promise.all([buildWeb(), buildSdk(), buildCcxt()]);
