// The soak of the streams, as long as you like: npm run soak -- --minutes 10 [--seed 1]
import { parseArgs } from 'node:util';
import { soakBooks } from './book-soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const seconds = Number(values.minutes) * 60;
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(seed))
  throw new Error('--minutes above 0, --seed an integer');
const report = await soakBooks(seconds, seed);
process.stdout.write(`${JSON.stringify({ ...values, ...report })}\n`);
process.exit(0);
