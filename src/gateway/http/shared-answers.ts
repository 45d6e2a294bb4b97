// Computes the answer to a public question once for all callers who ask at the same time, so
// that a flood of anonymous requests costs little more than one request. An answer is never older
// than its question: a later journal position needs the next computation.
import { Problem } from '../../contract/problem.ts';
import type { Reply } from './reply.ts';

/**
 * The pause after a computation: this multiple of its duration, within these bounds. A question
 * without pauses takes at most a twentieth of the time, and an occasional one never waits.
 */
const REST = 20;
const MIN_INTERVAL_MS = 10;
const MAX_INTERVAL_MS = 250;
/** Some answers contain the time (transactTime), so none is used for longer. */
export const MAX_AGE_MS = 250;
/** Parallel computations. Others wait here, not before private reads in the views' queue. */
const MAX_RUNNING = 4;
/** Different questions that may wait; further ones are rejected as overloaded. */
const MAX_WAITING = 500;
/** Questions in memory, and characters of their answers. */
const MAX_KEPT = 200;
const MAX_KEPT_TEXT = 16 << 20;

/** An answer and the journal position that it surely reflects. */
interface Known {
  readonly seq: number;
  readonly reply: Reply;
}

/** A computation in progress. */
interface Running {
  readonly seq: number;
  readonly reply: Promise<Reply>;
}

interface Question {
  known: Known | null;
  running: Running | null;
  /** The next computation, for all questions since the running one began. */
  next: Promise<Reply> | null;
  startedAt: number;
  /** No new computation before this time. */
  restsUntil: number;
}

export class SharedAnswers {
  readonly #seq: () => number;
  readonly #questions = new Map<string, Question>();
  #running = 0;
  #textLength = 0;
  readonly #waiting: (() => void)[] = [];

  /** `seq` returns the journal position of the state. */
  constructor(seq: () => number) {
    this.#seq = seq;
  }

  /**
   * The answer to the question of `key`, at the current position or a later one. Rejects with the
   * errors of `compute`, and with Problem overloaded where too many different questions wait.
   */
  answer<W>(key: string, compute: () => Reply<W> | Promise<Reply<W>>): Promise<Reply<W>> {
    // One key always asks for one kind of answer.
    return this.#answer(key, compute) as Promise<Reply<never>>;
  }

  #answer(key: string, compute: () => Reply | Promise<Reply>): Promise<Reply> {
    const question = this.#question(key);
    const { known, running, startedAt } = question;
    const seq = this.#seq();
    if (performance.now() - startedAt <= MAX_AGE_MS) {
      if (known?.seq === seq) return Promise.resolve(known.reply);
      if (running?.seq === seq) return running.reply;
    }
    question.next ??= this.#next(question, compute);
    return question.next;
  }

  #question(key: string): Question {
    const known = this.#questions.get(key);
    if (known !== undefined) return known;
    if (this.#questions.size >= MAX_KEPT) this.#forget();
    const question = { known: null, running: null, next: null, startedAt: 0, restsUntil: 0 };
    this.#questions.set(key, question);
    return question;
  }

  /** Drops the oldest question that nobody waits for. */
  #forget(): void {
    for (const [key, question] of this.#questions) {
      if (question.running !== null || question.next !== null) continue;
      this.#keep(question, null);
      this.#questions.delete(key);
      return;
    }
  }

  /** Keeps an answer, and drops those of the oldest questions while all are too long. */
  #keep(question: Question, known: Known | null): void {
    this.#textLength += lengthOf(known) - lengthOf(question.known);
    question.known = known;
    for (const oldest of this.#questions.values()) {
      if (this.#textLength <= MAX_KEPT_TEXT) return;
      if (oldest !== question && oldest.known !== null) this.#keep(oldest, null);
    }
  }

  /** Characters of the answers in memory. */
  get textLength(): number {
    return this.#textLength;
  }

  /**
   * Begins the computation as soon as the one before it is done, has rested, and it is this
   * question's turn.
   */
  async #next(question: Question, compute: () => Reply | Promise<Reply>): Promise<Reply> {
    try {
      await question.running?.reply.catch(() => undefined);
      const rest = question.restsUntil - performance.now();
      if (rest > 0) await Bun.sleep(rest);
      await this.#turn();
    } finally {
      question.next = null;
    }
    const seq = this.#seq();
    question.startedAt = performance.now();
    const reply = this.#run(question, seq, compute);
    question.running = { seq, reply };
    return reply;
  }

  async #run(
    question: Question,
    seq: number,
    compute: () => Reply | Promise<Reply>,
  ): Promise<Reply> {
    try {
      const reply = await compute();
      this.#keep(question, { seq, reply });
      return reply;
    } finally {
      const now = performance.now();
      const rest = REST * (now - question.startedAt);
      question.restsUntil = now + Math.min(Math.max(rest, MIN_INTERVAL_MS), MAX_INTERVAL_MS);
      question.running = null;
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** Resolves when the computation may begin. */
  #turn(): Promise<void> {
    if (this.#running < MAX_RUNNING) {
      this.#running++;
      return Promise.resolve();
    }
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new Problem('overloaded', { headers: { 'Retry-After': '1' } }));
    }
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        this.#running++;
        resolve();
      });
    });
  }
}

const lengthOf = (known: Known | null): number =>
  typeof known?.reply.body === 'string' ? known.reply.body.length : 0;
