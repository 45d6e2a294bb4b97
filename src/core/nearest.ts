// The nearest accepted value of a rejection. A rule suggests the value that satisfies the rule
// itself; here the suggestion passes every check of its command, or the rejection has none.
import type { Measure, Reject } from './reject.ts';
import type { Amount } from './units.ts';

/** Suggestions that one rejection tries: a rule may suggest what another rule rejects. */
export const MAX_TRIES = 4;

/** A command or its terms, by the names of its fields. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * The rejection of `command` with a nearest value that `check` accepts while the other fields stay
 * as they are. Each further rejection of the same field suggests the next value.
 */
export function withPassing<C extends object>(
  reject: Reject,
  command: C,
  check: (command: C) => Reject | null,
): Reject {
  const { field } = reject;
  if (field === null || reject.nearest === null) return reject;
  let nearest: Measure | null = reject.nearest;
  for (let tries = 0; nearest !== null && tries < MAX_TRIES; tries++) {
    const other: C | null = withValue(command, field, nearest.n);
    const next: Reject | null = other === null ? reject : check(other);
    if (next === null) return nearest === reject.nearest ? reject : { ...reject, nearest };
    nearest = next !== reject && next.field === field ? next.nearest : null;
  }
  return { ...reject, nearest: null };
}

/** The command with this value in the field of a rejection; null if it has no such field. */
function withValue<C extends object>(command: C, field: string, n: number | Amount): C | null {
  return withTerm(command as Fields, field, n) as C | null;
}

const BRACKET = 'bracket.';

function withTerm(terms: Fields, field: string, n: number | Amount): Fields | null {
  if (field.startsWith(BRACKET) && hasTerms(terms.bracket)) {
    return inside(terms, 'bracket', withTerm(terms.bracket, field.slice(BRACKET.length), n));
  }
  if (field === 'trailingAmount' && 'trail' in terms) return { ...terms, trail: -n };
  if (field in terms) return { ...terms, [field]: n };
  if (!hasTerms(terms.extras)) return null;
  return inside(terms, 'extras', withTerm(terms.extras, field, n));
}

const inside = (terms: Fields, name: string, part: Fields | null): Fields | null =>
  part === null ? null : { ...terms, [name]: part };

const hasTerms = (part: unknown): part is Fields => typeof part === 'object' && part !== null;
