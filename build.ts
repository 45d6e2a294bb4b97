// Builds what is not run as it stands: the pages of the user interface, the SDK and the ccxt class, into dist/. npm runs it after `npm ci` and
// before `npm start` and `npm test`.
import { buildCcxt } from './src/ccxt/build.ts';
import { buildSdk } from './src/sdk/build.ts';
import { buildWeb } from './web/build.ts';

await Promise.all([buildWeb(), buildSdk(), buildCcxt()]);
