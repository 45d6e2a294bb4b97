// Preloaded into a server (BUN_OPTIONS), it makes the follower's thread diverge: a credit with the
// reference DIVERGES gives 5 BTC more there.
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { VENUE } from '../../src/core/ledger/ledger.ts';
import { amount } from '../../src/core/units.ts';
import { patchFollower } from './patched-follower.ts';

export const DIVERGES = 'diverges';
const FIVE_BTC = amount(500_000_000);

await patchFollower(import.meta.url, async () => {
  const { Exchange } = await import('../../src/core/exchange.ts');
  const { applyNext } = Exchange.prototype;
  Exchange.prototype.applyNext = function (seq, time, command) {
    const outcome = applyNext.call(this, seq, time, command);
    if (command.type === 'transferFunds' && command.reference === DIVERGES) {
      const { ledger } = this.state;
      const { uid, assetId } = command;
      const customer = ledger.account(uid, assetId, AccountCode.available);
      ledger.transfer(ledger.account(VENUE, assetId, AccountCode.external), customer, FIVE_BTC);
    }
    return outcome;
  };
});
