// What a new sandbox contains: assets, instruments, a demo customer with funds and a key, and the accounts of the demo
// market. It goes through the engine like everything else, so a sandbox's journal tells its whole story.
import { randomBytes } from 'node:crypto';
import type { Command } from '../core/command.ts';
import { InstrumentStatus, SelfTradePrevention } from '../core/fix.ts';
import type { ResultOf } from '../core/outcome.ts';
import { REJECTS } from '../core/reject.ts';
import { amount, lots, multiply, powerOfTen } from '../core/units.ts';
import type { Services } from '../gateway/services.ts';
import { Module, type ModuleId } from '../identity/live-key.ts';
import { hashPassword } from '../identity/passwords.ts';

/** What opens an account of the sandbox. Kept in DATA/sandbox.json, readable by its owner only. */
export interface SandboxUser {
  readonly uid: number;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface SandboxAccess {
  readonly demo: SandboxUser;
  /** They quote and trade in the demo market: two makers and a taker. */
  readonly market: readonly SandboxUser[];
}

const SCALE = 8;

const ASSETS = [
  { asset: 'BTC', fiat: false },
  { asset: 'ETH', fiat: false },
  { asset: 'MMX', fiat: false },
  { asset: 'USDT', fiat: false },
  { asset: 'USDC', fiat: false },
  { asset: 'AED', fiat: true },
] as const;

/** Whole units that the demo customer starts with. */
const DEMO_FUNDS: Readonly<Record<string, number>> = {
  BTC: 10,
  ETH: 100,
  MMX: 1_000_000,
  USDT: 1_000_000,
  USDC: 1_000_000,
  AED: 1_000_000,
};

/** The market's accounts start with this multiple of them, so that the demo never runs dry. */
const MARKET_MULTIPLE = 1000;

const TRADING: readonly ModuleId[] = Object.values(Module).filter(
  (module) => module !== Module.enterpriseAdmin,
);

interface Listing {
  readonly symbol: string;
  /** Decimals of the price increment and of the lot. */
  readonly tick: number;
  readonly lot: number;
  readonly minLots: number;
  /** Minimum in units of the quote asset. */
  readonly minQuote: number;
}

const INSTRUMENTS: readonly Listing[] = [
  { symbol: 'BTC-USDT', tick: 2, lot: 6, minLots: 10, minQuote: 10_000_000 },
  { symbol: 'ETH-USDT', tick: 2, lot: 5, minLots: 10, minQuote: 10_000_000 },
  { symbol: 'MMX-USDT', tick: 4, lot: 1, minLots: 10, minQuote: 10_000_000 },
  { symbol: 'BTC-AED', tick: 2, lot: 6, minLots: 10, minQuote: 50_000_000 },
];

/** Fills an empty venue. Throws Error when it is not empty, and EngineError. */
export async function seedSandbox({ engine, identity }: Services): Promise<SandboxAccess> {
  const submit = async <C extends Command>(command: C): Promise<ResultOf<C>> => {
    const { outcome } = await engine.submit(command);
    if (outcome.ok) return outcome.result;
    throw new Error(`the sandbox was not seeded: ${REJECTS[outcome.reject.name].text}`);
  };

  for (const { asset, fiat } of ASSETS) {
    await submit({ type: 'createAsset', asset, scale: SCALE, fiat });
  }
  for (const listing of INSTRUMENTS) await submit(createInstrument(listing));

  const createUser = async (email: string, multiple: number): Promise<SandboxUser> => {
    const password = randomBytes(9).toString('base64url');
    const reservation = identity.users.reserveEmail(email);
    if ('ok' in reservation && !reservation.ok) throw new Error(reservation.text);
    const { uid } = await submit({ type: 'createUser', kyc: true });
    identity.users.completeUser(reservation, uid, await hashPassword(password));
    for (const [assetId, { asset }] of ASSETS.entries()) {
      const units = multiply(DEMO_FUNDS[asset]! * multiple, powerOfTen(SCALE));
      const reference = `sandbox-${uid}-${asset}`;
      await submit({
        type: 'transferFunds',
        direction: 'credit',
        uid,
        assetId,
        amount: units,
        reference,
      });
    }
    const key = identity.apiKeys.create({ uid, alias: 'sandbox', moduleIds: TRADING });
    if (!key.ok) throw new Error(key.text);
    return { uid, email, password, apiKey: key.apiKey, secretKey: key.secretKey };
  };
  return {
    demo: await createUser('demo@example.com', 1),
    market: [
      await createUser('maker-1@example.com', MARKET_MULTIPLE),
      await createUser('maker-2@example.com', MARKET_MULTIPLE),
      await createUser('taker@example.com', MARKET_MULTIPLE),
    ],
  };
}

function createInstrument({ symbol, tick, lot, minLots, minQuote }: Listing): Command {
  const [baseAsset, quoteAsset] = symbol.split('-') as [string, string];
  return {
    type: 'createInstrument',
    symbol,
    baseAsset,
    quoteAsset,
    tick: { mantissa: 1, decimals: tick },
    lot: { mantissa: 1, decimals: lot },
    minQuantity: lots(minLots),
    minNotional: amount(minQuote),
    makerFee: 0,
    takerFee: 0,
    // So that one key can try both sides of a trade.
    selfTradePrevention: SelfTradePrevention.none,
    priceBand: 0,
    status: InstrumentStatus.LIVE,
  };
}
