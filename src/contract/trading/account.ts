// The account's own calls: balances, fills, fees and the statement. History comes as facts in core
// units, in the form that this file declares.

import type { Trade } from '../../core/event.ts';
import type { Side } from '../../core/fix.ts';
import type { Asset, Instrument } from '../../core/instrument.ts';
import { AccountCode } from '../../core/ledger/account-code.ts';
import type { State } from '../../core/state.ts';
import type { FeeRole } from '../../core/trading/fee-tiers.ts';
import { type Amount, add, ZERO } from '../../core/units.ts';
import type { AnswerValue } from '../answer.ts';
import { integer, oneOf, optional, text } from '../fields.ts';
import { JsonNumber, jsonRate, jsonSteps, jsonUnits } from '../json.ts';
import type { asset } from '../market-data/answers.ts';
import { object } from '../object.ts';
import { Problem } from '../problem.ts';
import { timeWindow } from '../time-window.ts';
import * as answers from './answers.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from './order-query.ts';
import { orderId, symbol } from './orders.ts';

export const fillsQuery = object({
  symbol: optional(symbol()),
  orderId: optional(orderId),
  ...timeWindow('Fills'),
  lastTradeId: optional(
    integer({ min: 1, about: 'tradeId of the last fill of the page before: continues below it.' }),
  ),
  size: optional(pageSize, DEFAULT_PAGE_SIZE),
});

export const ledgerQuery = object({
  asset: optional(text({ max: 32, ascii: true, about: 'Only this asset, such as BTC.' })),
  ...timeWindow('Entries'),
  lastEntryId: optional(
    integer({ min: 1, about: 'lastEntryId of the page before: continues with older entries.' }),
  ),
  size: optional(pageSize),
  format: optional(
    oneOf(['json', 'csv'], {
      about: 'csv: the whole window. The Accept header decides otherwise.',
    }),
  ),
});

const NO_SUCH_ASSET = 'No such asset. GET /spot-api/api/public/v1/assets lists them.';

/** The asset of that name. Throws invalidField. */
export function namedAsset(state: State, name: string, field = 'asset'): Asset {
  const asset = state.assetNamed(name);
  if (asset !== undefined) return asset;
  throw new Problem('invalidField', {
    userMsg: `Invalid field: ${field}. ${NO_SUCH_ASSET}`,
    details: { field, rule: 'listed', value: name },
  });
}

/** An asset as the list of assets shows it. */
export const writeAsset = ({ name, scale, fiat }: Asset): AnswerValue<typeof asset> => ({
  asset: name,
  scale,
  fiat,
});

/** The accounts of a user's assets, in the order of the fields. */
const OWNED = [
  AccountCode.available,
  AccountCode.held,
  AccountCode.earn,
  AccountCode.redeeming,
  AccountCode.booster,
] as const;

/** The amounts of one asset of a user, in the order of the fields. */
export const ownedParts = ({ ledger }: State, uid: number, { assetId }: Asset): Amount[] =>
  OWNED.map((code) => ledger.balanceOf(uid, assetId, code));

/** A row of balances; `parts` are those of ownedParts. */
export function writeBalance(
  { name, scale }: Asset,
  parts: readonly Amount[],
): AnswerValue<typeof answers.balance> {
  const [available, held, earn, redeeming, booster] = parts.map((part) => jsonUnits(part, scale));
  const total = jsonUnits(parts.reduce(add, ZERO), scale);
  return { asset: name, available, held, earn, redeeming, booster, total };
}

/** A user's balances: one row for every asset, also with a balance of 0. */
export function writeBalances(state: State, uid: number): AnswerValue<typeof answers.balance>[] {
  return state.assets.map((asset) => writeBalance(asset, ownedParts(state, uid, asset)));
}

/** The rates of a user's next fill; `now` is business time, ms. */
export function writeFees(
  { users, feeTiers }: State,
  instrument: Instrument,
  uid: number,
  now: number,
): AnswerValue<typeof answers.fees> {
  const rate = (role: FeeRole) => jsonRate(feeTiers.rateOf(users[uid]!, instrument, role, now));
  return {
    symbol: instrument.symbol,
    securityId: instrument.securityId,
    makerFee: rate('makerFee'),
    takerFee: rate('takerFee'),
  };
}

/** The facts of a fill. */
interface FillFacts
  extends Pick<
    Trade,
    'tradeId' | 'securityId' | 'price' | 'quantity' | 'quoteAmount' | 'transactTime'
  > {
  readonly orderId: number;
  readonly side: Side;
  readonly fee: Amount;
  readonly feeAssetId: number;
  readonly maker: boolean;
}

/** A trade as one of its two owners sees it. The fee is in the received asset. */
export function writeFill(fill: FillFacts, state: State): AnswerValue<typeof answers.fill> {
  const { symbol: name, securityId, tick, lot, quote } = state.instruments[fill.securityId]!;
  const feeAsset = state.assets[fill.feeAssetId]!;
  return {
    tradeId: fill.tradeId,
    orderId: fill.orderId,
    symbol: name,
    securityId,
    side: fill.side,
    price: jsonSteps(fill.price, tick),
    quantity: jsonSteps(fill.quantity, lot),
    quoteAmount: jsonUnits(fill.quoteAmount, quote.scale),
    fee: jsonUnits(fill.fee, feeAsset.scale),
    feeAsset: feeAsset.name,
    maker: fill.maker,
    transactTime: fill.transactTime,
  };
}

/** The facts of a statement entry. */
export interface EntryFacts {
  readonly entryId: number;
  readonly assetId: number;
  readonly time: number;
  readonly kind: string;
  readonly amount: Amount;
  readonly balance: Amount;
  readonly tradeId: number | null;
  readonly orderId: number | null;
  readonly transferId: number | null;
  readonly reference: string | null;
  /** The subscription of an earn entry. */
  readonly applyId: number | null;
}

export interface BalanceFacts {
  readonly assetId: number;
  readonly opening: Amount;
  readonly closing: Amount;
}

/**
 * One page of a statement, newest entry first, with the balances before and after the whole window:
 * opening + all entries = closing.
 */
export function writeStatementPage(
  { assets }: Pick<State, 'assets'>,
  entries: readonly EntryFacts[],
  balances: readonly BalanceFacts[],
  size: number,
): AnswerValue<typeof answers.statement> {
  return {
    data: entries.map((entry) => writeEntry({ assets }, entry)),
    balances: balances.map(({ assetId, opening, closing }) => {
      const { name, scale } = assets[assetId]!;
      return {
        asset: name,
        openingBalance: jsonUnits(opening, scale),
        closingBalance: jsonUnits(closing, scale),
      };
    }),
    pagination: {
      size,
      startEntryId: entries[0]?.entryId ?? null,
      lastEntryId: entries.at(-1)?.entryId ?? null,
    },
  };
}

type Entry = AnswerValue<typeof answers.ledgerEntry>;

/** An entry of a statement. */
export function writeEntry({ assets }: Pick<State, 'assets'>, entry: EntryFacts): Entry {
  const { name, scale } = assets[entry.assetId]!;
  return {
    entryId: entry.entryId,
    time: entry.time,
    type: entry.kind,
    asset: name,
    amount: jsonUnits(entry.amount, scale),
    balance: jsonUnits(entry.balance, scale),
    tradeId: entry.tradeId,
    orderId: entry.orderId,
    transferId: entry.transferId,
    reference: entry.reference,
    applyId: entry.applyId === null ? null : String(entry.applyId),
  };
}

const CSV_COLUMNS = Object.keys(answers.ledgerEntry.shape.fields) as (keyof Entry)[];
type CsvRow = Readonly<Partial<Record<keyof Entry, string | number | JsonNumber | null>>>;

/** The first line of a statement in CSV (RFC 4180). */
export const CSV_HEADER = `${CSV_COLUMNS.join(',')}\r\n`;

/** An entry as a line of CSV; `time` is written in ISO 8601, UTC. */
export const csvEntry = (state: State, entry: EntryFacts): string =>
  csvLine({ ...writeEntry(state, entry), time: new Date(entry.time).toISOString() });

/** The line before (opening) or after (closing) the entries with the balance of an asset. */
export function csvBalance(
  { assets }: State,
  type: 'opening' | 'closing',
  assetId: number,
  balance: Amount,
): string {
  const { name, scale } = assets[assetId]!;
  return csvLine({ type, asset: name, balance: jsonUnits(balance, scale) });
}

const csvLine = (row: CsvRow): string =>
  `${CSV_COLUMNS.map((column) => csvCell(row[column] ?? '')).join(',')}\r\n`;

/** Text that a spreadsheet would run as a formula; negative amounts are none. */
const FORMULA = /^[=+@\t\r]|^-(?![\d.]+$)/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvCell(value: string | number | JsonNumber): string {
  const text = value instanceof JsonNumber ? value.source : String(value);
  // References come from outside: a leading apostrophe keeps them text.
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
