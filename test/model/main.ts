// Long runs of the model on demand: `npm run model -- --commands 1000000 --seed 1`. Each seed is a
// fresh venue; the profiles are described in workload.ts. Prints what the run met and how fast it
// was.
import { parseArgs } from 'node:util';
import { compare } from './compare.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    profile: { type: 'string', default: 'mixed' },
  },
});
const commands = Number(values.commands);
const seed = Number(values.seed);
const profile = (['mixed', 'busyKey', 'crowd'] as const).find((name) => name === values.profile);
const counts = Number.isSafeInteger(commands) && commands > 0 && Number.isSafeInteger(seed);
if (!counts || profile === undefined) {
  console.error('usage: npm run model -- --commands <count> --seed <integer> --profile <name>');
  process.exit(2);
}

const start = performance.now();
const perSecond = (done: number): string =>
  `${Math.round((done / (performance.now() - start)) * 1000)} a second`;
const every = Math.max(1_000, Math.floor(commands / 20 / 1_000) * 1_000);
try {
  const coverage = compare({ seed, commands, profile }, (done) => {
    if (done % every === 0) console.log(`${done} commands, ${perSecond(done)}`);
  });
  console.log(coverage.toString());
  console.log(`seed ${seed}: ${commands} commands without a difference, ${perSecond(commands)}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
