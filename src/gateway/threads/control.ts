// The messages between the main thread and a gateway thread beside their rings: few, and not on the
// path of a request.
import type { ListedInstrument } from '../../contract/trading/orders.ts';
import type { CpuSlot } from '../../engine/thread-cpu.ts';
import type { KeyTerms } from '../../identity/live-key.ts';

/** Wakes the reader of a ring; a number, since it is the one message that is sent often. */
export const WAKE = 0;

/** Keys that a thread knows. Both sides keep the newest, so a dropped one is taught again. */
export const MAX_TAUGHT = 20_000;

export interface ThreadStart {
  readonly type: 'start';
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The ids that it gives to requests begin with it. */
  readonly idPrefix: string;
  readonly incoming: SharedArrayBuffer;
  readonly outgoing: SharedArrayBuffer;
  /** It reports its processor time there, a few times a second. */
  readonly cpu: CpuSlot;
}

/** The terms of a key that its commands show. */
export type KeyCaller = Pick<KeyTerms, 'keyId' | 'uid' | 'strictClOrdId' | 'replayGuard'>;

/** A key that may place orders, for a thread to check signatures with. */
export interface TaughtKey extends KeyCaller {
  readonly apiKey: string;
  readonly secret: Uint8Array;
}

export type ToThread =
  | typeof WAKE
  | ThreadStart
  | {
      readonly type: 'instruments';
      readonly instruments: readonly (ListedInstrument | undefined)[];
    }
  | { readonly type: 'key'; readonly key: TaughtKey }
  | { readonly type: 'stop' };

export type FromThread =
  | typeof WAKE
  | { readonly type: 'listening'; readonly port: number }
  /** It could not listen. */
  | { readonly type: 'refused'; readonly error: Error }
  | { readonly type: 'stopped' };
