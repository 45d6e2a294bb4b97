// The bytes of commands are permanent: a journal that was written by any version is read by every
// later one. Here is one command of each kind with its bytes. A changed form fails here: give the
// command a new tag instead.
import { describe, expect, test } from 'bun:test';
import { BTC_USDT_TERMS } from '../../test/support/venue.ts';
import { BinaryWriter } from '../core/binary.ts';
import type { BatchEntry, Command, CommandType } from '../core/command.ts';
import { AccountCode } from '../core/ledger/account-code.ts';
import { RULES } from '../core/rules.ts';
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

const SAMPLES: { readonly [T in CommandType]: Omit<Extract<Command, { type: T }>, 'type'> } = {
  placeOrder: {
    uid: 1,
    signature,
    idempotency,
    securityId: 2,
    side: 1,
    ordType: 2,
    price: ticks(5_000_000),
    orderQty: lots(300),
    quoteOrderQty: amount(0),
    postOnly: true,
    clOrdId: 'ö-1',
    strictClOrdId: false,
    extras: null,
  },
  cancelOrder: { uid: 1, signature, idempotency: null, orderId: 7, origClOrdId: 'a', clOrdId: 'b' },
  massCancel: { uid: 1, signature: null, idempotency, securityId: 2, clOrdId: '' },
  cancelAllAfter: { uid: 1, signature: null, idempotency: null, timeout: 60_000 },
  createUser: { kyc: true },
  amendUser: { uid: 1, kyc: null, suspended: true, makerFee: -1, takerFee: 5, maxOpenOrders: 10 },
  createAsset: { asset: 'BTC', scale: 8, fiat: false },
  createInstrument: BTC_USDT_TERMS,
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
  transferFunds: { direction: 'credit', uid: 1, assetId: 0, amount: amount(5), reference: 'r' },
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
  fundReserve: { planId: 1, amount: amount(5), reference: 'r' },
  createEnterprise: { name: 'Acme' },
  assignEnterprise: { uid: 1, enterpriseId: 2, admin: true },
  subscribePlan: {
    uid: 1,
    signature: null,
    idempotency,
    planId: 1,
    amount: amount(5),
    lockDay: 7,
    autoRenew: true,
    boosterAmount: amount(2),
    applyId: 0,
  },
  redeemPlan: { uid: 1, signature, idempotency: null, applyId: 3, amount: amount(5) },
  setAutoRenew: { uid: 1, signature, idempotency: null, applyId: 3, autoRenew: false },
  setMargin: { uid: 1, signature, idempotency: null, planId: 3, margin: 4 },
  forgetKey: { keyId: 1000 },
  advanceClock: { milliseconds: 1000 },
  runTimers: {},
  cancelOrders: { uid: 7, securityId: 2 },
  amendEnterprise: { enterpriseId: 1, selfTradePrevention: true },
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
  orderBatch: { uid: 1, signature, idempotency, entries: [] },
  withdrawIncome: {
    account: AccountCode.enterpriseMargin,
    planId: 0,
    enterpriseId: 1,
    assetId: 2,
    amount: amount(10n ** 20n),
    reference: 'r',
  },
  setFeeTiers: {
    table: {
      volumeAssetId: 1,
      rates: [{ assetId: 2, rate: 6_000_000_000_000 }],
      tiers: [{ volume: amount(10n ** 20n), makerFee: 5, takerFee: 300 }],
    },
  },
};
const extras = {
  timeInForce: 6,
  expireTime: 1_700_000_000_000,
  displayQty: lots(5),
  selfTradePrevention: null,
  stopPx: ticks(6),
  triggerPriceDirection: 1,
  trail: 250,
  bracket: { takeProfitPx: ticks(9), stopPx: ticks(3), stopLimitPx: ticks(0), trail: 0 },
} as const;

function entryOf<T extends BatchEntry['type']>(type: T): BatchEntry {
  const { uid, signature: _, idempotency: __, ...fields } = SAMPLES[type];
  return { type, ...fields } as unknown as BatchEntry;
}

const COMMANDS = [
  ...Object.entries(SAMPLES).map(([type, fields]) => ({ ...fields, type }) as Command),
  { ...SAMPLES.transferFunds, type: 'transferFunds', direction: 'debit' } as const,
  { ...SAMPLES.placeOrder, type: 'placeOrder', extras } as const,
  {
    ...SAMPLES.orderBatch,
    type: 'orderBatch',
    entries: [
      entryOf('placeOrder'),
      { ...entryOf('placeOrder'), extras } as BatchEntry,
      entryOf('cancelOrder'),
      entryOf('amendOrder'),
      entryOf('placeOco'),
    ],
  } as const,
];

const TIME = 1_700_000_000_123;
const hexOf = (command: Command): string =>
  Buffer.from(encodeBatch(new BinaryWriter(), { time: TIME, commands: [command] })).toString('hex');

/** In the order of COMMANDS. The first byte is the version of the rules. */
const BYTES: readonly string[] = [
  '01fbd095ffbc31010101010380d095ffbc3105feffffff0f01056b65792d3103616263020102c096b102ac02' +
    '00000104c3b62d310000',
  '01fbd095ffbc31010201010380d095ffbc3105feffffff0f000701610162',
  '01fbd095ffbc310103010001056b65792d31036162630200',
  '01fbd095ffbc310104010000e0d403',
  '01fbd095ffbc31010501',
  '01fbd095ffbc31010601000101010101010005010a',
  '01fbd095ffbc310107034254430800',
  '01fbd095ffbc310108084254432d55534454034254430455534454010201060100010000000000',
  '01fbd095ffbc310109010102000001070001090101',
  '01fbd095ffbc31010a01010000050172',
  '01fbd095ffbc31010d0301071e010107536176696e6773010200030211353662633735653264363331303030' +
    '3030000401000103686f740101020301',
  '01fbd095ffbc31010e0107536176696e67730102000302113536626337356532643633313030303030000401' +
    '000103686f740001',
  '01fbd095ffbc31010f0100050172',
  '01fbd095ffbc3101100441636d65',
  '01fbd095ffbc310111010201',
  '01fbd095ffbc310112010001056b65792d3103616263010005070101000200',
  '01fbd095ffbc31011301010380d095ffbc3105feffffff0f00030005',
  '01fbd095ffbc31011401010380d095ffbc3105feffffff0f000300',
  '01fbd095ffbc31011501010380d095ffbc3105feffffff0f000304',
  '01fbd095ffbc31011ee807',
  '01fbd095ffbc31010be807',
  '01fbd095ffbc31010c',
  '01fbd095ffbc3101160702',
  '01fbd095ffbc3101170101',
  '01fbd095ffbc31012001010380d095ffbc3105feffffff0f0002070161000103000104010000',
  '01fbd095ffbc310121010001056b65792d31036162630202ac02c096b1028092f401ff91f40101d00f0680d0' +
    '95ffbc31010001610001',
  '01fbd095ffbc31012201010380d095ffbc3105feffffff0f01056b65792d310361626300',
  '01fbd095ffbc3101180a000102021135366263373565326436333130303030300172',
  '01fbd095ffbc3101280101010280c0f9decfae01010211353662633735653264363331303030303005ac02',
  '01fbd095ffbc31010a00010000050172',
  '01fbd095ffbc31010101010380d095ffbc3105feffffff0f01056b65792d3103616263020102c096b102ac02' +
    '00000104c3b62d3100010680d095ffbc3105060100fa0100010903000000',
  '01fbd095ffbc31012201010380d095ffbc3105feffffff0f01056b65792d31036162630501020102c096b102' +
    'ac0200000104c3b62d31000001020102c096b102ac0200000104c3b62d3100010680d095ffbc3105060100fa' +
    '01000109030000000207016101622002070161000103000104010000210202ac02c096b1028092f401ff91f4' +
    '0101d00f0680d095ffbc31010001610001',
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
      'a batch has version 2 of the rules, known are 0 to 1; start it',
    );
    expect(() => decodeBatch(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(
      'a batch ends with its last command',
    );
  });
});
