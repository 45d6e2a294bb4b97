// How much: the quantity, the total, or for market buys either of them. What is not typed follows from what is.

import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { fixedDown, fromInput } from '../../exact/decimal.ts';
import type { Pair } from '../pair.ts';
import type { Basis, Draft } from './draft.ts';
import styles from './order-form.module.css';
import { quantityOf, totalOf } from './request.ts';

export interface AmountFieldsProps {
  readonly pair: Pair;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function AmountFields({ pair, draft, onChange }: AmountFieldsProps) {
  const typed = (basis: Basis) => (amount: string) => onChange({ basis, amount });
  const unread = draft.amount !== '' && fromInput(draft.amount) === null;
  const shown = (basis: Basis): string =>
    basis === draft.basis ? draft.amount : derived(basis, draft, pair);
  const quantity = (
    <DecimalInput
      id="order-quantity"
      value={shown('quantity')}
      onChange={typed('quantity')}
      unit={pair.base}
      error={unread && draft.basis === 'quantity'}
      aria-label="Quantity"
      title={`Minimum ${pair.minQuantity} ${pair.base}, in steps of ${pair.lot}`}
    />
  );
  const total = (
    <DecimalInput
      id="order-total"
      value={shown('total')}
      onChange={typed('total')}
      unit={pair.quote}
      error={unread && draft.basis === 'total'}
      aria-label="Total"
      title={`Minimum ${pair.minTotal} ${pair.quote}`}
    />
  );
  if (draft.kind === 'limit') {
    return (
      <>
        <div>
          <div className={styles.labels}>
            <label htmlFor="order-quantity">Quantity</label>
            <span className="dim">min {pair.minQuantity}</span>
          </div>
          {quantity}
        </div>
        <div>
          <div className={styles.labels}>
            <label htmlFor="order-total">Total</label>
            <span className="dim">min {pair.minTotal}</span>
          </div>
          {total}
        </div>
      </>
    );
  }
  return (
    <MarketField pair={pair} draft={draft} onChange={onChange}>
      {draft.basis === 'total' ? total : quantity}
    </MarketField>
  );
}

/** The one field of a market order; a buy may be counted in either asset. */
function MarketField({
  pair,
  draft,
  onChange,
  children,
}: AmountFieldsProps & { readonly children: ReactNode }) {
  const byTotal = draft.basis === 'total';
  return (
    <div>
      <div className={styles.labels}>
        <label htmlFor={byTotal ? 'order-total' : 'order-quantity'}>
          {byTotal ? 'Total to spend' : 'Quantity'}
        </label>
        {draft.side === Side.buy ? (
          <SegmentedControl
            size="xs"
            data={[
              { value: 'quantity', label: pair.base },
              { value: 'total', label: pair.quote },
            ]}
            value={draft.basis}
            onChange={(basis) => onChange({ basis: basis as Basis, amount: '' })}
            aria-label="Size in"
          />
        ) : (
          <span className="dim">min {pair.minQuantity}</span>
        )}
      </div>
      {children}
    </div>
  );
}

/** The total is cut to what fits into the field; the estimate below has all of it. */
function derived(basis: Basis, draft: Draft, pair: Pair): string {
  if (basis === 'quantity') return quantityOf(draft, pair) ?? '';
  const total = totalOf(draft);
  return total === null ? '' : fixedDown(total, Math.max(pair.priceDecimals, 2));
}
