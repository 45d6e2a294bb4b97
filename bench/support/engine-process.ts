// Feeds the stream to one engine and reports the time, or the trades. Each engine and run has its
// own process.
import { readFileSync, writeFileSync } from 'node:fs';
import { ENGINES, type EngineName, feed, type TradeListener } from './engines.ts';
import { RESTING } from './order-stream.ts';
import { argumentOf, report } from './processes.ts';

export interface EngineRun {
  readonly engine: EngineName;
  /** The file of the stream's operations. */
  readonly stream: string;
  /** Operations after the book was filled that are not timed. */
  readonly warmUp: number;
  readonly operations: number;
  /** Where to write the trades of all operations, instead of timing them; null to time. */
  readonly record: string | null;
}

export interface EngineTime {
  readonly seconds: number;
}

function run({ engine: name, stream, warmUp, operations, record }: EngineRun): EngineTime {
  const bytes = readFileSync(stream);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const trades: number[] = [];
  const listener: TradeListener = (maker, price, quantity) => trades.push(maker, price, quantity);
  const engine = ENGINES[name](record === null ? null : listener);
  const start = RESTING + warmUp;
  feed(engine, words, 0, start);
  const began = performance.now();
  feed(engine, words, start, start + operations);
  const seconds = (performance.now() - began) / 1000;
  if (record !== null) writeFileSync(record, Int32Array.from(trades));
  return { seconds };
}

report(run(argumentOf<EngineRun>()));
