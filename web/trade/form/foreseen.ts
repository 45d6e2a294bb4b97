// What is known before an order is sent: that the exchange would refuse it, or that nothing would come of it. The button then
// cannot be pressed, and the reason stands above it.
import { Side } from '../../../src/sdk/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import {
  add,
  ceilTo,
  compare,
  type Decimal,
  isPositive,
  isZero,
  max,
  multiply,
  subtract,
} from '../../exact/decimal.ts';
import { shortageText } from '../figures.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { walkTotal } from './estimate.ts';
import { isTooDeep, type Reckoning, termsOf } from './reckoning.ts';
import type { FormFault } from './request.ts';

export interface Foresight {
  readonly pair: Pair;
  readonly draft: Draft;
  /** What the order would take, best first; undefined while the book has not been read. */
  readonly levels: readonly Level[] | undefined;
  /** Of the asset that is paid with; null while it is not known. */
  readonly available: Decimal | null;
  readonly reckoning: Reckoning | null;
}

/** null where the order may pass, or where nobody can know. */
export function foreseenFault({ levels, reckoning, ...rest }: Foresight): FormFault | null {
  if (levels === undefined || reckoning === null) return null;
  const known = { ...rest, levels, reckoning };
  return rest.draft.kind === 'market' ? marketFault(known) : postOnlyFault(known);
}

type Known = Foresight & { readonly levels: readonly Level[]; readonly reckoning: Reckoning };

function marketFault(known: Known): FormFault | null {
  const { pair, draft, levels, available, reckoning } = known;
  const [best] = levels;
  if (best === undefined) {
    const [side, field] = draft.side === Side.buy ? ['sells', 'total'] : ['buys', 'quantity'];
    const text = `Nobody ${side} ${pair.base} now, so a market order cannot be filled.`;
    return { field: field as FormFault['field'], text, nearest: null };
  }
  const { walked } = reckoning;
  if (isZero(walked.quantity)) {
    const least = ceilTo(multiply(best[0], pair.lot), pair.tick);
    const text = `This total buys less than ${pair.lot} ${pair.base} at the best price.`;
    return { field: 'total', text, nearest: max(least, pair.minTotal) };
  }
  const isByQuantity = draft.side === Side.buy && draft.basis === 'quantity';
  if (!isByQuantity || available === null || compare(walked.quote, available) <= 0) return null;
  // What lies deeper than the book that was read costs more.
  const isLeast = isTooDeep(walked, levels);
  return {
    field: 'quantity',
    text: shortageText({ cost: walked.quote, available, isLeast }, pair.quote, pair),
    nearest: mostOf(known, available),
  };
}

/** The quantity that the balance buys of the book, where an order may be so small. */
function mostOf({ pair, draft, levels }: Known, available: Decimal): Decimal | null {
  const { quantity } = walkTotal(levels, available, pair.lot, termsOf(draft.side, pair, null));
  return compare(quantity, pair.minQuantity) < 0 ? null : quantity;
}

function postOnlyFault({ pair, draft, reckoning }: Known): FormFault | null {
  const { best, walked } = reckoning;
  if (!draft.postOnly || best === null || isZero(walked.quantity)) return null;
  const waits = draft.side === Side.buy ? subtract(best, pair.tick) : add(best, pair.tick);
  return {
    field: 'price',
    text: 'This order would execute immediately, so post-only rejects it.',
    nearest: isPositive(waits) ? waits : null,
  };
}
