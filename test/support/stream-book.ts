// A book that a client keeps from a stream and nothing else: level 2 as prices with quantities,
// level 3 as prices with their orders. It checks the chain of seqs and the checksum of every
// message, and reads as the REST calls do.
import type { Json } from './node.ts';

type Side = 'bids' | 'asks';
const SIDES: readonly Side[] = ['bids', 'asks'];

/** A level of level 2 is `[price, quantity]`, of level 3 `[price, quantity, orders]`. */
type Level = readonly [price: unknown, quantity: unknown, orders?: unknown];

export class StreamBook {
  readonly #levels = { bids: new Map<string, Level>(), asks: new Map<string, Level>() };
  lastUpdateId = -1;
  seq = -1;
  /** Messages that were taken in. */
  count = 0;

  /** Throws where a message does not follow the one before, or the checksum differs. */
  take(message: Json): void {
    const isSnapshot = String(message.type) === 'snapshot';
    if (isSnapshot) {
      for (const side of SIDES) this.#levels[side].clear();
    } else if (Number(message.prevSeq) !== this.seq) {
      throw new Error(`prevSeq ${message.prevSeq} comes after seq ${this.seq}`);
    }
    this.seq = Number(message.seq);
    for (const side of SIDES) {
      for (const level of message[side] as unknown as Level[]) this.#set(side, level);
    }
    if (Number(message.lastUpdateId) < this.lastUpdateId && !isSnapshot) {
      throw new Error('lastUpdateId went back');
    }
    this.lastUpdateId = Number(message.lastUpdateId);
    this.count++;
    const sum = Bun.hash.crc32(this.checksumText());
    if (sum !== Number(message.checksum)) {
      throw new Error(`checksum ${message.checksum}, but ${sum} of ${this.checksumText()}`);
    }
  }

  #set(side: Side, level: Level): void {
    const price = String(level[0]);
    if (String(level[1]) === '0') this.#levels[side].delete(price);
    else this.#levels[side].set(price, level);
  }

  /** Best first. */
  side(side: Side): Level[] {
    const sign = side === 'bids' ? -1 : 1;
    return [...this.#levels[side].values()].sort((a, b) => (Number(a[0]) - Number(b[0])) * sign);
  }

  checksumText(): string {
    const text = (side: Side): string =>
      this.side(side)
        .slice(0, 10)
        .map(([price, quantity]) => `${price}:${quantity}`)
        .join(',');
    return `${text('bids')}|${text('asks')}`;
  }
}
