// The bytes of commands are permanent: a journal that was written by any version is read by every
// later one. test/journals has recorded commands; here are the others, and fields that those do not
// tell apart. A changed form fails here: give the command a new tag instead.
import { describe, expect, test } from 'bun:test';
import { BinaryWriter } from '../core/binary.ts';
import type { BatchEntry, Command, CommandType } from '../core/command.ts';
import { AccountCode } from '../core/ledger/account-code.ts';
import { OLDEST_RULES, RULES } from '../core/rules.ts';
import { amount, lots, ticks } from '../core/units.ts';
import { decodeBatch, encodeBatch } from './codec.ts';

const signature = { keyId: 3, timestamp: 1_700_000_000_000, digestHigh: 5, digestLow: 0xfffffffe };
const idempotency = { key: 'key-1', digest: 'abc' };
const terms = {
  planName: 'Savings',
  minRate: 1,
  maxRate: 2,
  userAmountMin: amount(3),
  userAmountMax: amount(10n ** 20n),
  poolCapacity: null,
  redeemLockHours: 4,
  supportEarlyRedemption: true,
  supportAutoRenew: false,
  requiresKyc: true,
  label: 'hot',
  booster: { assetId: 1, ratio: 2, rate: 3 },
  open: true,
};

/** A field of each that the samples of test/journals leave at one value would not show there. */
const SAMPLES = {
  massCancel: { uid: 1, signature: null, idempotency, securityId: 2, clOrdId: '' },
  amendUser: { uid: 1, kyc: null, suspended: true, makerFee: -1, takerFee: 5, maxOpenOrders: 10 },
  amendInstrument: {
    securityId: 1,
    minQuantity: lots(2),
    minNotional: null,
    makerFee: null,
    takerFee: 7,
    selfTradePrevention: null,
    priceBand: 9,
    status: 1,
  },
  createPlan: {
    planType: 3,
    assetId: 1,
    minLockDay: 7,
    maxLockDay: 30,
    rewardFrequency: 1,
    autoCompound: true,
    ...terms,
  },
  amendPlan: { planId: 1, ...terms, booster: null },
  forgetKey: { keyId: 1000 },
  spendSignature: { uid: 7, signature, idempotency: null },
  advanceClock: { milliseconds: 1000 },
  amendAsset: { assetId: 2, scale: 8 },
  removeAsset: { assetId: 2 },
  cancelOrders: { uid: 7, securityId: 2 },
  amendOrder: {
    uid: 1,
    signature,
    idempotency: null,
    securityId: 2,
    orderId: 7,
    origClOrdId: 'a',
    clOrdId: '',
    orderQty: lots(3),
    price: null,
    stopPx: ticks(4),
    displayQty: lots(0),
    expireTime: null,
    bracket: { takeProfitPx: ticks(9), stopPx: ticks(0), stopLimitPx: ticks(5), trail: -3 },
  },
  placeOco: {
    uid: 1,
    signature: null,
    idempotency,
    securityId: 2,
    side: 2,
    orderQty: lots(300),
    price: ticks(5_000_000),
    stopPx: ticks(4_000_000),
    stopLimitPx: ticks(3_999_999),
    trail: -2_000,
    timeInForce: 6,
    expireTime: 1_700_000_000_000,
    selfTradePrevention: 0,
    clOrdId: 'a',
    stopClOrdId: '',
    strictClOrdId: true,
  },
  withdrawIncome: {
    account: AccountCode.enterpriseMargin,
    planId: 0,
    enterpriseId: 1,
    assetId: 2,
    amount: amount(10n ** 20n),
    reference: 'r',
  },
} satisfies { readonly [T in CommandType]?: Omit<Extract<Command, { type: T }>, 'type'> };

function entryOf(type: BatchEntry['type'] & keyof typeof SAMPLES): BatchEntry {
  const { uid, signature: _, idempotency: __, ...fields } = SAMPLES[type];
  return { type, ...fields } as BatchEntry;
}

const COMMANDS: readonly Command[] = [
  ...Object.entries(SAMPLES).map(([type, fields]) => ({ ...fields, type }) as Command),
  {
    ...{ type: 'orderBatch', uid: 1, signature, idempotency },
    entries: [entryOf('amendOrder'), entryOf('placeOco')],
  },
];

const TIME = 1_700_000_000_123;
const hexOf = (command: Command): string =>
  Buffer.from(encodeBatch(new BinaryWriter(), { time: TIME, commands: [command] })).toString('hex');

/** In the order of COMMANDS. The first byte is the version of the rules. */
const BYTES: readonly string[] = [
  '03fbd095ffbc310103010001056b65792d31036162630200',
  '03fbd095ffbc31010601000101010101010005010a',
  '03fbd095ffbc310109010102000001070001090101',
  '03fbd095ffbc31010d0301071e010107536176696e6773010200030211353662633735653264363331303030' +
    '3030000401000103686f740101020301',
  '03fbd095ffbc31010e0107536176696e67730102000302113536626337356532643633313030303030000401' +
    '000103686f740001',
  '03fbd095ffbc31011ee807',
  '03fbd095ffbc31012c07010380d095ffbc3105feffffff0f00',
  '03fbd095ffbc31010be807',
  '03fbd095ffbc3101290208',
  '03fbd095ffbc31012a02',
  '03fbd095ffbc3101160702',
  '03fbd095ffbc31012001010380d095ffbc3105feffffff0f0002070161000103000104010000010900050103',
  '03fbd095ffbc310121010001056b65792d31036162630202ac02c096b1028092f401ff91f40101d00f0680d0' +
    '95ffbc31010001610001',
  '03fbd095ffbc3101180a000102021135366263373565326436333130303030300172',
  '03fbd095ffbc31012201010380d095ffbc3105feffffff0f01056b65792d3103616263022002070161000103' +
    '000104010000010900050103210202ac02c096b1028092f401ff91f40101d00f0680d095ffbc31010001610001',
];

describe('the codec', () => {
  test('writes each command as it always has, and reads it', () => {
    expect(COMMANDS.map(hexOf)).toEqual([...BYTES]);
    const read = BYTES.map((hex) => decodeBatch(Buffer.from(hex, 'hex')));
    expect(read).toEqual(
      COMMANDS.map((command) => ({ rules: RULES, time: TIME, commands: [command] })),
    );
  });

  test('rejects a batch under unknown rules, and one with more behind its last command', () => {
    const bytes = Buffer.from(BYTES[0]!, 'hex');
    const other = Buffer.from(bytes);
    other[0] = RULES + 1;
    expect(() => decodeBatch(other)).toThrow(
      `by a newer release of agio, with version ${RULES + 1} of the rules, and this release reads`,
    );
    other[0] = OLDEST_RULES - 1;
    expect(() => decodeBatch(other)).toThrow('by an older release of agio');
    expect(() => decodeBatch(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(
      'a batch ends with its last command',
    );
  });
});
