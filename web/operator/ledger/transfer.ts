// Credits and debits: the form as a request, and the balance afterwards.
import type { Balance, Booked, ListedAsset, User } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { ledgerText as text } from '../../messages/operator-ledger.ts';
import {
  amountRule,
  FormReader,
  type FormResult,
  parseAmount,
  parseReference,
} from '../parts/parse.ts';

export type Direction = 'credit' | 'debit';

/** A credit or debit, with a decimal text as its amount. */
export interface Transfer {
  readonly uid: number;
  readonly asset: string;
  readonly amount: d.Decimal;
  readonly reference: string;
}

export interface TransferValues {
  /** '' for the first listed asset. */
  readonly asset: string;
  readonly amount: string;
  readonly reference: string;
}

export type TransferField = 'user' | keyof TransferValues;

export interface TransferContext {
  readonly direction: Direction;
  readonly user: User | null;
  readonly assets: readonly ListedAsset[];
  /** The user's balances; undefined while they are unknown. */
  readonly balances: readonly Balance[] | undefined;
}

/** null while the balances are unknown. */
export const availableOf = (
  balances: readonly Balance[] | undefined,
  asset: string,
): d.Decimal | null =>
  balances === undefined
    ? null
    : (balances.find((balance) => balance.asset === asset)?.available ?? '0');

export function parseTransfer(
  values: TransferValues,
  { direction, user, assets, balances }: TransferContext,
): FormResult<Transfer, TransferField> {
  const reader = new FormReader<TransferField>();
  const asset = values.asset === '' ? (assets[0]?.asset ?? '') : values.asset;
  if (user === null) reader.reject('user', text.chooseCustomer);
  if (assets.every((one) => one.asset !== asset)) reader.reject('asset', text.chooseAsset);
  const amount = reader.read('amount', parseAmount(values.amount, amountRule(assets, asset)));
  const available = availableOf(balances, asset);
  const isBounded = direction === 'debit' && available !== null && reader.isValid('amount');
  if (isBounded && d.compare(amount, available) > 0) {
    reader.reject('amount', text.tooMuch(grouped(available), asset));
  }
  const reference = reader.read('reference', parseReference(values.reference));
  return reader.finish({ uid: user?.uid ?? 0, asset, amount, reference });
}

/** The available balance after the transfer; null while it is unknown. */
export function availableAfter(
  direction: Direction,
  amount: d.Decimal,
  available: d.Decimal | null,
): d.Decimal | null {
  if (available === null) return null;
  return direction === 'credit' ? d.add(available, amount) : d.subtract(available, amount);
}

/**
 * Whether an earlier transfer has this reference, so that nothing moved now.
 * `seqBefore`: the journal's last command before the request was sent.
 */
export const isRepeat = (seqBefore: number, { seq }: Booked): boolean => seq <= seqBefore;
