// The follower's decision: it leaves a busy leader alone, within bounds, and never lets a reader
// wait.
import { describe, expect, test } from 'bun:test';
import {
  DEFERRED_CHANGES,
  DEFERRED_MS,
  defers,
  isBusy,
  LEADER_SILENT_MS,
} from './follower-pace.ts';

describe('a leader is busy', () => {
  const calm = { cpuShare: 0.2, lateMs: 2, queueLength: 10 };
  test.each([
    ['with its processor, its timers and its queue free', {}, false],
    ['while it uses most of a core', { cpuShare: 0.8 }, true],
    ['while it waits for a core', { lateMs: 50 }, true],
    ['while it waits for the disk', { queueLength: 500 }, true],
  ])('%s: %o', (_, load, busy) => {
    expect(isBusy({ ...calm, ...load })).toBe(busy);
  });
});

describe('the follower defers its work', () => {
  const pending = { sinceBusyMs: 20, isAwaited: false, changes: 1000, ms: 500 };
  test.each([
    ['for a busy leader', {}, true],
    ['not for an idle one', { sinceBusyMs: Number.POSITIVE_INFINITY }, false],
    ['not for one that has had room for a while', { sinceBusyMs: LEADER_SILENT_MS }, false],
    ['not while a reader waits', { isAwaited: true }, false],
    ['not beyond a number of changes', { changes: DEFERRED_CHANGES }, false],
    ['not beyond a time', { ms: DEFERRED_MS }, false],
  ])('%s: %o', (_, changed, deferred) => {
    expect(defers({ ...pending, ...changed })).toBe(deferred);
  });
});
