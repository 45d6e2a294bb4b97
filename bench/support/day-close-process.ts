// Subscriptions in a fresh exchange: how much a process grows by each, and how long the core takes
// to close days for all.
import { DAY_MS } from '../../src/core/calendar.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { argumentOf, report } from './processes.ts';
import { EACH, PLAN_COMMANDS, subscribeCommand } from './savings.ts';
import { type Memory, settledMemory } from './settled-memory.ts';
import { START, venueCommands } from './venue.ts';

export interface DayCloseRun {
  readonly subscriptions: number;
  /** Days that are closed; the first of them warms up and is not counted. */
  readonly days: number;
}

/** Memory is that of a subscription. */
export interface DayClose extends Memory {
  /** To close one day for all, the mean. */
  readonly seconds: number;
  readonly longestSliceMs: number;
}

/** Subscriptions before the first look, so that compiled code and first pages are not counted. */
const WARM_UP = 20_000;

const { subscriptions, days } = argumentOf<DayCloseRun>();
// As the leader runs it: events are the follower's.
const exchange = new Exchange(undefined, EventFilter.none());
const { state } = exchange;
let time = START;
const send = (command: Parameters<Exchange['apply']>[2]): void => {
  const outcome = exchange.apply(state.seq + 1, time, command);
  if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.reject.name}`);
};
const subscribe = (count: number): void => {
  const first = state.earn.subscriptions.size;
  for (let number = first; number < first + count; number++) {
    send(subscribeCommand(1 + Math.floor(number / EACH), number));
  }
};

const users = Math.ceil((WARM_UP + subscriptions) / EACH);
for (const command of [...venueCommands(users), ...PLAN_COMMANDS]) send(command);
subscribe(WARM_UP);
const before = await settledMemory();
subscribe(subscriptions);
const after = await settledMemory();

let longestSliceMs = 0;
let began = 0;
for (let day = 0; day <= days; day++) {
  if (day === 1) {
    began = performance.now();
    longestSliceMs = 0;
  }
  time += DAY_MS;
  while (exchange.nextTimer <= time) {
    const start = performance.now();
    send({ type: 'runTimers' });
    longestSliceMs = Math.max(longestSliceMs, performance.now() - start);
  }
}
report({
  resident: (after.resident - before.resident) / subscriptions,
  live: (after.live - before.live) / subscriptions,
  seconds: (performance.now() - began) / 1000 / days,
  longestSliceMs,
} satisfies DayClose);
