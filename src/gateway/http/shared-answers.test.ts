// Shared answers: computed once for all who ask at the same time, never older than the question,
// bounded under a flood.
import { describe, expect, test } from 'bun:test';
import { Problem } from '../../contract/problem.ts';
import { ok, type Reply } from './reply.ts';
import { SharedAnswers } from './shared-answers.ts';

/** A state that moves on, and answers that tell where it was when they were computed. */
class Source {
  seq = 0;
  computed = 0;
  readonly answers = new SharedAnswers(() => this.seq);

  /** Asks; the computation takes `milliseconds`. */
  ask(key = 'question', milliseconds = 1): Promise<Reply> {
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
    const replies = await Promise.all(Array.from({ length: 100 }, () => source.ask()));
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
        source.ask('question', 2).then(({ seq }) => expect(seq).toBeGreaterThanOrEqual(since)),
      );
      await Bun.sleep(1);
    }
    await Promise.all(asked);
    expect(source.computed).toBeLessThan(asked.length / 4);
  });

  test('of another question is another', async () => {
    const source = new Source();
    await Promise.all([source.ask('a'), source.ask('b'), source.ask('a')]);
    expect(source.computed).toBe(2);
  });

  test('also tells the time, so it is not used for ever', async () => {
    const source = new Source();
    await source.ask();
    await Bun.sleep(300);
    await source.ask();
    expect(source.computed).toBe(2);
  });

  test('that fails is a failure for those who shared it, and for nobody after', async () => {
    const source = new Source();
    const failing = () =>
      source.answers.answer('question', () => Promise.reject(new Error('the disk is gone')));
    const both = await Promise.allSettled([failing(), source.ask()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await source.ask()).seq).toBe(0);
  });

  test('is refused when too many different questions wait, and the rest is answered', async () => {
    const source = new Source();
    const flood = Array.from({ length: 700 }, (_, i) => source.ask(`question ${i}`, 0));
    const settled = await Promise.allSettled(flood);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeWithin(100, 300);
    for (const each of refused) {
      const { reason } = each as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(Problem);
      expect((reason as Problem).kind).toBe('overloaded');
    }
    await source.ask('another');
  });
});
