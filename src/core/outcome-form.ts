// Outcomes as bytes. Results of one kind share their field names, the shape, so each outcome keeps
// only the values. Shapes are numbered in order of their first use.
import { assert } from './assert.ts';
import type { BinaryReader, BinaryWriter } from './binary.ts';
import { transported } from './codec.ts';
import { type AnyResult, type Outcome, rejected } from './outcome.ts';
import { type Measure, REJECT_NAMES, type Reject, rejection } from './reject.ts';
import type { Amount } from './units.ts';

/** In place of a shape: the rejection of an entry of a batch follows. */
const REJECTION = 0;

const Tag = { null: 0, integer: 1, text: 2, amount: 3, true: 4, false: 5, outcomes: 6 } as const;

export class OutcomeForm {
  readonly #shapes: (readonly string[])[] = [];
  readonly #byNames = new Map<string, number>();

  write(out: BinaryWriter, outcome: Outcome): void {
    if (!outcome.ok) {
      out.byte(REJECTION);
      writeReject(out, outcome.reject);
      return;
    }
    const result = outcome.result as unknown as Record<string, unknown>;
    const names = Object.keys(result);
    out.integer(this.#shapeOf(names) + 1);
    for (const name of names) this.#writeValue(out, result[name]);
  }

  read(input: BinaryReader): Outcome {
    const shape = input.integer();
    if (shape === REJECTION) return rejected(readReject(input));
    const result: Record<string, unknown> = {};
    for (const name of this.#shapes[shape - 1]) result[name] = this.#readValue(input);
    return { ok: true, result: result as unknown as AnyResult, replayed: false };
  }

  writeShapes(out: BinaryWriter): void {
    out.integer(this.#shapes.length);
    for (const names of this.#shapes) out.text(names.join(' '));
  }

  readShapes(input: BinaryReader): void {
    for (let rest = input.integer(); rest > 0; rest--) this.#shapeOf(input.text().split(' '));
  }

  #shapeOf(names: readonly string[]): number {
    return this.#byNames.getOrInsertComputed(names.join(' '), () => this.#shapes.push(names) - 1);
  }

  #writeValue(out: BinaryWriter, value: unknown): void {
    if (typeof value === 'number' && value >= 0) {
      out.byte(Tag.integer);
      out.integer(value);
    } else if (typeof value === 'string') {
      out.byte(Tag.text);
      out.text(value);
    } else if (typeof value === 'boolean') {
      out.byte(value ? Tag.true : Tag.false);
    } else if (value === null) {
      out.byte(Tag.null);
    } else if (Array.isArray(value)) {
      // The outcomes of a batch's entries.
      out.byte(Tag.outcomes);
      out.integer(value.length);
      for (const outcome of value as Outcome[]) this.write(out, outcome);
    } else {
      assert(typeof value === 'number' || typeof value === 'bigint', 'a result has plain values');
      out.byte(Tag.amount);
      out.amount(value as Amount);
    }
  }

  #readValue(input: BinaryReader): unknown {
    const tag = input.byte();
    switch (tag) {
      case Tag.null:
        return null;
      case Tag.integer:
        return input.integer();
      case Tag.text:
        return input.text();
      case Tag.amount:
        return input.amount();
      case Tag.outcomes:
        return Array.from({ length: input.integer() }, () => this.read(input));
      default:
        return tag === Tag.true;
    }
  }
}

const UNITS = ['ticks', 'lots', 'amount', 'rate', 'count'] as const;
/** In place of a unit. */
const NO_MEASURE = UNITS.length;

function writeReject(out: BinaryWriter, reject: Reject): void {
  out.byte(REJECT_NAMES.indexOf(reject.name));
  // Neither is ever empty.
  for (const text of [reject.field, reject.rule]) out.text(text ?? '');
  for (const measure of [reject.limit, reject.value, reject.nearest]) {
    out.byte(measure === null ? NO_MEASURE : UNITS.indexOf(measure.unit));
    if (measure === null) continue;
    if ('securityId' in measure) out.integer(measure.securityId);
    if ('assetId' in measure) out.integer(measure.assetId);
    out.amount(measure.n as Amount);
  }
}

function readReject(input: BinaryReader): Reject {
  const name = REJECT_NAMES[input.byte()];
  const [field, rule] = [input.text(), input.text()].map((text) => (text === '' ? null : text));
  const [limit, value, nearest] = [readMeasure(input), readMeasure(input), readMeasure(input)];
  return rejection(name, field, rule, { limit, value, nearest });
}

function readMeasure(input: BinaryReader): Measure | null {
  const unit = UNITS[input.byte()];
  switch (unit) {
    case undefined:
      return null;
    case 'ticks':
    case 'lots':
      return { unit, securityId: input.integer(), n: input.amount() as number };
    case 'amount':
      return { unit, assetId: input.integer(), n: input.amount() };
    case 'rate':
    case 'count':
      return { unit, n: input.amount() as number };
  }
}

/** An outcome in a snapshot: JSON, with integers beyond 2^53 marked. */
export const OUTCOME_TEXT = transported<Outcome>({
  write: (out, outcome) => out.text(textOfOutcome(outcome)),
  read: (input) => outcomeOfText(input.text()),
});

function textOfOutcome(outcome: Outcome): string {
  return JSON.stringify(outcome, (_key, value: unknown) =>
    typeof value === 'bigint' ? { $bigint: value.toString() } : value,
  );
}

function outcomeOfText(text: string): Outcome {
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$bigint' in value
      ? BigInt(value.$bigint as string)
      : value,
  ) as Outcome;
}
