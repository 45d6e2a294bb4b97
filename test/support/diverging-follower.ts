// Preloaded into a server (BUN_OPTIONS), it makes the follower's thread diverge: a credit with the
// reference DIVERGES gives 5 BTC more there. The thread is found by the name of its script.
import { isMainThread } from 'node:worker_threads';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { VENUE } from '../../src/core/ledger/ledger.ts';
import { amount } from '../../src/core/units.ts';

declare const self: Worker;

export const DIVERGES = 'diverges';
const FIVE_BTC = amount(500_000_000);
const THREAD = 'follower-worker.ts';

if (isMainThread) {
  const Original = globalThis.Worker;
  globalThis.Worker = class extends Original {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(String(script).endsWith(THREAD) ? import.meta.url : script, options);
    }
  };
} else {
  // The first messages come while the modules below are read.
  const early: MessageEvent[] = [];
  self.onmessage = (message: MessageEvent) => void early.push(message);
  const { Exchange } = await import('../../src/core/exchange.ts');
  const { apply } = Exchange.prototype;
  Exchange.prototype.apply = function (seq, time, command) {
    const outcome = apply.call(this, seq, time, command);
    if (command.type === 'transferFunds' && command.reference === DIVERGES) {
      const { ledger } = this.state;
      const { uid, assetId } = command;
      const customer = ledger.account(uid, assetId, AccountCode.available);
      ledger.transfer(ledger.account(VENUE, assetId, AccountCode.external), customer, FIVE_BTC);
    }
    return outcome;
  };
  await import('../../src/engine/follower-worker.ts');
  for (const message of early) self.onmessage?.(message);
}
