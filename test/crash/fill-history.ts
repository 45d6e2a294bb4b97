// The history of one customer with very many fills, in a journal on the disk: orders that rest, are
// taken ten at a time or canceled, under clOrdIds of all kinds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BinaryWriter } from '../../src/core/binary.ts';
import type { Command } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { OrdType, Side } from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { type Checkpoint, checkpointOf } from '../../src/engine/follower.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { Prng } from '../support/prng.ts';
import { BTC_USDT, BTC_USDT_TERMS, VENUE_START } from '../support/venue.ts';

/** The customer with all the fills; the others take. */
export const TRADER = 1;
const TAKERS = 15;
/** Orders that one taker takes. */
const TAKEN = 10;
/** The name of every third order. */
export const REUSED = 'bot';
const COMMANDS_A_RECORD = 500;
const CHECKPOINT_EVERY = 20_000;

export const checkpointsPath = (directory: string): string => join(directory, 'checkpoints.json');

/** Writes it, and the states of the exchange on the way. */
export async function writeFillHistory(directory: string, fills: number, seed: number) {
  const journal = await openFileJournal(directory);
  const exchange = new Exchange();
  const random = new Prng(seed);
  const writer = new BinaryWriter(1 << 16);
  const checkpoints: Checkpoint[] = [];
  let batch: Command[] = [];
  let time = VENUE_START;
  const flush = async (): Promise<void> => {
    const [commands, firstSeq] = [batch, journal.head.seq + 1];
    batch = [];
    const payload = encodeBatch(writer, { time, commands });
    await journal.append({ firstSeq, count: commands.length, epoch: 1, payload });
    time++;
    if (firstSeq >= (checkpoints.at(-1)?.seq ?? 0) + CHECKPOINT_EVERY) {
      checkpoints.push(checkpointOf(exchange));
    }
  };
  const send = async (command: Command): Promise<void> => {
    const outcome = exchange.apply(exchange.state.seq + 1, time, command);
    if (!outcome.ok) throw new Error(`${command.type}: ${outcome.reject.name}`);
    batch.push(command);
    if (batch.length === COMMANDS_A_RECORD) await flush();
  };
  for (const command of venue()) await send(command);
  for (let filled = 0; filled < fills; filled += TAKEN) {
    const side = random.oneIn(2) ? Side.buy : Side.sell;
    for (let i = 0; i < TAKEN; i++) {
      const clOrdId = random.oneIn(3) ? REUSED : random.oneIn(2) ? `seq-${filled + i}` : '';
      await send(order(TRADER, side, 1, clOrdId));
    }
    if (random.oneIn(5)) {
      await send(order(TRADER, side, 1, REUSED));
      await send(cancel(exchange.state.next.orderId - 1));
    }
    const taker = random.between(2, 1 + TAKERS);
    await send(order(taker, side === Side.buy ? Side.sell : Side.buy, TAKEN, ''));
  }
  if (batch.length > 0) await flush();
  await journal.close();
  checkpoints.push(checkpointOf(exchange));
  writeFileSync(checkpointsPath(directory), JSON.stringify(checkpoints));
  return {
    last: checkpoints[checkpoints.length - 1]!,
    middle: Math.ceil((VENUE_START + time) / 2),
  };
}

function* venue(): Generator<Command> {
  yield { type: 'createAsset', asset: 'BTC', scale: 8, fiat: false };
  yield { type: 'createAsset', asset: 'USDT', scale: 8, fiat: false };
  yield BTC_USDT_TERMS;
  for (let uid = 1; uid <= 1 + TAKERS; uid++) {
    yield { type: 'createUser', kyc: true };
    for (const assetId of [0, 1]) {
      const money = { assetId, amount: amount(10 ** 15), reference: `${uid}-${assetId}` };
      yield { type: 'transferFunds', direction: 'credit', uid, ...money };
    }
  }
}

const order = (uid: number, side: Side, quantity: number, clOrdId: string): Command => ({
  type: 'placeOrder',
  ...{ uid, side, clOrdId, securityId: BTC_USDT, ordType: OrdType.limit, price: ticks(100) },
  ...{ orderQty: lots(quantity), quoteOrderQty: amount(0), postOnly: false },
  ...{ signature: null, idempotency: null, strictClOrdId: false, extras: null },
});

const cancel = (orderId: number): Command => ({
  type: 'cancelOrder',
  ...{ uid: TRADER, orderId, origClOrdId: '', clOrdId: 'c', signature: null, idempotency: null },
});
