// Fills the tables of the examples in docs/earn.md from the venue. The heading names the kind of a
// table: steps (`when`), interest (`day`), transfers (`day 3, 09:00: from`), a statement
// (`statement of ada`), figures at given times (`at`), or previews (`preview`).
import { markdownTable } from '../../docs/markdown.ts';
import { writeExplanation } from '../../src/contract/earn/explanation.ts';
import { stringify } from '../../src/contract/json.ts';
import { planReserve } from '../../src/contract/operator/plan-reserve.ts';
import { enterpriseOwner } from '../../src/core/earn/enterprise.ts';
import { DAY_DENOMINATOR } from '../../src/core/earn/interest.ts';
import { planOwner } from '../../src/core/earn/plan.ts';
import { previewApply } from '../../src/core/earn/preview.ts';
import { rateOn, statusOf } from '../../src/core/earn/subscription.ts';
import type { InterestAccrued } from '../../src/core/event.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { type Amount, add, multiply, subtract, ZERO } from '../../src/core/units.ts';
import { EarnVenue } from './earn-venue.ts';
import { COIN, DAY_ZERO, parseWhen, showRate, showUnits, showWhen, toUnits } from './earn-words.ts';
import { type Cells, type Part, partsOf, setupOf } from './scenario-file.ts';
import { SCALE } from './scenario-words.ts';

type Table = Extract<Part, { kind: 'table' }>;
/** By table, the rows whose figures belong to one time. */
type TakenTables = Map<Table, string[][]>;

/** Decimals of an infinite fraction; it is truncated there. */
const EXACT_DECIMALS = 20;
/** The default of the setting. */
const ALARM_DAYS = 7;

/** The computed text of an example. */
export function renderExample(text: string): string {
  const parts = partsOf(text);
  const venue = new EarnVenue(setupOf(parts));
  const taken = runSteps(venue, parts);
  return parts
    .map((part) => {
      if (part.kind === 'table')
        return markdownTable(part.head, taken.get(part) ?? rowsOf(venue, part));
      if (part.kind === 'fence') return explanation(venue, part.info);
      return part.lines.join('\n');
    })
    .join('\n\n');
}

/**
 * Previews first, then steps and figures in order of time; at one time, steps come before figures.
 */
function runSteps(venue: EarnVenue, parts: readonly Part[]): TakenTables {
  const taken: TakenTables = new Map();
  const agenda: { time: number; isStep: boolean; run: () => void }[] = [];
  for (const part of parts) {
    if (part.kind !== 'table') continue;
    const rows: string[][] = [];
    const [first] = part.head;
    if (first === 'preview')
      taken.set(
        part,
        part.rows.map((row) => previewRow(venue, part, row)),
      );
    if (first !== 'when' && first !== 'at') continue;
    taken.set(part, rows);
    for (const row of part.rows) {
      const [when, who, command] = row;
      const isStep = first === 'when';
      const run = (): void => {
        if (isStep) rows.push([when, who, command, venue.step({ when, who, command })]);
        else rows.push(figureRow(venue, part, when));
      };
      agenda.push({ time: parseWhen(when), isStep, run });
    }
  }
  agenda.sort((a, b) => a.time - b.time || Number(b.isStep) - Number(a.isStep));
  for (const { time, run } of agenda) {
    venue.advance(time);
    run();
  }
  return taken;
}

function rowsOf(venue: EarnVenue, table: Table): string[][] {
  const first = table.head[0]!;
  if (first.startsWith('day of') || first === 'day') return interestRows(venue, table);
  if (first.endsWith(': from')) return transferRows(venue, first.slice(0, -': from'.length));
  if (first.startsWith('statement of ')) return statementRows(venue, first.slice(13));
  throw new Error(`no such table: ${first}`);
}

function previewRow(venue: EarnVenue, { head }: Table, [request]: Cells): string[] {
  const [, money, days] = /^(\S+?)(?: for (\d+) days)?$/.exec(request!)!;
  const preview = previewApply(venue.state, 1, 1, toUnits(money!), Number(days ?? 0));
  if (!preview.ok) throw new Error(`${request} is rejected: ${preview.reject.name}`);
  const { rate, boosterRate, interest, boosterInterest, boosterRequired } = preview.result;
  const cells: Readonly<Record<string, string>> = {
    preview: request!,
    rate: showRate(rate),
    interest: showUnits(interest),
    'booster rate': showRate(boosterRate),
    'booster interest': showUnits(boosterInterest),
    'booster needs': `${showUnits(boosterRequired, venue.scaleOf('MMX'))} MMX`,
    'total interest': showUnits(add(interest, boosterInterest)),
  };
  return chosen(head, cells);
}

/** The cells of the columns that the heading names. */
const chosen = (head: Cells, cells: Readonly<Record<string, string>>): string[] =>
  head.map((name) => {
    const cell = cells[name];
    if (cell === undefined) throw new Error(`no such column: ${name}`);
    return cell;
  });

/** The state at `when`, after all due work. */
function figureRow(venue: EarnVenue, { head }: Table, when: string): string[] {
  return [when, ...head.slice(1).map((name) => figure(venue, name))];
}

const PLAN_WORDS = ['interestReserve', 'interestPayable', 'interestExpense'] as const;

function figure(venue: EarnVenue, name: string): string {
  const { state } = venue;
  const ofSubscription =
    /^(principal|basis|unpaid|paid|earned|rate|status|first day)(?: of (\d+))?$/.exec(name);
  if (ofSubscription !== null) {
    return subscriptionFigure(venue, ofSubscription[1]!, Number(ofSubscription[2] ?? 1));
  }
  const planWord = PLAN_WORDS.find((word) => word === name);
  if (planWord !== undefined) {
    return showUnits(state.ledger.balanceOf(planOwner(1), 0, AccountCode[planWord]));
  }
  if (name === 'alarm' || name === 'days of cover') {
    const { alarm, daysOfCover } = planReserve(state, state.earn.plans[1]!, ALARM_DAYS);
    return name === 'alarm' ? (alarm ? 'yes' : 'no') : String(daysOfCover ?? '–');
  }
  const [, owner, coin = COIN, code] = /^(\w+):(?: ([A-Z]+))? (\w+)$/.exec(name) ?? [];
  if (owner === undefined) throw new Error(`no such figure: ${name}`);
  const enterpriseId = venue.enterprises.indexOf(owner);
  const id = enterpriseId > 0 ? enterpriseOwner(enterpriseId) : venue.uidOf(owner);
  const account = AccountCode[code as keyof typeof AccountCode];
  return showUnits(state.ledger.balanceOf(id, venue.assetIdOf(coin), account), venue.scaleOf(coin));
}

const STATUS_WORDS = ['0 in processing', '1 in redeeming', '2 partial redeeming'];

function subscriptionFigure(venue: EarnVenue, word: string, applyId: number): string {
  const found = venue.state.earn.subscriptions.find(applyId);
  if (found === undefined) return word === 'status' ? '3 redeemed' : '–';
  switch (word) {
    case 'unpaid':
      return showUnits(found.accrued);
    case 'rate':
      return showRate(rateOn(found, Math.max(venue.today, found.startDay)));
    case 'status':
      return STATUS_WORDS[statusOf(found)]!;
    case 'first day':
      return String(found.startDay - DAY_ZERO);
    default:
      return showUnits(found[word as 'principal' | 'basis' | 'paid' | 'earned']);
  }
}

/**
 * A row is a day, some days (`2–364`) of which first and last are shown where they differ, or the
 * sum of all.
 */
function interestRows(venue: EarnVenue, { head, rows }: Table): string[][] {
  const applyId = Number(/ (\d+)$/.exec(head[0]!)?.[1] ?? 1);
  const entries = venue.events
    .filter((event) => event.type === 'interestAccrued')
    .filter((event) => event.applyId === applyId);
  const unit = fractionUnit(entries);
  const cellsOf = (entry: InterestAccrued): string[] =>
    chosen(head.slice(1), entryCells(entry, unit));
  return rows.map(([label]) => {
    if (label === 'sum') return ['sum', ...sums(head.slice(1), entries)];
    const [from, to = from] = label!.split('–').map((day) => Number(day) + DAY_ZERO);
    const meant = entries.filter(({ day }) => day >= from! && day <= to!);
    if (meant.length !== to! - from! + 1) throw new Error(`day ${label} has no entry`);
    const [first, last] = [cellsOf(meant[0]!), cellsOf(meant.at(-1)!)];
    const isUniform = (column: number): boolean =>
      meant.every((entry) => cellsOf(entry)[column] === first[column]);
    return [label!, ...first.map((cell, i) => (isUniform(i) ? cell : `${cell} … ${last[i]}`))];
  });
}

const greatestDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : greatestDivisor(b, a % b);

/** The common unit of a table's fractions: their greatest common divisor with the denominator. */
const fractionUnit = (entries: readonly InterestAccrued[]): bigint =>
  entries
    .flatMap(({ basis, rate, boosterRate }) => [
      multiply(basis, rate),
      multiply(basis, boosterRate),
    ])
    .reduce((unit, numerator) => greatestDivisor(unit, BigInt(numerator)), BigInt(DAY_DENOMINATOR));

function entryCells(entry: InterestAccrued, unit: bigint): Readonly<Record<string, string>> {
  const { basis, rate, carry, interest, boosterRate, boosterCarry, boosterInterest } = entry;
  const fraction = (numerator: Amount | number): string =>
    numerator === 0 ? '0' : `${BigInt(numerator) / unit}/${BigInt(DAY_DENOMINATOR) / unit}`;
  const left = (annual: number, before: number, paid: Amount): string =>
    fraction(
      subtract(add(multiply(basis, annual), before as Amount), multiply(paid, DAY_DENOMINATOR)),
    );
  return {
    'made on': showWhen(entry.transactTime),
    basis: showUnits(basis),
    rate: showRate(rate),
    exact: exactText(basis, rate),
    'carried in': fraction(carry),
    entry: showUnits(interest),
    'carried on': left(rate, carry, interest),
    'booster exact': exactText(basis, boosterRate),
    'booster carried in': fraction(boosterCarry),
    'booster entry': showUnits(boosterInterest),
    'booster carried on': left(boosterRate, boosterCarry, boosterInterest),
    together: showUnits(add(interest, boosterInterest)),
  };
}

/** basis × rate ÷ 365 in whole coins; `…` after a truncated value. */
function exactText(basis: Amount, rate: number): string {
  const denominator = BigInt(DAY_DENOMINATOR) * 10n ** BigInt(SCALE);
  const shifted = BigInt(multiply(basis, rate)) * 10n ** BigInt(EXACT_DECIMALS);
  const text = String(shifted / denominator).padStart(EXACT_DECIMALS + 1, '0');
  const decimal = `${text.slice(0, -EXACT_DECIMALS)}.${text.slice(-EXACT_DECIMALS)}`;
  return shifted % denominator === 0n ? decimal.replace(/\.?0+$/, '') : `${decimal}…`;
}

function sums(columns: Cells, entries: readonly InterestAccrued[]): string[] {
  const total = (of: (entry: InterestAccrued) => Amount): string =>
    showUnits(entries.map(of).reduce(add, ZERO));
  const known: Readonly<Record<string, string>> = {
    entry: total(({ interest }) => interest),
    'booster entry': total(({ boosterInterest }) => boosterInterest),
    together: total(({ interest, boosterInterest }) => add(interest, boosterInterest)),
  };
  return columns.map((name) => known[name] ?? '');
}

const transferRows = (venue: EarnVenue, when: string): string[][] =>
  venue.transfers
    .filter(({ time }) => time === parseWhen(when))
    .map(({ from, to, assetId, money }) => [from, to, withCoin(venue, money, assetId)]);

function withCoin(venue: EarnVenue, money: Amount, assetId: number): string {
  const { name, scale } = venue.state.assets[assetId]!;
  return `${showUnits(money, scale)} ${name}`;
}

/** The rows of the account's statement: changes of a spot balance, and the balances after them. */
function statementRows(venue: EarnVenue, name: string): string[][] {
  const uid = venue.uidOf(name);
  const balances: Amount[] = [];
  const rows = venue.events.flatMap((event): string[][] => {
    if (event.type !== 'earnMoved' && event.type !== 'fundsTransferred') return [];
    if (event.uid !== uid) return [];
    const { assetId, amount, transactTime } = event;
    const balance = add(balances[assetId] ?? ZERO, amount);
    balances[assetId] = balance;
    const kind = event.type === 'earnMoved' ? event.kind : 'credit';
    const [moved, after] = [amount, balance].map((money) => withCoin(venue, money, assetId));
    return [[showWhen(transactTime), kind, moved!, after!]];
  });
  for (const [assetId, balance] of balances.entries()) {
    const spot = venue.state.ledger.balanceOf(uid, assetId, AccountCode.available);
    if (spot !== (balance ?? ZERO)) throw new Error(`the statement of ${name} is not the balance`);
  }
  return rows;
}

/** `json explain day 3`: the answer of the explain call. */
function explanation(venue: EarnVenue, info: string): string {
  const day = Number(/^json explain day (\d+)$/.exec(info)?.[1]) + DAY_ZERO;
  const facts = venue.events.find((event) => event.type === 'interestAccrued' && event.day === day);
  if (facts?.type !== 'interestAccrued') throw new Error(`nothing to explain: ${info}`);
  const written = stringify(writeExplanation(venue.state, facts));
  const lineStarts = /,(?="(?:coin|rate|exact|numerator|carriedIn|rounding)")/g;
  return `\`\`\`${info}\n${written.replaceAll(lineStarts, ',\n ')}\n\`\`\``;
}
