// The question before an order that costs much if it is a slip of the hand: what it is, and what it comes to at worst.

import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { OrdType, Side } from '../../../src/sdk/codes.ts';
import { SteadyButton } from '../../components/steady-button.tsx';
import { type Decimal, isPositive, isZero } from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { about, averageDecimals, feeText } from '../figures.ts';
import type { Pair } from '../pair.ts';
import { limitWords, slipWords, Warning } from './book-notes.tsx';
import { Line, promised } from './estimate-view.tsx';
import styles from './order-form.module.css';
import type { Reckoning } from './reckoning.ts';
import type { Asked, SecondLook } from './second-look.ts';
import type { NewOrder } from './submission.ts';

/** So long the order cannot be confirmed: a second click or tap that was meant for the form lands here. */
const UNARMED_MS = 600;

export interface ConfirmOrderProps {
  readonly pair: Pair;
  readonly look: SecondLook;
  /** Nothing can be sent now. */
  readonly off: boolean;
}

export function ConfirmOrder({ pair, look, off }: ConfirmOrderProps) {
  const { asked, confirm, close } = look;
  return (
    <Modal
      opened={asked !== null}
      onClose={close}
      title={asked === null ? '' : `${titleOf(asked, pair)}?`}
      size="sm"
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
    >
      {asked === null ? null : (
        <Question
          key={asked.moved}
          pair={pair}
          asked={asked}
          off={off}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </Modal>
  );
}

interface QuestionProps {
  readonly pair: Pair;
  readonly asked: Asked;
  readonly off: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function Question({ pair, asked, off, onConfirm, onClose }: QuestionProps) {
  const isArmed = useArmed();
  const buys = asked.order.side === Side.buy;
  return (
    <>
      <div role="status">
        {asked.moved === 0 ? null : (
          <Text size="sm" fw={600} mb={6}>
            The market has moved; nothing was sent. This is how it stands now.
          </Text>
        )}
        <Warning>{whyOf(asked, pair)}</Warning>
      </div>
      <dl className={`${styles.lines} ${styles.asked}`}>
        {asked.order.ordType === OrdType.market ? (
          <MarketFacts pair={pair} asked={asked} />
        ) : (
          <LimitFacts pair={pair} asked={asked} />
        )}
      </dl>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Go back
        </Button>
        <SteadyButton
          className={styles.submit}
          data-side={buys ? 'buy' : 'sell'}
          off={off || !isArmed}
          onClick={onConfirm}
        >
          {titleOf(asked, pair)}
        </SteadyButton>
      </Group>
    </>
  );
}

function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), UNARMED_MS);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}

/** Sell 9 BTC; Buy BTC for 1,000 USDT. */
function titleOf({ order }: Asked, { base, quote }: Pair): string {
  const word = order.side === Side.buy ? 'Buy' : 'Sell';
  return order.orderQty === undefined
    ? `${word} ${base} for ${grouped(order.quoteOrderQty ?? '0')} ${quote}`
    : `${word} ${grouped(order.orderQty)} ${base}`;
}

function whyOf({ order, reckoning }: Asked, pair: Pair): string {
  switch (reckoning.concern) {
    case 'limit':
      return limitWords(reckoning, order.side, order.price!, pair);
    case 'depth':
      return `This goes deeper than the best prices that are known here. It moves the price by more than ${percent(reckoning.walked.slip)}; nobody can say how far.`;
    case 'share':
      return shareWords(order, reckoning, pair);
    case 'unread':
      return 'The book has not been read yet: nobody can say at what price this trades.';
    default:
      return isZero(reckoning.walked.quantity)
        ? 'The book has nothing left for this order.'
        : slipWords(reckoning, pair);
  }
}

/** This order spends 90.00% of your available USDT immediately. */
function shareWords({ side }: NewOrder, { share }: Reckoning, { base, quote }: Pair): string {
  const [verb, asset] = side === Side.buy ? ['spends', quote] : ['sells', base];
  return `This order ${verb} ${percent(share!)} of your available ${asset} immediately.`;
}

interface FactsProps {
  readonly pair: Pair;
  readonly asked: Asked;
}

/** What the book gives for it: only as good as the moment. */
function MarketFacts({ pair, asked: { order, reckoning, rates } }: FactsProps) {
  const { walked } = reckoning;
  const { base, quote } = pair;
  const { orderQty } = order;
  const buys = order.side === Side.buy;
  const gets = buys ? base : quote;
  const nothing = isZero(walked.quantity);
  const shown = (value: Decimal, asset: string) =>
    nothing ? '–' : `≈ ${about(value, asset, pair)}`;
  return (
    <>
      <Line name="Type">Market order</Line>
      <Line name="Quantity" asset={base}>
        {orderQty === undefined ? shown(walked.quantity, base) : grouped(orderQty)}
      </Line>
      {orderQty === undefined || !isPositive(walked.rest) ? null : (
        <Line name="Of it in the book" asset={base}>
          {grouped(walked.quantity)}
        </Line>
      )}
      <Prices pair={pair} reckoning={reckoning} />
      {buys ? (
        <Line name="You pay" asset={quote}>
          {shown(walked.quote, quote)}
        </Line>
      ) : null}
      <FeeFact pair={pair} fee={rates === null ? null : walked.fee} gets={gets} about />
      <Line name="You receive, after fee" asset={gets}>
        {shown(walked.received, gets)}
      </Line>
    </>
  );
}

/** What the limit promises, and what the book gives for it now. */
function LimitFacts({ pair, asked: { order, reckoning, rates } }: FactsProps) {
  const { walked, filled } = reckoning;
  const { base, quote } = pair;
  const buys = order.side === Side.buy;
  const gets = buys ? base : quote;
  if (filled === null) return null;
  return (
    <>
      <Line name="Type">Limit order</Line>
      <Line name="Quantity" asset={base}>
        {grouped(order.orderQty!)}
      </Line>
      <Line name="Limit: the worst price" asset={quote}>
        {grouped(order.price!, pair.priceDecimals)}
      </Line>
      {isZero(walked.quantity) ? null : (
        <Line name="Trades immediately" asset={base}>
          ≈ {about(walked.quantity, base, pair)}
        </Line>
      )}
      <Prices pair={pair} reckoning={reckoning} />
      <FeeFact pair={pair} fee={rates === null ? null : filled.mostFee} gets={gets} />
      {buys ? (
        <Line name="Max cost" asset={quote}>
          {grouped(filled.total)}
        </Line>
      ) : null}
      <Line name={buys ? 'You receive' : 'You receive at least'} asset={gets}>
        <b>{promised(filled.received, gets, pair)}</b>
      </Line>
    </>
  );
}

interface PricesProps {
  readonly pair: Pair;
  readonly reckoning: Reckoning;
}

function Prices({ pair, reckoning }: PricesProps) {
  const { average, worst, slip } = reckoning.walked;
  if (average === null || worst === null) return null;
  return (
    <>
      <Line name="Average price now" asset={pair.quote}>
        ≈ {grouped(average, averageDecimals(pair))}
      </Line>
      <Line name="Worst price now">
        ≈ {grouped(worst, pair.priceDecimals)} <span className="dim">{pair.quote}</span> (
        {percent(slip)} off)
      </Line>
    </>
  );
}

interface FeeFactProps {
  readonly pair: Pair;
  /** null while the account's fees are not known. */
  readonly fee: Decimal | null;
  readonly gets: string;
  /** The amount follows from the book; otherwise it is the most that it can be. */
  readonly about?: boolean;
}

function FeeFact({ pair, fee, gets, about: isAbout = false }: FeeFactProps) {
  return (
    <Line name={isAbout ? 'Fee' : 'Max fee'} asset={gets}>
      {fee === null ? '–' : `${isAbout && isPositive(fee) ? '≈ ' : ''}${feeText(fee, gets, pair)}`}
    </Line>
  );
}
