// Cancel on disconnect: the mass cancel of an account, in the name of its absent owner.

import { EngineError, type EngineErrorKind } from '../engine/command-port.ts';
import type { Engine } from '../engine/engine.ts';

/** A later try may succeed. After a lost leader it may be the second one, which harms nobody. */
const PASSING: readonly EngineErrorKind[] = ['overloaded', 'noLeader', 'leaderLost'];
/** The number of tries, and the pause between two. */
const TRIES = 100;
const PAUSE_MS = 100;

export async function cancelAll(engine: Engine, uid: number): Promise<void> {
  const all = { securityId: 0, clOrdId: '' };
  for (let tries = 1; ; tries++) {
    try {
      await engine.submit({ type: 'massCancel', uid, signature: null, idempotency: null, ...all });
      return;
    } catch (error) {
      const mayPass = error instanceof EngineError && PASSING.includes(error.kind);
      if (!mayPass || tries === TRIES) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}
