// Dead man's switches against a plain map: what is due, in which order, and a next time that is
// never too late.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { DeadManSwitches, FIRED_AT_ONCE } from './dead-man-switch.ts';
import { StateHash } from './state-hash.ts';

describe("dead man's switches", () => {
  test('match a plain map, with the hash of exactly the armed switches', () => {
    const random = new Prng(3);
    const hash = new StateHash();
    const switches = new DeadManSwitches(hash);
    const map = new Map<number, number>();
    for (let now = 0; now < 5_000; now++) {
      const uid = random.below(40);
      if (random.percent(60)) {
        const deadline = now + random.between(1, 300);
        switches.arm(uid, deadline);
        map.set(uid, deadline);
      } else {
        switches.disarm(uid);
        map.delete(uid);
      }
      const sorted = [...map].sort(([a, x], [b, y]) => x - y || a - b);
      expect(switches.all()).toEqual(sorted);
      expect(switches.earliest).toBe(sorted[0]?.[1] ?? Number.POSITIVE_INFINITY);
      if (!random.oneIn(4)) continue;
      const due = sorted.filter(([, deadline]) => deadline <= now).map(([owner]) => owner);
      expect(switches.takeDue(now)).toEqual(due);
      for (const owner of due) map.delete(owner);
    }
    for (const [uid] of map) switches.disarm(uid);
    expect(hash.digest()).toBe(new StateHash().digest());
  });

  test('of very many that are due a command fires a part', () => {
    const hash = new StateHash();
    const switches = new DeadManSwitches(hash);
    for (let uid = 1; uid <= 20_000; uid++) switches.arm(uid, uid % 2 === 0 ? 10 : 20);
    const fired: number[] = [];
    for (let commands = 1; switches.earliest <= 10; commands++) {
      fired.push(...switches.takeDue(10));
      expect(fired.length).toBe(commands * FIRED_AT_ONCE);
    }
    expect(fired).toEqual(Array.from({ length: 10_000 }, (_, i) => 2 * (i + 1)));
    expect(switches.earliest).toBe(20);
    while (switches.earliest <= 20) switches.takeDue(20);
    expect(switches.earliest).toBe(Number.POSITIVE_INFINITY);
    expect(hash.digest()).toBe(new StateHash().digest());
  });
});
