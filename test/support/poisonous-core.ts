// Preloaded into a server (BUN_OPTIONS), it makes a credit end the process: by a broken invariant,
// by a kill such as the one for want of memory, or by the same in the follower's thread only.
import { isMainThread } from 'node:worker_threads';
import { InvariantError } from '../../src/core/assert.ts';
import { patchFollower } from './patched-follower.ts';

export const POISONS = {
  throws: 'throws',
  kills: 'kills',
  killsFollower: 'killsFollower',
} as const;

async function poison(): Promise<void> {
  const { Exchange } = await import('../../src/core/exchange.ts');
  const { applyNext } = Exchange.prototype;
  Exchange.prototype.applyNext = function (seq, time, command) {
    const reference = command.type === 'transferFunds' ? command.reference : '';
    if (reference === POISONS.throws) throw new InvariantError('this command is poisonous');
    if (reference === (isMainThread ? POISONS.kills : POISONS.killsFollower)) {
      process.kill(process.pid, 'SIGKILL');
      for (;;);
    }
    return applyNext.call(this, seq, time, command);
  };
}

// Another preload or test may only want the names.
if (process.env.BUN_OPTIONS?.includes('poisonous-core') === true) {
  if (isMainThread) await poison();
  await patchFollower(import.meta.url, poison);
}
