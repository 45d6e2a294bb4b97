// Applies each case of part `large-core` to a core without a server, in records as a sequencer
// makes them: honest orders of other accounts come with each, in the pair of the case and in
// another. Reports how long they wait.
import type { Command } from '../../src/core/command.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import { RULES } from '../../src/core/rules.ts';
import {
  accounts,
  FIRST_HONEST,
  HONEST,
  largeCases,
  pairOf,
  setUpCommands,
} from './large-cases.ts';
import { argumentOf, report } from './processes.ts';
import { cancelCommand, orderCommand, START } from './venue.ts';

export interface LargeCoreRun {
  readonly size: number;
  readonly runs: number;
  /** Makes all events, as the follower does and a leader with subscribers. */
  readonly tells: boolean;
}

/** Milliseconds of one run of a case. */
export interface LargeCoreTimes {
  readonly name: string;
  /** The longest record without the attack, and from the attack to its end. */
  readonly calm: number;
  readonly record: number;
  /** All records from the attack to its end: the wait of orders in its own pair. */
  readonly whole: number;
  readonly records: number;
}

const CALM_RECORDS = 2_000;
/** The orders of each record, in the other pair and in that of the case. */
const OF_PAIR = HONEST / 2;

class Sequence {
  readonly exchange: Exchange;
  #seq = 0;

  constructor(tells: boolean) {
    const filter = tells ? EventFilter.all() : EventFilter.none();
    this.exchange = new Exchange(undefined, filter);
  }

  /** Applies a record; returns the milliseconds that it took. */
  apply(commands: readonly Command[], mayReject = false): number {
    const header = { firstSeq: this.#seq + 1, rules: RULES, time: START };
    const start = performance.now();
    this.exchange.applyRecord(header, commands, (_, { type }, outcome) => {
      if (outcome.ok || mayReject) return;
      throw new Error(`${type} was rejected: ${outcome.reject.name}`);
    });
    const ms = performance.now() - start;
    this.#seq += commands.length;
    return ms;
  }
}

/** New orders far from the market in turn with their cancels. */
function honestOrders(sequence: Sequence, securityId: number): Command[] {
  const { exchange } = sequence;
  const { orders } = exchange.state;
  return Array.from({ length: OF_PAIR }, (_, index) => {
    const uid = FIRST_HONEST + index + (securityId === 1 ? 0 : OF_PAIR);
    const open = orders.firstOf(uid);
    if (open >= 0) return cancelCommand(uid, orders.orderId(open), null);
    const terms = { uid, side: Side.buy, price: 1, quantity: 1, clOrdId: '', signature: null };
    return { ...orderCommand(terms), securityId };
  });
}

function runCase(sequence: Sequence, size: number, index: number, run: number): LargeCoreTimes {
  const cases = largeCases(size);
  const one = cases[index]!;
  const pair = pairOf(cases.length, index, run);
  for (const command of setUpCommands(one, pair)) sequence.apply([command]);
  const { exchange } = sequence;
  const honest = (): Command[] =>
    [...honestOrders(sequence, 1), ...honestOrders(sequence, pair.securityId)].filter(
      (command) => !exchange.isBusy || !exchange.mustWait(command),
    );
  Bun.gc(true);
  let calm = 0;
  for (let i = 0; i < CALM_RECORDS; i++) calm = Math.max(calm, sequence.apply(honest()));
  const attacks = Array.from({ length: one.burst }, () => one.attack(pair));
  let record = sequence.apply([...honest(), ...attacks], one.burst > 1);
  let whole = record;
  let records = 1;
  for (; exchange.nextTimer <= START; records++) {
    const ms = sequence.apply([{ type: 'runTimers' }, ...honest()]);
    record = Math.max(record, ms);
    whole += ms;
  }
  return { name: one.name, calm, record, whole, records };
}

function main({ size, runs, tells }: LargeCoreRun): LargeCoreTimes[] {
  const sequence = new Sequence(tells);
  for (const command of accounts()) sequence.apply([command]);
  const count = largeCases(size).length;
  const times: LargeCoreTimes[] = [];
  for (let run = 0; run < runs; run++) {
    for (let index = 0; index < count; index++) times.push(runCase(sequence, size, index, run));
  }
  return times;
}

report(main(argumentOf<LargeCoreRun>()));
