// Views and journals of a venue's history on disk, for tests: what a leader and a follower would
// have written.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryWriter } from '../../src/core/binary.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { ViewStore } from '../../src/views/view-store.ts';
import type { TimedCommand, Venue } from './venue.ts';

/** A directory that is removed with `using`. */
export class TemporaryDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'agio-test-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The events of every command of a history, in order; place i holds those of seq i + 1. */
export function eventsOf(log: readonly TimedCommand[]): CoreEvent[][] {
  const exchange = new Exchange();
  return log.map(({ time, command }, index) => {
    exchange.apply(index + 1, time, command);
    return [...exchange.events];
  });
}

/** A store in `directory` that has seen the venue's history, committed every `batch` commands. */
export function storeOf(venue: Venue, directory: string, batch = 1000): ViewStore {
  const store = ViewStore.open(join(directory, 'views.db'), (securityId) => {
    const { base, quote } = venue.exchange.state.instruments[securityId]!;
    return { base: base.assetId, quote: quote.assetId };
  });
  const chainHash = new Uint8Array(32);
  eventsOf(venue.log).forEach((events, index) => {
    store.apply(events, index + 1);
    if ((index + 1) % batch === 0) store.commit(chainHash);
  });
  store.commit(chainHash);
  return store;
}

/**
 * Appends the commands of a history that the journal does not have yet, at most `most` a record.
 */
export async function appendLog(
  journal: Journal,
  log: readonly TimedCommand[],
  most = 50,
): Promise<void> {
  const writer = new BinaryWriter();
  while (journal.head.seq < log.length) {
    const from = journal.head.seq;
    const { time } = log[from];
    let end = from + 1;
    while (end < log.length && end - from < most && log[end].time === time) end++;
    const commands = log.slice(from, end).map(({ command }) => command);
    const payload = encodeBatch(writer, { time, commands });
    await journal.append({ firstSeq: from + 1, count: commands.length, epoch: 1, payload });
  }
}
