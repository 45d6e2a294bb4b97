// Signatures and Idempotency-Keys for the workloads' customer commands: most are fresh, some repeat
// with the same request or another one, after seconds or after their window.
import type { IdempotencyTag, WriteSignature } from '../../src/core/command.ts';
import type { CustomerWrite } from '../../src/core/once.ts';
import type { Prng } from '../support/prng.ts';

/** How many requests with an Idempotency-Key are kept to be sent again. */
const KEPT_REQUESTS = 400;
const BUSY_KEY = 1;

/** Each user has two keys, and none of them is the busy one. */
export const keyOf = (uid: number, random: Prng): number => uid * 2 + random.below(2);

type OmitEach<U, K extends PropertyKey> = U extends unknown ? Omit<U, K> : never;

/** A customer's command before it is signed. */
export type UnsignedWrite = OmitEach<CustomerWrite, 'signature' | 'idempotency'>;

export class Authorship {
  readonly #random: Prng;
  readonly #busyKey: boolean;
  readonly #signatures: WriteSignature[] = [];
  readonly #requests: (CustomerWrite & { readonly idempotency: IdempotencyTag })[] = [];
  #keysUsed = 0;

  constructor(random: Prng, busyKey: boolean) {
    this.#random = random;
    this.#busyKey = busyKey;
  }

  author(command: UnsignedWrite, time: number): CustomerWrite {
    const random = this.#random;
    if (this.#requests.length > 0 && random.oneIn(30)) return this.#again(command, time);
    const signature = random.percent(this.#busyKey ? 98 : 70)
      ? this.#sign(command.uid, time)
      : null;
    if (!random.percent(12)) return { ...command, signature, idempotency: null };
    const idempotency = { key: `key-${this.#keysUsed++}`, digest: `body-${random.next()}` };
    const request = { ...command, signature, idempotency };
    if (this.#requests.length < KEPT_REQUESTS) this.#requests.push(request);
    else this.#requests[random.below(KEPT_REQUESTS)] = request;
    return request;
  }

  /** An earlier request once more, or its key on another body, or its key of another account. */
  #again(command: UnsignedWrite, time: number): CustomerWrite {
    const random = this.#random;
    const earlier = random.pick(this.#requests);
    if (random.oneIn(5)) return earlier;
    const signature = random.percent(50) ? this.#sign(earlier.uid, time) : null;
    const tag = earlier.idempotency;
    if (random.percent(60)) return { ...earlier, signature };
    if (random.percent(30)) return { ...command, signature, idempotency: tag };
    const idempotency = { key: tag.key, digest: `other-${random.next()}` };
    return { ...command, uid: earlier.uid, signature, idempotency };
  }

  #sign(uid: number, time: number): WriteSignature {
    const random = this.#random;
    if (this.#signatures.length > 0 && random.oneIn(this.#busyKey ? 15 : 60))
      return random.pick(this.#signatures);
    const signature = {
      keyId: this.#busyKey ? BUSY_KEY : keyOf(uid, random),
      timestamp: time + random.between(-5_000, 5_000) - (random.oneIn(200) ? 600_000 : 0),
      digestHigh: random.next(),
      // Few low words, so that different signatures meet in one run of the table.
      digestLow: random.percent(3) ? random.below(50) : random.next(),
    };
    this.#signatures.push(signature);
    return signature;
  }
}
