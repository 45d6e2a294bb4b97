// The clock of signatures follows the server's and gives no time twice.
import { expect, test } from 'bun:test';
import { SigningClock } from '../../src/sdk/clock.ts';

const START = 1_795_237_741_922;

function clockAt(offset: number) {
  const wall = { now: START + offset };
  return { wall, clock: new SigningClock(() => wall.now) };
}

test('times grow while the wall clock stands still, and follow one that is set back far', () => {
  const { wall, clock } = clockAt(0);
  expect([clock.next(), clock.next(), clock.next()]).toEqual([START, START + 1, START + 2]);
  wall.now -= 1000;
  expect(clock.next()).toBe(START + 3);
  wall.now -= 3_600_000;
  expect(clock.next()).toBe(wall.now);
});

test('the first call measures the time once, for the middle of its round trip', async () => {
  const { wall, clock } = clockAt(-5000);
  let asked = 0;
  const ask = async () => {
    asked++;
    wall.now += 100;
    return START;
  };
  await Promise.all([clock.measure(ask), clock.measure(ask)]);
  await clock.measure(ask);
  expect(asked).toBe(1);
  expect(clock.offset).toBe(4950);
  expect(clock.next()).toBe(wall.now + 4950);
});

test('if the server does not answer, the next call asks again', async () => {
  const { clock } = clockAt(0);
  await clock.measure(() => Promise.reject(new Error('no answer')));
  expect(clock.offset).toBe(0);
  await clock.measure(async () => START + 70);
  expect(clock.offset).toBe(70);
});

test('a correction applies immediately, also backwards', () => {
  const { clock } = clockAt(0);
  clock.next();
  clock.correct(START - 7_200_000);
  expect(clock.next()).toBe(START - 7_200_000);
  clock.correct(START + 7_200_000);
  expect(clock.next()).toBe(START + 7_200_000);
});

test('no time comes twice, however many are signed in a millisecond', () => {
  const { wall, clock } = clockAt(0);
  const times = new Set<number>();
  const count = 150_000;
  for (let i = 0; i < count; i++) times.add(clock.next());
  expect(times.size).toBe(count);
  // After the wait for the clock, the next signature is at most a minute ahead.
  const { waitMs } = clock;
  expect(waitMs).toBe(count - 1 - 60_000);
  wall.now += waitMs;
  expect(clock.waitMs).toBe(0);
  expect(clock.next()).toBe(wall.now + 60_001);
});

test('many rejections with nearly the same time repeat no time', () => {
  const { wall, clock } = clockAt(-3_600_000);
  clock.next();
  const times: number[] = [];
  for (let i = 0; i < 64; i++) {
    clock.correct(START + 5);
    times.push(clock.next());
    if (i % 8 === 0) wall.now++;
  }
  expect(new Set(times).size).toBe(64);
});

test('a clock that is set back a little, again and again, is followed after a minute', () => {
  const { wall, clock } = clockAt(0);
  clock.next();
  for (let i = 1; i <= 2; i++) {
    wall.now -= 29_000;
    expect(clock.next()).toBe(START + i);
  }
  expect(clock.waitMs).toBe(0);
  wall.now -= 29_000;
  expect(clock.next()).toBe(wall.now);
});
