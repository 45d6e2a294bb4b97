// Money that enters or leaves for a customer: the form as a request, what it comes to, and whether a reference was booked
// before.
import type { Balance } from '../../../src/sdk/index.ts';
import type { Asset, Booked, Direction, Transfer, User } from '../../api/operator.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { amountOf, type Checked, Reading, referenceOf } from '../parts/check.ts';

export interface TransferValues {
  readonly asset: string;
  readonly amount: string;
  readonly reference: string;
}

export type TransferField = 'user' | 'asset' | 'amount' | 'reference';

export interface TransferContext {
  readonly direction: Direction;
  readonly user: User | null;
  readonly assets: readonly Asset[];
  /** Of the user; undefined while they are not known. */
  readonly balances: readonly Balance[] | undefined;
}

export const availableOf = (
  balances: readonly Balance[] | undefined,
  asset: string,
): string | null =>
  balances === undefined
    ? null
    : (balances.find((balance) => balance.asset === asset)?.available ?? '0');

/** `asset` of the values may be '' for the first one listed. */
export function toTransfer(
  values: TransferValues,
  { direction, user, assets, balances }: TransferContext,
): Checked<Transfer, TransferField> {
  const reading = new Reading<TransferField>();
  if (user === null) reading.fault('user', 'Choose the customer.');
  const asset = assets.find((one) => one.asset === values.asset);
  if (asset === undefined) reading.fault('asset', 'Choose the asset.');
  const scale = asset === undefined ? undefined : Number(asset.scale);
  const rule = { decimals: scale, asset: asset?.asset };
  const amount = reading.take('amount', amountOf(values.amount, rule));
  const available = availableOf(balances, values.asset);
  const isShort = direction === 'debit' && available !== null && reading.isFine('amount');
  if (isShort && d.compare(amount, available) > 0) {
    reading.fault(
      'amount',
      `Only ${grouped(available)} ${values.asset} is available; what is in orders and plans cannot be debited.`,
    );
  }
  const reference = reading.take('reference', referenceOf(values.reference));
  return reading.finish({ uid: user?.uid ?? '', asset: values.asset, amount, reference });
}

/** What the available balance will be; null while it is not known. */
export function availableAfter(
  direction: Direction,
  amount: d.Decimal,
  available: d.Decimal | null,
): d.Decimal | null {
  if (available === null) return null;
  return direction === 'credit' ? d.add(available, amount) : d.subtract(available, amount);
}

/**
 * Whether this answer is that of an earlier transfer with the same reference, so that nothing has moved now.
 * `seqBefore`: the end of the journal before the request was sent.
 */
export const isRepeat = (seqBefore: string, { seq }: Booked): boolean =>
  Number(seq) <= Number(seqBefore);
