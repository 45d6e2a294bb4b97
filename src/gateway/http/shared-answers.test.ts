// Shared answers: computed once for all who ask at the same time, never older than the question,
// bounded under a flood. Time only passes when a test lets it.
import { describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../../test/sim/simulated-time.ts';
import { Problem } from '../../contract/problem.ts';
import { ok, type Reply } from './reply.ts';
import { MAX_AGE_MS, SharedAnswers } from './shared-answers.ts';

const time = SimulatedTime.forEachTest();

/** A state that moves on, and answers that tell where it was when they were computed. */
class Source {
  seq = 0;
  computed = 0;
  readonly answers = new SharedAnswers(() => this.seq);

  /** The answer, at the time when it comes; the computation takes `milliseconds`. */
  ask(key?: string, milliseconds?: number): Promise<Reply> {
    return time.until(this.begin(key, milliseconds));
  }

  begin(key = 'question', milliseconds = 1): Promise<Reply> {
    return this.answers.answer(key, async () => {
      this.computed++;
      const { seq } = this;
      await Bun.sleep(milliseconds);
      return ok({ seq }, seq);
    });
  }
}

describe('a shared answer', () => {
  test('is computed once for all who ask while nothing happens', async () => {
    const source = new Source();
    const replies = await time.until(
      Promise.all(Array.from({ length: 100 }, () => source.begin())),
    );
    expect(new Set(replies).size).toBe(1);
    expect(await source.ask()).toBe(replies[0]!);
    expect(source.computed).toBe(1);
  });

  test('is computed again when something has happened', async () => {
    const source = new Source();
    await source.ask();
    source.seq++;
    expect((await source.ask()).seq).toBe(1);
    expect(source.computed).toBe(2);
  });

  test('is never older than its question, and is rarely computed, in a moving state', async () => {
    const source = new Source();
    const asked: Promise<void>[] = [];
    for (let i = 0; i < 200; i++) {
      const since = ++source.seq;
      asked.push(
        source.begin('question', 2).then(({ seq }) => expect(seq).toBeGreaterThanOrEqual(since)),
      );
      await time.pass(1);
    }
    await time.until(Promise.all(asked));
    expect(source.computed).toBeLessThan(asked.length / 4);
  });

  test('of another question is computed separately', async () => {
    const source = new Source();
    await time.until(Promise.all(['a', 'b', 'a'].map((key) => source.begin(key))));
    expect(source.computed).toBe(2);
  });

  test('expires, because it contains the time', async () => {
    const source = new Source();
    await source.ask();
    await time.pass(MAX_AGE_MS + 1);
    await source.ask();
    expect(source.computed).toBe(2);
  });

  test('that fails rejects for its callers, and not for later ones', async () => {
    const source = new Source();
    const failing = () =>
      source.answers.answer('question', () => Promise.reject(new Error('the disk is gone')));
    const both = await time.until(Promise.allSettled([failing(), source.begin()]));
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await source.ask()).seq).toBe(0);
  });

  test('is kept within a bound of characters for all, the newest first', async () => {
    const source = new Source();
    const body = 'x'.repeat(2 << 20);
    const ask = (key: string) =>
      time.until(
        source.answers.answer(key, async () => {
          source.computed++;
          return { status: 200, body, seq: 0, headers: null };
        }),
      );
    for (let n = 0; n < 20; n++) await ask(`book ${n}`);
    expect(source.answers.textLength).toBe(8 * body.length);
    await ask('book 19');
    expect(source.computed).toBe(20);
    await ask('book 0');
    expect([source.computed, source.answers.textLength]).toEqual([21, 8 * body.length]);
  });

  test('is rejected when too many different questions wait, and the rest is answered', async () => {
    const source = new Source();
    const flood = Array.from({ length: 700 }, (_, i) => source.begin(`question ${i}`, 0));
    const settled = await time.until(Promise.allSettled(flood));
    const rejected = settled.filter(({ status }) => status === 'rejected');
    expect(rejected.length).toBeWithin(100, 300);
    for (const each of rejected) {
      const { reason } = each as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(Problem);
      expect((reason as Problem).kind).toBe('overloaded');
    }
    await source.ask('another');
  });
});
