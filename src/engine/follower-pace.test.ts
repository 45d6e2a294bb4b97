// The follower's decisions: it leaves a busy leader alone, within bounds, never lets a reader wait,
// and writes large snapshots more rarely.
import { describe, expect, test } from 'bun:test';
import {
  DEFERRED_CHANGES,
  DEFERRED_MS,
  defers,
  isBusy,
  isSnapshotDue,
  LEADER_SILENT_MS,
  SMALL_SNAPSHOT,
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

describe('a snapshot is due', () => {
  const since = { commands: 1000, bytes: 40_000, snapshotBytes: SMALL_SNAPSHOT };
  test.each([
    ['after a number of commands', {}, true],
    ['not before', { commands: 999 }, false],
    ['where the last one is not known', { snapshotBytes: 0 }, true],
    ['not while a large one has more bytes', { snapshotBytes: SMALL_SNAPSHOT + 1 }, false],
    [
      'when the journal has as many',
      { snapshotBytes: 2 * SMALL_SNAPSHOT, bytes: 2 * SMALL_SNAPSHOT },
      true,
    ],
  ])('%s: %o', (_, changed, due) => {
    expect(isSnapshotDue({ ...since, ...changed }, 1000)).toBe(due);
  });
});
