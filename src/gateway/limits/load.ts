// Measures how busy the event loop is, and sheds calls while it is too busy: the least important
// first, new orders last, cancels and amendments never. Only a lasting delay sheds calls; a short
// stall does not.
import type { ApiCall } from '../../contract/call.ts';
import { Problem } from '../../contract/problem.ts';
import { Durations } from '../../engine/durations.ts';

/** The kinds of calls that are shed, in this order. */
export type ShedCalls = 'public' | 'read' | 'write' | 'order';

interface Step {
  readonly calls: ShedCalls;
  /** ms that a timer is late. */
  readonly delayMs: number;
  /** Part of the queue limit that waits for the journal. */
  readonly queue: number;
}

/** docs/operating.md has this table. */
export const STEPS: readonly Step[] = [
  { calls: 'public', delayMs: 75, queue: 0.5 },
  { calls: 'read', delayMs: 125, queue: 0.65 },
  { calls: 'write', delayMs: 250, queue: 0.8 },
  { calls: 'order', delayMs: 500, queue: 0.95 },
];
/** A step begins when all samples of this time, and at least this many, are above its figures. */
const BEGIN_MS = 500;
const BEGIN_SAMPLES = 8;
/** A step ends when all samples of this time are below half of its figures. */
const END_MS = 1000;
/** From one sample to the next. */
export const SAMPLE_MS = 20;

/** A step, and since when the samples contradict its state. */
interface StepState extends Step {
  isOn: boolean;
  /** Consecutive samples that contradict the state, and the time of the first. */
  samples: number;
  since: number;
}

export class Load {
  /** The delay of each sample. */
  readonly delays = new Durations();
  /** Requests that were shed. */
  readonly shed: Readonly<Record<ShedCalls, number>> & { [calls in ShedCalls]: number } = {
    public: 0,
    read: 0,
    write: 0,
    order: 0,
  };
  readonly #queueFill: () => number;
  readonly #steps: readonly StepState[] = STEPS.map((step) => ({
    ...step,
    isOn: false,
    samples: 0,
    since: 0,
  }));
  #level = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `queueFill` is how full the queue of commands is, from 0 to 1. */
  constructor(queueFill: () => number) {
    this.#queueFill = queueFill;
  }

  /** Steps that are on: 0 is calm. */
  get level(): number {
    return this.#level;
  }

  start(): void {
    let due = performance.now() + SAMPLE_MS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.observe(Math.max(0, now - due), now);
      due = now + SAMPLE_MS;
    }, SAMPLE_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Takes one sample: the timer was `lateMs` late at `now`, both in ms. */
  observe(lateMs: number, now: number): void {
    this.delays.observe(lateMs);
    const fill = this.#queueFill();
    for (const step of this.#steps) {
      const share = step.isOn ? 0.5 : 1;
      const isBusy = lateMs >= step.delayMs * share || fill >= step.queue * share;
      if (isBusy === step.isOn) {
        step.samples = 0;
        continue;
      }
      if (step.samples === 0) step.since = now;
      step.samples++;
      const lasts = now - step.since;
      const changes = step.isOn
        ? lasts >= END_MS
        : lasts >= BEGIN_MS && step.samples >= BEGIN_SAMPLES;
      if (!changes) continue;
      step.isOn = !step.isOn;
      step.samples = 0;
      this.#level += step.isOn ? 1 : -1;
    }
  }

  /** Throws Problem overloaded where calls of this kind are shed. */
  admit(calls: ShedCalls | null): void {
    if (calls === null) return;
    const step = this.#steps.find((one) => one.calls === calls);
    if (step?.isOn !== true) return;
    this.shed[calls]++;
    throw new Problem('overloaded', { headers: { 'Retry-After': '1' } });
  }
}

/**
 * The kind under which a call is shed; null for calls that never are: cancels, amendments,
 * operators, monitoring. The route of a batch sheds it by its entries.
 */
export function shedCallsOf({ access, method, path, write, urgent }: ApiCall): ShedCalls | null {
  if (urgent === true || access === 'operator' || WATCHING.has(path)) return null;
  if (access === 'public') return method === 'GET' ? 'public' : 'write';
  if (access === 'session') return method === 'GET' ? 'read' : 'write';
  if (!write) return 'read';
  return path.startsWith(TRADING) ? 'order' : 'write';
}

const WATCHING: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
const TRADING = '/spot-api/';

/** `draining`: it serves, and is about to stop. */
export type Availability = 'ready' | 'draining' | 'starting' | 'stopping';

/** Throws Problem notReady, stopping while the node serves no calls. */
export function requireAvailable(now: Availability): void {
  if (now === 'ready' || now === 'draining') return;
  throw new Problem(now === 'starting' ? 'notReady' : 'stopping', {
    headers: { 'Retry-After': '1' },
  });
}
