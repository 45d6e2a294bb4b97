// Counts which rules a run of the model has met, so that a workload which no longer reaches a
// branch is a failing test and not a silent loss.
import type { Command } from '../../src/core/command.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import {
  CloseReason,
  ExecType,
  InstrumentStatus,
  OrdType,
  SelfTradePrevention,
} from '../../src/core/fix.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { REJECT_NAMES } from '../../src/core/reject.ts';
import { BranchCounts, EARN_ONLY_REJECTS } from './earn-coverage.ts';
import type { Lockstep } from './lockstep.ts';
import { ORDER_BRANCHES } from './order-coverage.ts';

const nameOf = (names: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(names).find((name) => names[name] === value)!;

/** Rejects of the edge, before there is a command. */
const EDGE_ONLY = ['aboveMaximum'];

/** Random runs do not reach these numbers; test/contract/earn-edges.test.ts does. */
const OF_LARGE_NUMBERS = ['tooManySubscriptions'];

const NOT_HERE: readonly string[] = [...EDGE_ONLY, ...OF_LARGE_NUMBERS, ...EARN_ONLY_REJECTS];

/** Branches that must be met, by name. */
export const BRANCHES: readonly string[] = [
  ...REJECT_NAMES.filter((name) => !NOT_HERE.includes(name)).map((name) => `reject ${name}`),
  ...Object.keys(CloseReason)
    .filter((name) => name !== 'none')
    .map((name) => `close ${name}`),
  // A cancel is immediate, so no order is ever pending.
  ...Object.keys(ExecType)
    .filter((name) => name !== 'pendingCancel')
    .map((name) => `exec ${name}`),
  'self-trade none: traded with oneself',
  'self-trade cancelNewest: taker out',
  'self-trade cancelOldest: maker out',
  'self-trade cancelBoth: both out',
  'self-trade: taker partly filled before',
  'self-trade of an enterprise: maker out',
  'self-trade of an enterprise: members trade where nothing prevents it',
  'fees withdrawn',
  'fees withdrawn again',
  'more than the fees asked for',
  'orders of a halted instrument canceled by their owner',
  'operator: orders of a user canceled',
  'operator: orders of an instrument canceled',
  'taker fee',
  'maker fee',
  'fee takes all that was received',
  'amount beyond 2^53',
  'level quantity beyond 2^53',
  'price improvement',
  'many makers in one order',
  'by quote: budget spent',
  'by quote: rest too small for a lot',
  'answer replayed',
  'answer replayed to its own signature',
  'key forgotten',
  'transfer replayed',
  'cancel by clOrdId',
  'several orders canceled together',
  'large cancel left for later',
  ...ORDER_BRANCHES,
];

export class Coverage extends BranchCounts {
  readonly #signatures = new Set<string>();

  /** Counts what the last command met. */
  observe(command: Command, { outcome, exchange, venue }: Lockstep): void {
    for (const branch of venue.met) this.count(branch);
    const { events } = exchange;
    this.#observeOutcome(command, outcome);
    this.#observeOperator(command, outcome);
    this.#observeHalted(command, exchange);
    for (const event of events) this.#observeEvent(event);
    if (exchange.state.sweeps.pending.length > 0) this.count('large cancel left for later');
    if (command.type !== 'placeOrder' || !outcome.ok || outcome.replayed) return;
    const trades = events.filter((event) => event.type === 'trade');
    if (trades.length > 2) this.count('many makers in one order');
    if (trades.some(({ price }) => command.ordType === OrdType.limit && price !== command.price)) {
      this.count('price improvement');
    }
    this.#observeSelfTrades(exchange.state.instruments[command.securityId]!, events, command.uid);
    this.#observeMembers(exchange, command.uid);
    const last = events.at(-1);
    if (command.quoteOrderQty > 0 && last?.type === 'executionReport' && last.execType === 2) {
      const spent = last.cumQuote === command.quoteOrderQty;
      this.count(spent ? 'by quote: budget spent' : 'by quote: rest too small for a lot');
    }
  }

  #observeOutcome(command: Command, outcome: Outcome): void {
    if (!outcome.ok) this.count(`reject ${outcome.reject.name}`);
    if (outcome.replayed && outcome.ok) {
      this.count(command.type === 'transferFunds' ? 'transfer replayed' : 'answer replayed');
    }
    if ('signature' in command && command.signature !== null) {
      const { keyId, digestHigh, digestLow } = command.signature;
      const name = `${keyId}/${digestHigh}/${digestLow}`;
      const isOwn = outcome.replayed && this.#signatures.has(name);
      if (isOwn) this.count('answer replayed to its own signature');
      this.#signatures.add(name);
    }
    if (!outcome.ok) return;
    if (command.type === 'forgetKey') this.count('key forgotten');
    if (command.type === 'cancelOrder' && command.orderId === 0) this.count('cancel by clOrdId');
    if ('canceled' in outcome.result && outcome.result.canceled > 1) {
      this.count('several orders canceled together');
    }
  }

  #observeOperator(command: Command, outcome: Outcome): void {
    if (command.type === 'withdrawIncome') {
      if (outcome.ok) this.count(outcome.replayed ? 'fees withdrawn again' : 'fees withdrawn');
      else if (outcome.reject.name === 'insufficientBalance') {
        this.count('more than the fees asked for');
      }
    }
    if (command.type !== 'cancelOrders' || !outcome.ok) return;
    if (!('remaining' in outcome.result) || outcome.result.canceled === 0) return;
    const whose = command.uid === 0 ? 'an instrument' : 'a user';
    this.count(`operator: orders of ${whose} canceled`);
  }

  #observeHalted(command: Command, { events, state }: Lockstep['exchange']): void {
    if (command.type !== 'cancelOrder' && command.type !== 'massCancel') return;
    const { HALTED } = InstrumentStatus;
    const halted = events.some(
      (event) => 'securityId' in event && state.instruments[event.securityId]?.status === HALTED,
    );
    if (halted) this.count('orders of a halted instrument canceled by their owner');
  }

  #observeEvent(event: CoreEvent): void {
    if (event.type === 'executionReport') {
      this.count(`exec ${nameOf(ExecType, event.execType)}`);
      if (event.reason !== 0) this.count(`close ${nameOf(CloseReason, event.reason)}`);
    }
    if (event.type !== 'trade') return;
    if (event.takerFee > 0) this.count('taker fee');
    if (event.makerFee > 0) this.count('maker fee');
    const takerGot = event.takerSide === 1 ? event.baseAmount : event.quoteAmount;
    if (event.takerFee === takerGot) this.count('fee takes all that was received');
    if (typeof event.quoteAmount === 'bigint') this.count('amount beyond 2^53');
  }

  #observeSelfTrades(
    { selfTradePrevention }: { selfTradePrevention: SelfTradePrevention },
    events: readonly CoreEvent[],
    uid: number,
  ): void {
    const mode = nameOf(SelfTradePrevention, selfTradePrevention);
    const both = events.filter(
      (event) => event.type === 'trade' && event.makerUid === uid && event.takerUid === uid,
    );
    if (both.length > 0) this.count(`self-trade ${mode}: traded with oneself`);
    const out = events.filter((event) => event.type === 'executionReport' && event.reason === 5);
    if (out.length === 0) return;
    const word = { cancelNewest: 'taker', cancelOldest: 'maker', cancelBoth: 'both' }[mode];
    this.count(`self-trade ${mode}: ${word} out`);
    const last = events.at(-1);
    const partly = last?.type === 'executionReport' && last.reason === 5 && last.cumQty > 0;
    if (partly && mode === 'cancelNewest') this.count('self-trade: taker partly filled before');
  }

  #observeMembers({ events, state }: Lockstep['exchange'], uid: number): void {
    const { enterpriseId } = state.users[uid]!;
    if (enterpriseId === 0) return;
    for (const event of events) {
      if (event.type === 'executionReport' && event.reason === 5 && event.uid !== uid) {
        this.count('self-trade of an enterprise: maker out');
      }
      if (event.type !== 'trade' || event.makerUid === uid) continue;
      if (state.users[event.makerUid]!.enterpriseId !== enterpriseId) continue;
      this.count('self-trade of an enterprise: members trade where nothing prevents it');
    }
  }

  observeBooks({ exchange }: Lockstep): void {
    for (const instrument of exchange.state.instruments) {
      for (const side of [1, 2] as const) {
        instrument?.book.ladder(side).fromBest((level) => {
          const quantity = instrument.book.levelQuantity(level);
          if (typeof quantity === 'bigint') this.count('level quantity beyond 2^53');
          return true;
        });
      }
    }
  }

  missing(least: number): string[] {
    return this.missingOf(BRANCHES, least);
  }
}
