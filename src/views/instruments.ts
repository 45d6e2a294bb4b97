// The assets of each instrument, which the other views need for trades. They never change after the
// instrument was listed.
import type { Database } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import { integer } from '../core/codec.ts';
import { type Insert, type RecordOf, Table } from './table.ts';

/** The two assets of an instrument, by assetId. */
export interface InstrumentAssets {
  readonly base: number;
  readonly quote: number;
}

export const INSTRUMENTS = new Table(
  'instruments',
  { securityId: integer, baseAssetId: integer, quoteAssetId: integer },
  { rowId: 'securityId' },
);

export class InstrumentsView {
  readonly #insert: Insert<RecordOf<typeof INSTRUMENTS>>;
  readonly #known = new Map<number, InstrumentAssets>();
  readonly #listed: number[] = [];

  constructor(db: Database) {
    this.#insert = INSTRUMENTS.prepareInsert(db);
    const rows = db
      .query<{ securityId: number; base: number; quote: number }, []>(
        `SELECT securityId, baseAssetId AS base, quoteAssetId AS quote
         FROM instruments ORDER BY securityId`,
      )
      .all();
    for (const { securityId, base, quote } of rows) this.#known.set(securityId, { base, quote });
  }

  has(securityId: number): boolean {
    return this.#known.has(securityId);
  }

  /** Remembers a new instrument. */
  record(securityId: number, assets: InstrumentAssets): void {
    this.#known.set(securityId, assets);
    this.#listed.push(securityId);
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const securityId of this.#listed) {
      const { base, quote } = this.assetsOf(securityId);
      this.#insert({ securityId, baseAssetId: base, quoteAssetId: quote });
    }
    this.#listed.length = 0;
  }

  assetsOf(securityId: number): InstrumentAssets {
    const assets = this.#known.get(securityId);
    assert(assets !== undefined, 'an instrument is listed before it trades');
    return assets;
  }

  /** The securityIds of all instruments, ascending. */
  all(): number[] {
    return [...this.#known.keys()];
  }
}
