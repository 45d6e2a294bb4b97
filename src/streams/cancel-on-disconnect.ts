// Cancel on disconnect: the ordinary mass cancel of an account, in the name of an owner who is not
// there to send it.
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/engine-error.ts';

const TRIES = 100;
const PAUSE_MS = 100;

/**
 * Cancels everything that the account has open. An engine that is overloaded is asked again; throws
 * when that does not help.
 */
export async function cancelAll(engine: Engine, uid: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await engine.submit({
        type: 'massCancel',
        uid,
        signature: null,
        idempotency: null,
        securityId: 0,
        clOrdId: '',
      });
      return;
    } catch (error) {
      const again = error instanceof EngineError && error.kind === 'overloaded' && tries < TRIES;
      if (!again) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}
