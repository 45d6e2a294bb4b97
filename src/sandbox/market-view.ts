// What the demo market sees of the exchange: the books as last looked at, and which pairs trade.
// Makers and taker share it, so that each book is read once.
import type { DemoPair } from './demo-pairs.ts';
import { Patience, type RareWarnings } from './pacing.ts';
import type { Answer, BookSide, Level3Book, MarketClient } from './signed-client.ts';

/** As the contract names it in instrumentStatus. */
const LIVE = 'LIVE';
const POST_ONLY = 'POST_ONLY';

export class MarketView {
  readonly patience = new Patience();
  readonly #client: MarketClient;
  readonly #warnings: RareWarnings;
  readonly #books = new Map<string, Level3Book>();
  #statuses = new Map<string, string>();

  constructor(client: MarketClient, warnings: RareWarnings) {
    this.#client = client;
    this.#warnings = warnings;
  }

  /** Whether the exchange has this pair, as far as is known. */
  lists({ symbol }: DemoPair): boolean {
    return this.#statuses.has(symbol);
  }

  /** Whether orders are matched in this pair. */
  trades({ symbol }: DemoPair): boolean {
    return this.#statuses.get(symbol) === LIVE;
  }

  /** Whether quotes may be placed, all of them post-only. */
  takesQuotes({ symbol }: DemoPair): boolean {
    const status = this.#statuses.get(symbol);
    return status === LIVE || status === POST_ONLY;
  }

  /**
   * The server refused an order because of the pair's status: what is known of it is out of date.
   */
  forgetStatus({ symbol }: DemoPair): void {
    this.#statuses.delete(symbol);
  }

  /** The book as it was at the last look. */
  bookOf({ symbol }: DemoPair): Level3Book | null {
    return this.#books.get(symbol) ?? null;
  }

  async refreshStatuses(): Promise<boolean> {
    const answer = await this.#client.statuses();
    this.#note('instruments were not read', answer);
    if (answer.kind !== 'ok') return false;
    this.#statuses = new Map(answer.value);
    return true;
  }

  /** The book as it is now, or null when it could not be read. */
  async look(pair: DemoPair): Promise<Level3Book | null> {
    const answer = await this.#client.level3Book(pair);
    this.#note('a book was not read', answer);
    if (answer.kind !== 'ok') return null;
    this.#books.set(pair.symbol, answer.value);
    return answer.value;
  }

  #note(kind: string, answer: Answer<unknown>): void {
    this.patience.note(answer);
    if (answer.kind !== 'ok') this.#warnings.warn(kind, answer.text);
  }
}

/** The middle of a book in sub-ticks of `unit`, or null where it has none that means anything. */
export function middleOf({ bids, asks }: Level3Book, unit: number): number | null {
  const [bid, ask] = [bestOf(bids), bestOf(asks)];
  // A wide spread is no opinion about the price.
  if (bid === null || ask === null || (ask - bid) * 50 > bid) return null;
  const sum = (bid + ask) * unit;
  return (sum - (sum % 2)) / 2;
}

export const bestOf = ({ orders }: BookSide) => orders[0]?.price ?? null;
