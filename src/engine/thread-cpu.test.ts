// Processor time by thread: threads of a name add up, and that of those that ended still counts.
import { expect, test } from 'bun:test';
import { threadCpu } from './thread-cpu.ts';

const secondsOf = (thread: string): number | undefined => threadCpu.seconds().get(thread);

test('threads of one name add up, also after one of them has ended', () => {
  const [first, second] = [threadCpu.open('example'), threadCpu.open('example')];
  first[0] = 1.5;
  second[0] = 0.25;
  expect(secondsOf('example')).toBe(1.75);
  threadCpu.close(first);
  expect(secondsOf('example')).toBe(1.75);
  second[0] = 0.5;
  expect(secondsOf('example')).toBe(2);
  threadCpu.close(second);
  threadCpu.close(second);
  expect(secondsOf('example')).toBe(2);
});

test('the rest of the process never shrinks', () => {
  const before = secondsOf('other')!;
  const slot = threadCpu.open('late');
  slot[0] = 1000;
  expect(secondsOf('other')).toBeGreaterThanOrEqual(before);
  threadCpu.close(slot);
});

test('the main thread has its own time', () => {
  const before = secondsOf('main')!;
  const start = performance.now();
  while (performance.now() - start < 20);
  expect(secondsOf('main')).toBeGreaterThan(before);
});
