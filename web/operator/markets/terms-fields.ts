// The fields of a pair's terms, for a listing and for an edit.
import type { ListedInstrument } from '../../../src/sdk/index.ts';
import { grouped, percent } from '../../exact/format.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import type { ChangeList, Field } from '../parts/request-form.tsx';
import type { Terms, TermsValues } from './instrument.ts';

type SelfTrade = ListedInstrument['selfTradePrevention'];

const SELF_TRADES: readonly SelfTrade[] = ['cancelNewest', 'cancelOldest', 'cancelBoth', 'none'];

export const termsFields = (
  base: string,
  quote: string,
  selfTrade: SelfTrade,
): Field<TermsValues>[] => [
  {
    kind: 'decimal',
    name: 'baseAssetMinOrderSize',
    label: text.minQuantity,
    description: text.minQuantityUse,
    unit: base,
  },
  {
    kind: 'decimal',
    name: 'quoteAssetMinOrderSize',
    label: text.minValue,
    description: text.minValueUse,
    unit: quote,
  },
  { kind: 'percent', name: 'makerFee', label: text.makerFee, description: text.makerFeeUse },
  { kind: 'percent', name: 'takerFee', label: text.takerFee, description: text.takerFeeUse },
  { kind: 'percent', name: 'priceBand', label: text.priceBand, description: text.priceBandUse },
  {
    kind: 'select',
    name: 'selfTradePrevention',
    label: text.selfTrade,
    description: text.selfTradeUse(text.selfTrades[selfTrade][1]),
    options: SELF_TRADES.map((value) => ({ value, label: text.selfTrades[value][0] })),
  },
];

export function termsChanges({ baseAsset, quoteAsset }: ListedInstrument): ChangeList<Terms> {
  const inAsset = (asset: string) => (value: string) => `${grouped(value)} ${asset}`;
  return [
    { field: 'baseAssetMinOrderSize', name: text.minQuantity, write: inAsset(baseAsset) },
    { field: 'quoteAssetMinOrderSize', name: text.minValue, write: inAsset(quoteAsset) },
    { field: 'makerFee', name: text.makerFee, write: percent },
    { field: 'takerFee', name: text.takerFee, write: percent },
    {
      field: 'priceBand',
      name: text.priceBand,
      write: (value) => (value === '0' ? text.none : percent(value)),
    },
    {
      field: 'selfTradePrevention',
      name: text.selfTrade,
      write: (value) => text.selfTrades[value][0],
    },
  ];
}
