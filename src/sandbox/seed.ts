// What a new sandbox contains: assets, instruments, plans with funded reserves (savings.ts), a demo customer with funds and a
// key, the accounts of the demo market, and an enterprise with its people. It goes through the engine like everything else,
// so a sandbox's journal tells its whole story. What does not depend on an answer is submitted at once, and shares its syncs.
import { randomBytes } from 'node:crypto';
import { REFUSALS } from '../contract/refusals.ts';
import type { Command, TransferFunds } from '../core/command.ts';
import { InstrumentStatus, SelfTradePrevention } from '../core/fix.ts';
import type { ResultOf } from '../core/outcome.ts';
import { amount, lots, multiply, powerOfTen } from '../core/units.ts';
import type { Services } from '../gateway/services.ts';
import { Module, type ModuleId } from '../identity/live-key.ts';
import { hashPassword } from '../identity/proofs/passwords.ts';
import { DEMO_PAIRS } from './demo-pairs.ts';
import { HISTORY_MS, tradeHistory } from './history.ts';
import { sandboxPlans } from './savings.ts';

/** What opens an account of the sandbox. Kept in DATA/sandbox.json, readable by its owner only. */
export interface SandboxUser {
  readonly uid: number;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface SandboxEnterprise {
  readonly enterpriseId: number;
  readonly name: string;
  /** Its key may do everything. */
  readonly admin: SandboxUser;
  readonly members: readonly SandboxUser[];
}

export interface SandboxAccess {
  readonly demo: SandboxUser;
  /** They quote and trade in the demo market: two makers and a taker. */
  readonly market: readonly SandboxUser[];
  readonly enterprise: SandboxEnterprise;
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

const EVERYTHING: readonly ModuleId[] = Object.values(Module);
const CUSTOMER = EVERYTHING.filter((module) => module !== Module.enterpriseAdmin);

interface Person {
  readonly name: string;
  readonly multiple: number;
  readonly modules: readonly ModuleId[];
}

const customer = (name: string, multiple = 1): Person => ({ name, multiple, modules: CUSTOMER });

/** In order of their uids. */
const PEOPLE = {
  demo: customer('demo'),
  maker1: customer('maker-1', MARKET_MULTIPLE),
  maker2: customer('maker-2', MARKET_MULTIPLE),
  taker: customer('taker', MARKET_MULTIPLE),
  admin: { name: 'treasury', multiple: 1, modules: EVERYTHING },
  member1: customer('member-1'),
  member2: customer('member-2'),
} as const satisfies Record<string, Person>;

type People = { readonly [role in keyof typeof PEOPLE]: SandboxUser };

const ENTERPRISE = 'Sandbox Treasury';

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

export interface SeedOptions {
  /** Whether it looks as if there had been trading for some days (history.ts). */
  readonly history: boolean;
}

/** Fills an empty venue. Throws Error when it is not empty, and EngineError. */
export async function seedSandbox(
  services: Services,
  { history }: SeedOptions,
): Promise<SandboxAccess> {
  const { engine } = services;
  if (history) engine.backdate(HISTORY_MS);
  const submit: Submit = async (command) => {
    const { outcome } = await engine.submit(command);
    if (outcome.ok) return outcome.result;
    throw new Error(`the sandbox was not seeded: ${REFUSALS[outcome.reject.name].text}`);
  };
  const lists: Command[] = ASSETS.map((each) => ({ type: 'createAsset', scale: SCALE, ...each }));
  await Promise.all([...lists, ...INSTRUMENTS.map(createInstrument)].map(submit));
  const [people] = await Promise.all([createPeople(services, submit), offerPlans(submit)]);
  const { demo, maker1, maker2, taker, admin, member1, member2 } = people;
  const members = [member1, member2];
  const { enterpriseId } = await submit({ type: 'createEnterprise', name: ENTERPRISE });
  const joins = [admin, ...members].map(({ uid }) =>
    submit({ type: 'assignEnterprise', uid, enterpriseId, admin: uid === admin.uid }),
  );
  await Promise.all(joins);
  if (history) {
    const securityIds = DEMO_PAIRS.map(
      ({ symbol }) => engine.exchange.state.instrumentNamed(symbol)!.securityId,
    );
    await tradeHistory({ engine, uids: [maker1.uid, maker2.uid], securityIds });
  }
  return {
    demo,
    market: [maker1, maker2, taker],
    enterprise: { enterpriseId, name: ENTERPRISE, admin, members },
  };
}

type Submit = <C extends Command>(command: C) => Promise<ResultOf<C>>;

/** The people of the table, with their money and a key each. */
async function createPeople(services: Services, submit: Submit): Promise<People> {
  const created = Object.entries(PEOPLE).map(
    async ([role, person]) => [role, await createPerson(services, submit, person)] as const,
  );
  return Object.fromEntries(await Promise.all(created)) as People;
}

async function createPerson(
  { identity }: Services,
  submit: Submit,
  person: Person,
): Promise<SandboxUser> {
  const email = `${person.name}@example.com`;
  const password = randomBytes(9).toString('base64url');
  const reservation = identity.users.reserveEmail(email);
  if (!reservation.ok) throw new Error(reservation.text);
  const [{ uid }, hash] = await Promise.all([
    submit({ type: 'createUser', kyc: true }),
    hashPassword(password),
  ]);
  identity.users.completeUser(reservation, uid, hash);
  await Promise.all(depositsOf(uid, person).map(submit));
  const key = identity.apiKeys.create({ uid, alias: 'sandbox', moduleIds: person.modules });
  if (!key.ok) throw new Error(key.text);
  return { uid, email, password, apiKey: key.apiKey, secretKey: key.secretKey };
}

const depositsOf = (uid: number, { multiple }: Person): TransferFunds[] =>
  ASSETS.map(({ asset }, assetId) => ({
    type: 'transferFunds',
    direction: 'credit',
    uid,
    assetId,
    amount: multiply(DEMO_FUNDS[asset]! * multiple, powerOfTen(SCALE)),
    reference: `sandbox-${uid}-${asset}`,
  }));

async function offerPlans(submit: Submit): Promise<void> {
  const assetIdOf = (coin: string) => ASSETS.findIndex(({ asset }) => asset === coin);
  const offers = sandboxPlans(SCALE, assetIdOf).map(async ({ command, reserve }) => {
    const { planId } = await submit(command);
    const reference = `sandbox-reserve-${planId}`;
    await submit({ type: 'fundReserve', planId, amount: reserve, reference });
  });
  await Promise.all(offers);
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
