// Records sample journals under the rules of today, before a rule changes: `bun
// test/journals/record.ts` writes them to test/journals/rules-N with the state hashes that they led
// to. replay.test.ts proves that every later version replays them to the same hashes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BinaryWriter } from '../../src/core/binary.ts';
import type { AmendInstrument, Command } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { InstrumentStatus, OrdType, SelfTradePrevention, Side } from '../../src/core/fix.ts';
import { RULES } from '../../src/core/rules.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { EarnLockstep } from '../model/earn-lockstep.ts';
import { EarnWorkload } from '../model/earn-workload.ts';
import { Lockstep } from '../model/lockstep.ts';
import { Workload } from '../model/workload.ts';
import {
  BTC_USDT_TERMS,
  placeOrder,
  type TimedCommand,
  UNCHANGED_INSTRUMENT,
} from '../support/venue.ts';

const SEED = 20_261_122;
const MARK_EVERY = 250;
const SEGMENT_BYTES = 1 << 20;

/** The workload also makes commands with terms out of all bounds, which have no journal form. */
function isEncodable(command: Command): boolean {
  try {
    encodeBatch(new BinaryWriter(), { time: 1, commands: [command] });
    return true;
  } catch {
    return false;
  }
}

function tradingStream(): TimedCommand[] {
  const lockstep = new Lockstep();
  const workload = new Workload(SEED, lockstep.venue, 'mixed');
  const stream: TimedCommand[] = [];
  while (stream.length < 4_000) {
    const timed = workload.next();
    lockstep.step(timed);
    if (isEncodable(timed.command)) stream.push(timed);
  }
  const { state } = lockstep.exchange;
  const time = stream.at(-1)!.time + 1;
  return [
    ...stream,
    ...enterpriseCommands(state.users.length, state.instruments.length, state.assets.length).map(
      (command, i) => ({ time: time + i, command }),
    ),
  ];
}

/** Members of one enterprise that trade with each other; orders in a halted market; a band. */
function enterpriseCommands(nextUid: number, securityId: number, assetId: number): Command[] {
  const order = (uid: number, side: Side, price: number, quantity: number): Command =>
    placeOrder({
      uid,
      side,
      securityId,
      ordType: price === 0 ? OrdType.market : OrdType.limit,
      price: ticks(price),
      orderQty: lots(quantity),
    });
  const credit = (uid: number, asset: number): Command => ({
    type: 'transferFunds',
    direction: 'credit',
    uid,
    assetId: asset,
    amount: amount(1_000_000_000),
    reference: `fixture-${uid}-${asset}`,
  });
  const amend = (change: Partial<AmendInstrument>): Command => ({
    ...UNCHANGED_INSTRUMENT,
    securityId,
    ...change,
  });
  const massCancel = (uid: number, id: number): Command => ({
    type: 'massCancel',
    uid,
    signature: null,
    idempotency: { key: `mass-${uid}-${id}`, digest: 'd' },
    securityId: id,
    clOrdId: '',
  });
  const [a, b, c] = [nextUid, nextUid + 1, nextUid + 2];
  return [
    { type: 'createUser', kyc: true },
    { type: 'createUser', kyc: true },
    { type: 'createUser', kyc: true },
    { type: 'createAsset', asset: 'FIXA', scale: 4, fiat: false },
    { type: 'createAsset', asset: 'FIXB', scale: 4, fiat: false },
    {
      ...BTC_USDT_TERMS,
      symbol: 'FIXA-FIXB',
      baseAsset: 'FIXA',
      quoteAsset: 'FIXB',
      lot: { mantissa: 1, decimals: 2 },
      selfTradePrevention: SelfTradePrevention.cancelNewest,
    },
    ...[a, b, c].flatMap((uid) => [credit(uid, assetId), credit(uid, assetId + 1)]),
    { type: 'createEnterprise', name: 'Fixture' },
    { type: 'assignEnterprise', uid: a, enterpriseId: 1, admin: true },
    { type: 'assignEnterprise', uid: b, enterpriseId: 1, admin: false },
    order(a, Side.sell, 1000, 50),
    order(b, Side.buy, 1000, 20),
    order(c, Side.buy, 1000, 10),
    order(a, Side.sell, 1200, 30),
    amend({ priceBand: 10_000_000 }),
    order(b, Side.buy, 0, 60),
    order(c, Side.buy, 0, 60),
    order(c, Side.sell, 1050, 5),
    amend({ status: InstrumentStatus.HALTED }),
    massCancel(a, securityId),
    massCancel(a, securityId),
    massCancel(c, 0),
    order(c, Side.buy, 900, 5),
    amend({ status: InstrumentStatus.LIVE }),
    massCancel(a, securityId),
    massCancel(c, 0),
  ];
}

function earnStream(): TimedCommand[] {
  const lockstep = new EarnLockstep('interleaved');
  const stream: TimedCommand[] = [];
  const workload = new EarnWorkload(SEED, lockstep.venue, 'interleaved');
  while (workload.days < 45) {
    const timed = workload.next();
    const { seq } = lockstep.exchange.state;
    lockstep.step(timed);
    const slices = lockstep.exchange.state.seq - seq;
    if (timed.command.type === 'drain') {
      for (let i = 0; i < slices; i++)
        stream.push({ time: timed.time, command: { type: 'runTimers' } });
    } else if (isEncodable(timed.command)) stream.push(timed as TimedCommand);
  }
  return stream;
}

async function record(name: string, stream: readonly TimedCommand[]): Promise<void> {
  const target = join(import.meta.dir, `rules-${RULES}`, name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const directory = mkdtempSync(join(tmpdir(), 'agio-record-'));
  const journal = await openFileJournal(directory, { segmentBytes: SEGMENT_BYTES });
  const exchange = new Exchange();
  const writer = new BinaryWriter();
  const marks: Record<number, string> = {};
  for (const { time, command } of stream) {
    const seq = exchange.state.seq + 1;
    const payload = encodeBatch(writer, { time, commands: [command] });
    await journal.append({ firstSeq: seq, count: 1, epoch: 1, payload });
    exchange.apply(seq, time, command);
    if (seq % MARK_EVERY === 0 || seq === stream.length) marks[seq] = exchange.state.stateHash();
  }
  const chainHash = Buffer.from(journal.head.chainHash).toString('hex');
  await journal.close();
  const folder = join(directory, 'journal');
  for (const file of readdirSync(folder)) {
    if (!/^\d+/.test(file)) continue;
    writeFileSync(
      join(target, `${file}.gz`),
      gzipSync(readFileSync(join(folder, file)), { level: 9 }),
    );
  }
  writeFileSync(
    join(target, 'state-hashes.json'),
    `${JSON.stringify({ chainHash, marks }, null, 2)}\n`,
  );
  rmSync(directory, { recursive: true });
  console.log(`${name}: ${stream.length} commands`);
}

await record('trading', tradingStream());
await record('earn', earnStream());
