// Writes sample.txt again, after a change of make-sample.ts: `bun test/replay/main.ts`.
import { join } from 'node:path';
import { makeSample } from './make-sample.ts';

await Bun.write(join(import.meta.dir, 'sample.txt'), makeSample());
