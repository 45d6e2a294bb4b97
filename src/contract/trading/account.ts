// The account's own calls: balances, fills, fees and the statement. History comes as facts in core
// units, in the form that this file declares.

import { byFeeRole } from '../../core/fee-rates.ts';
import type { Asset, Instrument } from '../../core/instrument.ts';
import { AccountCode } from '../../core/ledger/account-code.ts';
import type { State } from '../../core/state.ts';
import { type Amount, add, ZERO } from '../../core/units.ts';
import type { AnswerValue, Source } from '../answer.ts';
import * as answer from '../answer.ts';
import { numericId, oneOf, optional, text } from '../fields.ts';
import { JsonNumber, type JsonOut, jsonUnits } from '../json.ts';
import { object } from '../object.ts';
import { Problem } from '../problem.ts';
import { timeWindow } from '../time-window.ts';
import * as answers from './answers.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from './order-query.ts';
import { account, orderId, symbol } from './orders.ts';

/** The query of a call about the account as a whole. */
export const accountQuery = object({ account });

export const fillsQuery = object({
  account,
  symbol: optional(symbol()),
  orderId: optional(orderId),
  ...timeWindow('Fills'),
  lastTradeId: optional(
    numericId('tradeId of the last fill of the page before: continues below it.'),
  ),
  size: optional(pageSize, DEFAULT_PAGE_SIZE),
});

export const ledgerQuery = object({
  account,
  asset: optional(text({ max: 32, ascii: true, about: 'Only this asset, such as BTC.' })),
  ...timeWindow('Entries'),
  lastEntryId: optional(numericId('lastEntryId of the page before: continues with older entries.')),
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
  return state.listedAssets.map((asset) => writeBalance(asset, ownedParts(state, uid, asset)));
}

/** The rates of a user's next fill; `now` is business time, ms. */
export function writeFees(
  { users, feeTiers }: State,
  instrument: Instrument,
  uid: number,
  now: number,
) {
  const { symbol: name, securityId } = instrument;
  const rates = byFeeRole((role) => feeTiers.rateOf(users[uid]!, instrument, role, now));
  return answers.fees.write({ symbol: name, securityId, ...rates });
}

type FillFacts = Omit<Source<typeof answers.fill>, 'symbol' | 'feeAsset'> & {
  readonly feeAssetId: number;
};

/** A trade as one of its two owners sees it. The fee is in the received asset. */
export function writeFill(fill: FillFacts, { instruments, assets }: State) {
  const instrument = instruments[fill.securityId]!;
  const { symbol: name } = instrument;
  const feeAsset = assets[fill.feeAssetId]!;
  return answers.fill.write({ ...fill, symbol: name, feeAsset }, instrument);
}

/** The facts of a statement entry. */
type EntryFacts = Source<typeof answers.ledgerEntry> & { readonly assetId: number };
type BalanceFacts = Source<typeof answers.statementBalance> & { readonly assetId: number };

/**
 * One page of a statement, newest entry first, with the balances before and after the whole window:
 * opening + all entries = closing.
 */
export const writeStatementPage = (
  { assets }: State,
  entries: readonly EntryFacts[],
  balances: readonly BalanceFacts[],
  size: number,
): AnswerValue<typeof answers.statement> => ({
  data: entries.map((entry) => answers.ledgerEntry.write(entry, assets[entry.assetId]!)),
  balances: balances.map((one) => answers.statementBalance.write(one, assets[one.assetId]!)),
  pagination: {
    size,
    startEntryId: entries[0]?.entryId ?? null,
    lastEntryId: entries.at(-1)?.entryId ?? null,
  },
});

const CSV_FIELDS = answer.makersOf(answers.ledgerEntry);

/** The first line of a statement in CSV (RFC 4180). */
export const CSV_HEADER = `${CSV_FIELDS.map(([name]) => name).join(',')}\r\n`;

/** An entry as a line of CSV; `time` is written in ISO 8601, UTC. */
export const csvEntry = ({ assets }: State, entry: EntryFacts): string =>
  csvLine(([name, make]) =>
    name === 'time' ? new Date(entry.time).toISOString() : make(entry, assets[entry.assetId]!),
  );

/** The line before (opening) or after (closing) the entries with the balance of an asset. */
export function csvBalance(
  { assets }: State,
  type: 'opening' | 'closing',
  assetId: number,
  balance: Amount,
): string {
  const { name: asset, scale } = assets[assetId]!;
  const cells: Readonly<Record<string, JsonOut>> = {
    type,
    asset,
    balance: jsonUnits(balance, scale),
  };
  return csvLine(([name]) => cells[name]);
}

const csvLine = (cellOf: (field: (typeof CSV_FIELDS)[number]) => JsonOut): string =>
  `${CSV_FIELDS.map((field) => csvCell(cellOf(field) ?? '')).join(',')}\r\n`;

/** Text that a spreadsheet would run as a formula; negative amounts are none. */
const FORMULA = /^[=+@\t\r]|^-(?![\d.]+$)/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvCell(value: JsonOut): string {
  const text = value instanceof JsonNumber ? value.source : String(value);
  // References come from outside: a leading apostrophe keeps them text.
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
