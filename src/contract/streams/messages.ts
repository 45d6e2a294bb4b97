// The messages of a websocket: frames around data in the form of the REST calls, the changes of a
// book, and the checksum that proves a client's book.
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Amount, Ticks } from '../../core/units.ts';
import { formatSteps } from '../decimal.ts';
import { stringify } from '../json.ts';
import type { Problem } from '../problem.ts';
import type { RequestId, Subject } from './requests.ts';

/** The members that name a subscription in each of its messages, as JSON text without braces. */
export function subjectText({ channel, symbol, depth, interval }: Subject): string {
  let members = `"channel":${stringify(channel)}`;
  if (symbol !== null) members += `,"symbol":${stringify(symbol)}`;
  if (depth !== null) members += `,"depth":${depth}`;
  if (interval !== null) members += `,"interval":${stringify(interval)}`;
  return members;
}

export const idText = (id: RequestId | undefined): string =>
  id === undefined ? '' : `,"id":${stringify(id)}`;

/** The answer to `subscribe` and `unsubscribe`. */
export const acknowledgement = (
  op: 'subscribed' | 'unsubscribed',
  subject: Subject,
  id: RequestId | undefined,
): string => `{"op":"${op}",${subjectText(subject)}${idText(id)}}`;

export const loggedInMessage = (uid: number, id: RequestId | undefined): string =>
  `{"op":"loggedIn","uid":${uid}${idText(id)}}`;

/** `serverTime` is the clock that signatures are checked against, ms. */
export const pongMessage = (serverTime: number, seq: number, id: RequestId | undefined): string =>
  `{"op":"pong","serverTime":${serverTime},"seq":${seq}${idText(id)}}`;

/** The error body of the contract, as a message. */
export const errorMessage = (problem: Problem, id: RequestId | undefined): string =>
  `{"op":"error",${stringify(problem.body()).slice(1, -1)}${idText(id)}}`;

/** `withinMs`: when the server will close the connection. */
export const shutdownMessage = (withinMs: number): string =>
  `{"op":"serverShutdown","withinMs":${withinMs}}`;

/** The position of a channel: the seq of its last message. */
export interface Position {
  readonly subject: Subject;
  readonly seq: number;
}

/** `seq` is the journal's; everything up to it has been sent, except book changes in progress. */
export function heartbeatMessage(
  seq: number,
  transactTime: number,
  positions: readonly Position[],
): string {
  const channels = positions.map((at) => `{${subjectText(at.subject)},"seq":${at.seq}}`);
  const head = `"channel":"heartbeat","seq":${seq},"transactTime":${transactTime}`;
  return `{${head},"channels":[${channels.join(',')}]}`;
}

export interface Frame {
  readonly type: 'snapshot' | 'update';
  /** The journal position of the state in the message. */
  readonly seq: number;
  /** The seq of the previous message of the subscription; null in a snapshot. */
  readonly prevSeq: number | null;
  /** Business time of that state, ms. */
  readonly transactTime: number;
}

/** A data message; `members` are its own, as JSON text that begins with a comma. */
export const dataMessage = (subject: string, frame: Frame, members: string): string =>
  `{${subject},"type":"${frame.type}","seq":${frame.seq},"prevSeq":${frame.prevSeq}` +
  `,"transactTime":${frame.transactTime}${members}}`;

/** One side of a book as last sent: prices, best first, and their quantities. */
export interface Ladder {
  readonly prices: Ticks[];
  readonly quantities: Amount[];
}

/** The best `depth` levels of one side. */
export function ladderOf({ book }: Instrument, side: Side, depth: number): Ladder {
  const ladder: Ladder = { prices: [], quantities: [] };
  book.ladder(side).fromBest((level, price) => {
    ladder.prices.push(price);
    ladder.quantities.push(book.levelQuantity(level));
    return ladder.prices.length < depth;
  });
  return ladder;
}

const NO_LADDER: Ladder = { prices: [], quantities: [] };

/** All levels of a ladder as `[price,quantity]`, joined. */
export const ladderText = (instrument: Instrument, ladder: Ladder): string =>
  ladderChanges(instrument, Side.buy, NO_LADDER, ladder);

/**
 * The changes from `before` to `now`, as `[price,quantity]`, joined, best first. Quantity 0 removes
 * a level that is gone or no longer within the depth.
 */
export function ladderChanges(
  { tick, lot }: Instrument,
  side: Side,
  before: Ladder,
  now: Ladder,
): string {
  let text = '';
  const emit = (price: Ticks, quantity: string): void => {
    text += `${text === '' ? '' : ','}[${formatSteps(price, tick)},${quantity}]`;
  };
  const sign = side === Side.buy ? -1 : 1;
  let old = 0;
  for (let i = 0; i < now.prices.length; i++) {
    const price = now.prices[i]!;
    while (old < before.prices.length && (before.prices[old]! - price) * sign < 0) {
      emit(before.prices[old++]!, '0');
    }
    const known = before.prices[old] === price ? before.quantities[old++] : null;
    const quantity = now.quantities[i]!;
    if (known !== quantity) emit(price, formatSteps(quantity, lot));
  }
  while (old < before.prices.length) emit(before.prices[old++]!, '0');
  return text;
}

/** Levels of each side that the checksum covers. */
export const CHECKSUM_LEVELS = 10;

/** The text of the checksum's CRC-32: `price:quantity` of the best levels, bids, a bar, asks. */
export function checksumText(instrument: Instrument, bids: Ladder, asks: Ladder): string {
  return `${sideText(instrument, bids)}|${sideText(instrument, asks)}`;
}

function sideText({ tick, lot }: Instrument, { prices, quantities }: Ladder): string {
  let text = '';
  const count = Math.min(prices.length, CHECKSUM_LEVELS);
  for (let i = 0; i < count; i++) {
    const price = formatSteps(prices[i]!, tick);
    text += `${i === 0 ? '' : ','}${price}:${formatSteps(quantities[i]!, lot)}`;
  }
  return text;
}
