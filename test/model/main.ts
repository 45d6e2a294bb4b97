// Long runs of the model on demand: `npm run model -- --commands 1000000 --seed 1` for trading,
// `npm run model -- --earn --days 365 --seed 1` for earn, `npm run model -- --nearest 100000` for
// the nearest values of rejections. Each seed is a fresh venue; the profiles
// are described in workload.ts and earn-lockstep.ts. Prints what the run met and how fast it was.
import { parseArgs } from 'node:util';
import { compare } from './compare.ts';
import { compareEarn } from './earn-compare.ts';
import { sendNearestBack } from './nearest.ts';
import { PROFILES } from './workload.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    profile: { type: 'string' },
    earn: { type: 'boolean', default: false },
    days: { type: 'string', default: '365' },
    nearest: { type: 'string' },
  },
});
const seed = Number(values.seed);
const start = performance.now();
const perSecond = (done: number): string =>
  `${Math.round((done / (performance.now() - start)) * 1000)} a second`;

try {
  if (!Number.isSafeInteger(seed)) usage();
  if (values.nearest !== undefined) runNearest(Number(values.nearest));
  else if (values.earn) runEarn(Number(values.days));
  else runTrading(Number(values.commands));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

function usage(): never {
  console.error(
    'usage: npm run model -- --seed <integer> --commands <count> ' +
      `--profile ${PROFILES.join('|')}\n` +
      '       npm run model -- --seed <integer> --earn --days <count> ' +
      '--profile drained|interleaved\n' +
      '       npm run model -- --seed <integer> --nearest <rejections>',
  );
  process.exit(2);
}

function runTrading(commands: number): void {
  const asked = values.profile ?? 'mixed';
  const profile = PROFILES.find((name) => name === asked);
  if (!Number.isSafeInteger(commands) || commands <= 0 || profile === undefined) usage();
  const every = Math.max(1_000, Math.floor(commands / 20 / 1_000) * 1_000);
  const branches = compare({ seed, commands, profile }, (done) => {
    if (done % every === 0) console.log(`${done} commands, ${perSecond(done)}`);
  });
  console.log(branches.toString());
  console.log(`seed ${seed}: ${commands} commands without a difference, ${perSecond(commands)}`);
}

/** Without a profile, a life of each. */
function runEarn(days: number): void {
  const all = ['drained', 'interleaved'] as const;
  const asked = all.filter((name) => name === (values.profile ?? name));
  if (!(days > 0) || asked.length === 0) usage();
  for (const profile of asked) {
    let next = 0;
    const result = compareEarn({ seed, days, profile }, (passed) => {
      if (passed < next) return;
      next = passed + days / 10;
      console.log(`${profile}: day ${Math.floor(passed)} of ${days}`);
    });
    console.log(result.branches.toString());
    console.log(
      `seed ${seed}, ${profile}: ${result.commands} commands over ${days} days, no difference; ` +
        `${result.terms} terms add up as promised, ${result.lives} subscriptions as paid`,
    );
  }
}

function runNearest(rejections: number): void {
  if (!(rejections > 0)) usage();
  const { sentBack, fields } = sendNearestBack(seed, rejections);
  for (const [field, times] of fields) console.log(`${field}: ${times}`);
  console.log(
    `seed ${seed}: ${rejections} rejections, ${sentBack} nearest values sent back, 0 rejected, ` +
      perSecond(rejections),
  );
}
