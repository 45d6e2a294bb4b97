// An unrealized profit with its rate: +12.34 (+1.20%).
import { Amount, Change } from '../../components/figures.tsx';
import { type Decimal, divideDown, isPositive } from '../../exact/decimal.ts';

interface ProfitProps {
  readonly value: Decimal;
  readonly cost: Decimal;
  readonly decimals: number;
}

export const Profit = ({ value, cost, decimals }: ProfitProps) => (
  <>
    <Amount value={value} decimals={decimals} signed />{' '}
    {isPositive(cost) ? <Change rate={divideDown(value, cost, 6)} /> : null}
  </>
);
