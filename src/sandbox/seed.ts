// The content of a new sandbox: assets, pairs, plans with reserves, a demo user, the accounts of
// the demo market, and an enterprise. All of it is commands to the engine, so the journal has the
// whole story.
import { randomBytes } from 'node:crypto';
import { REJECTIONS } from '../contract/rejections.ts';
import type { Command, TransferFunds } from '../core/command.ts';
import { InstrumentStatus, SelfTradePrevention } from '../core/fix.ts';
import type { ResultOf } from '../core/outcome.ts';
import { amount, lots, multiply, powerOfTen } from '../core/units.ts';
import type { Services } from '../gateway/services.ts';
import { Module, type ModuleId } from '../identity/live-key.ts';
import type { PasswordHash } from '../identity/proofs/passwords.ts';
import { HISTORY_MS, tradeHistory } from './history.ts';
import { ASSET_SCALE, DEMO_PAIRS, type DemoPair, MIN_LOTS } from './pairs.ts';
import { sandboxPlans } from './plans.ts';

/** The login and the API key of an account, as DATA/sandbox.json has them. */
export interface SandboxUser {
  readonly uid: number;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

interface SandboxEnterprise {
  readonly enterpriseId: number;
  readonly name: string;
  /** Its key has every module. */
  readonly admin: SandboxUser;
  readonly members: readonly SandboxUser[];
}

export interface SandboxAccess {
  readonly demo: SandboxUser;
  /** The accounts of the demo market: a maker and a taker. */
  readonly market: readonly SandboxUser[];
  readonly enterprise: SandboxEnterprise;
}

const ASSETS = [
  { asset: 'BTC', fiat: false },
  { asset: 'ETH', fiat: false },
  { asset: 'MMX', fiat: false },
  { asset: 'USDT', fiat: false },
  { asset: 'USDC', fiat: false },
  { asset: 'AED', fiat: true },
] as const;

/** The balances of the demo user, in whole units. */
const DEMO_FUNDS: Readonly<Record<string, number>> = {
  BTC: 10,
  ETH: 100,
  MMX: 1_000_000,
  USDT: 1_000_000,
  USDC: 1_000_000,
  AED: 1_000_000,
};

/** The accounts of the demo market have so many times as much, so they do not run out. */
const MARKET_MULTIPLE = 1000;

const EVERYTHING: readonly ModuleId[] = Object.values(Module);
const CUSTOMER = EVERYTHING.filter((module) => module !== Module.enterpriseAdmin);

interface Person {
  readonly name: string;
  readonly multiple: number;
  readonly modules: readonly ModuleId[];
}

const customer = (name: string, multiple = 1): Person => ({ name, multiple, modules: CUSTOMER });

/** In the order of their uids. */
const PEOPLE = {
  demo: customer('demo'),
  maker: customer('maker', MARKET_MULTIPLE),
  taker: customer('taker', MARKET_MULTIPLE),
  admin: { name: 'treasury', multiple: 1, modules: EVERYTHING },
  member1: customer('member-1'),
  member2: customer('member-2'),
} as const satisfies Record<string, Person>;

type People = { readonly [role in keyof typeof PEOPLE]: SandboxUser };

const ENTERPRISE = 'Sandbox Treasury';

export interface SeedOptions {
  /** True if to add some days of trades (history.ts). */
  readonly history: boolean;
  /** Receives the part of the work that is done, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Fills an empty venue. Throws Error when it is not empty, and EngineError. */
export async function seedSandbox(
  services: Services,
  { history, onProgress = () => undefined }: SeedOptions,
): Promise<SandboxAccess> {
  const { engine } = services;
  if (history) engine.backdate(HISTORY_MS);
  const submit: Submit = async (command) => {
    const { outcome } = await engine.submit(command);
    if (outcome.ok) return outcome.result;
    throw new Error(`the sandbox was not seeded: ${REJECTIONS[outcome.reject.name].text}`);
  };
  const lists: Command[] = ASSETS.map((each) => ({
    type: 'createAsset',
    scale: ASSET_SCALE,
    ...each,
  }));
  await Promise.all([...lists, ...DEMO_PAIRS.map(createInstrument)].map(submit));
  const [people] = await Promise.all([createPeople(services, submit), offerPlans(submit)]);
  const { demo, maker, taker, admin, member1, member2 } = people;
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
    await tradeHistory({ engine, uids: [maker.uid, taker.uid], securityIds, onProgress });
  }
  return {
    demo,
    market: [maker, taker],
    enterprise: { enterpriseId, name: ENTERPRISE, admin, members },
  };
}

type Submit = <C extends Command>(command: C) => Promise<ResultOf<C>>;

/**
 * The people of the table, with funds and a key each. They share a password: hashing one takes 130
 * ms of a core.
 */
async function createPeople(services: Services, submit: Submit): Promise<People> {
  const password = randomBytes(9).toString('base64url');
  const hash = await services.identity.passwords.hash(password);
  if (!hash.ok) throw new Error(hash.name);
  const login = { password, passwordHash: hash.value };
  const created = Object.entries(PEOPLE).map(
    async ([role, person]) => [role, await createPerson(services, submit, person, login)] as const,
  );
  return Object.fromEntries(await Promise.all(created)) as People;
}

interface Login {
  readonly password: string;
  readonly passwordHash: PasswordHash;
}

async function createPerson(
  { identity }: Services,
  submit: Submit,
  person: Person,
  { password, passwordHash }: Login,
): Promise<SandboxUser> {
  const email = `${person.name}@example.com`;
  const reservation = identity.users.reserveEmail(email);
  if (!reservation.ok) throw new Error(reservation.text);
  const { uid } = await submit({ type: 'createUser', kyc: true });
  identity.users.completeUser(reservation.value, uid, passwordHash);
  await Promise.all(depositsOf(uid, person).map(submit));
  const key = identity.apiKeys.create({ uid, alias: 'sandbox', moduleIds: person.modules });
  if (!key.ok) throw new Error(key.text);
  return { uid, email, password, ...key.value };
}

const depositsOf = (uid: number, { multiple }: Person): TransferFunds[] =>
  ASSETS.map(({ asset }, assetId) => ({
    type: 'transferFunds',
    direction: 'credit',
    uid,
    assetId,
    amount: multiply(DEMO_FUNDS[asset]! * multiple, powerOfTen(ASSET_SCALE)),
    reference: `sandbox-${uid}-${asset}`,
  }));

async function offerPlans(submit: Submit): Promise<void> {
  const assetIdOf = (coin: string) => ASSETS.findIndex(({ asset }) => asset === coin);
  const offers = sandboxPlans(ASSET_SCALE, assetIdOf).map(async ({ command, reserve }) => {
    const { planId } = await submit(command);
    const reference = `sandbox-reserve-${planId}`;
    await submit({ type: 'fundReserve', planId, amount: reserve, reference });
  });
  await Promise.all(offers);
}

function createInstrument(pair: DemoPair): Command {
  const { symbol, tickDecimals, lotDecimals, minNotional, fees } = pair;
  const [baseAsset, quoteAsset] = symbol.split('-') as [string, string];
  return {
    type: 'createInstrument',
    symbol,
    baseAsset,
    quoteAsset,
    tick: { mantissa: 1, decimals: tickDecimals },
    lot: { mantissa: 1, decimals: lotDecimals },
    minQuantity: lots(MIN_LOTS),
    minNotional: amount(minNotional),
    ...fees,
    // One key can then try both sides of a trade.
    selfTradePrevention: SelfTradePrevention.none,
    priceBand: 0,
    status: InstrumentStatus.LIVE,
  };
}
