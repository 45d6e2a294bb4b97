// The nearest value of a rejection at the edge: it satisfies the rule of its field here, and every
// check that the core can make for this caller now. core/nearest.ts does the same for the core.
import { checkCommand } from '../core/check-command.ts';
import type { Command } from '../core/command.ts';
import { MAX_TRIES } from '../core/nearest.ts';
import type { Reject } from '../core/reject.ts';
import type { State } from '../core/state.ts';
import { LOOK, Work } from '../core/work.ts';
import { JsonNumber } from './json.ts';
import { type DetailValue, NO_NEARBY_VALUE, Problem } from './problem.ts';
import { decimalOf } from './reject-problem.ts';

/** The command of a body, which the core would check. Throws Problem. */
export const makeCommand = <B extends object, C extends Command>(
  state: State,
  body: B,
  make: (body: B) => C,
): C =>
  makeChecked(state, body, make, (command) => {
    const work = new Work(1, LOOKS);
    const reject = checkCommand(state, command, work);
    return work.done < LOOKS ? reject : 'unknown';
  });

/** Nobody is charged for these checks, so they look at few price levels. */
const LOOKS = 200 * LOOK;

/** 'unknown': the check would take too long. */
type Checked = Reject | null | 'unknown';

/**
 * Reads a body with `make`. If that rejects a value, the rejection names the nearest value with
 * which `make` and `check` accept the body. Throws Problem.
 */
export function makeChecked<B extends object, M>(
  state: State,
  body: B,
  make: (body: B) => M,
  check: (made: M) => Checked,
): M {
  try {
    return make(body);
  } catch (error) {
    if (!(error instanceof Problem) || error.nearby.length === 0) throw error;
    throw problemWithPassing(state, error, (field, value) => {
      return check(make(bodyWithValue(body as Fields, field, value) as B));
    });
  }
}

function problemWithPassing(
  state: State,
  problem: Problem,
  check: (field: string, value: DetailValue) => Checked,
): Problem {
  const field = problem.details!.field!;
  const values = [...problem.nearby];
  for (let tries = 0; tries < Math.min(values.length, MAX_TRIES); tries++) {
    try {
      const reject = check(field, values[tries]!);
      if (reject === null) return problem.withNearest(values[tries]!);
      if (reject === 'unknown') return problem.withoutNearest();
      if (reject.field === field && reject.nearest !== null) {
        values.push(decimalOf(state, reject.nearest));
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.details?.field === field) values.push(...error.nearby);
    }
  }
  return problem.withoutNearest(NO_NEARBY_VALUE);
}

type Fields = Readonly<Record<string, unknown>>;

/** The body with a value in a field such as `price` or `bracket.stopPx`. */
function bodyWithValue(body: Fields, field: string, value: DetailValue): Fields {
  const [name = '', ...path] = field.split('.');
  const read = value instanceof JsonNumber ? value.source : value;
  const inner =
    path.length === 0 ? read : bodyWithValue(body[name] as Fields, path.join('.'), value);
  return { ...body, [name]: inner };
}
