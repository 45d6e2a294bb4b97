// The confirmation of an order, by the user's setting of every order or of a risky one: one that
// moves the price far, trades most of the balance, or has a limit far past the market. The order
// that is sent is exactly the one that was confirmed.
import { Group, Modal, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isStop } from '../../../src/contract/trading/order-rules.ts';
import { OrdType, Side } from '../../../src/sdk/index.ts';
import { PlainButton, SteadyButton } from '../../components/texts.tsx';
import { isPositive, isZero } from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { latest } from '../../live/live.ts';
import { common } from '../../messages/common.ts';
import { trade as t } from '../../messages/trade.ts';
import { confirmations } from '../../session/preferences.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import { usePair } from '../context.ts';
import { averageDecimals, feeText, nowText } from '../figures.ts';
import { trails } from '../orders/trailing.ts';
import { sideText, sizeText } from '../orders/words.ts';
import { legsOf, type Pair } from '../pair.ts';
import type { NewOrder } from './draft.ts';
import { type Estimate, estimateOrder, isWorse, type Market } from './estimate.ts';
import { ownLevels } from './liquidity.ts';
import styles from './order-form.module.css';
import {
  guaranteedText,
  type Line,
  Lines,
  limitText,
  partName,
  partText,
  slippageText,
  Warning,
} from './preview.tsx';
import { orderPreview } from './sentence.ts';

/** The button is off for this long, so that a double click on the form does not confirm. */
const UNARMED_MS = 600;

/** An order with the figures that the user saw. */
interface Question {
  readonly order: NewOrder;
  readonly estimate: Estimate;
  /** The fees in the figures. */
  readonly rates: Market['rates'];
  /** The last price; null while unknown. */
  readonly last: Market['available'];
  /** How often the market has moved away from the figures. */
  readonly moved: number;
}

export interface Confirmation {
  readonly question: Question | null;
  /** Sends the order, or asks first. */
  readonly submit: (order: NewOrder) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

export function useConfirmation(pair: Pair, send: (order: NewOrder) => void): Confirmation {
  const [question, setQuestion] = useState<Question | null>(null);
  const submit = (order: NewOrder) => {
    const now = estimateNow(order, pair);
    const asks = confirmations.get();
    const isAsked = asks === 'always' || (asks === 'risky' && now.estimate.risk !== null);
    if (isAsked) setQuestion({ ...now, moved: 0 });
    else send(order);
  };
  const confirm = () => {
    if (question === null) return;
    const now = estimateNow(question.order, pair);
    if (isWorse(question.order, now.estimate, question.estimate)) {
      setQuestion({ ...now, moved: question.moved + 1 });
      return;
    }
    setQuestion(null);
    send(question.order);
  };
  return { question, submit, confirm, close: () => setQuestion(null) };
}

function estimateNow(order: NewOrder, pair: Pair): Omit<Question, 'moved'> {
  const book = latest(feeds.book(pair.symbol, BOOK_DEPTH));
  const rates = latest(feeds.fees)?.find(({ symbol }) => symbol === pair.symbol) ?? null;
  const buys = order.side === Side.buy;
  const levels = buys ? book?.asks : book?.bids;
  const { pays } = legsOf(pair, order.side);
  const available = latest(feeds.balances)?.find(({ asset }) => asset === pays)?.available ?? null;
  const last = latest(feeds.tickers)?.find(({ symbol }) => symbol === pair.symbol)?.lastPrice;
  const own = ownLevels(latest(feeds.openOrders)?.data, pair, order.side);
  const estimate = estimateOrder(order, { pair, levels, own, rates, available });
  return { order, rates, last: last ?? null, estimate };
}

export interface ConfirmOrderProps {
  readonly confirmation: Confirmation;
  /** Nothing can be sent now. */
  readonly off: boolean;
}

export function ConfirmOrder({ confirmation, off }: ConfirmOrderProps) {
  const { question, confirm, close } = confirmation;
  return (
    <Modal
      opened={question !== null}
      onClose={close}
      title={question === null ? '' : `${orderTitle(question)}?`}
      size="sm"
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
    >
      {question === null ? null : (
        <QuestionContent
          key={question.moved}
          question={question}
          off={off}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </Modal>
  );
}

interface QuestionContentProps {
  readonly question: Question;
  readonly off: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function QuestionContent({ question, off, onConfirm, onClose }: QuestionContentProps) {
  const pair = usePair();
  const isArmed = useArmed();
  const { side, ordType } = question.order;
  return (
    <>
      <div role="status">
        {question.moved === 0 ? null : (
          <Text size="sm" fw={600} mb={6}>
            {t.confirm.marketMoved}
          </Text>
        )}
        {question.estimate.risk === null ? (
          <Text size="sm">{orderPreview(question.order, pair, question.last)}</Text>
        ) : (
          <Warning>{riskText(question, pair)}</Warning>
        )}
      </div>
      {isStop(ordType) && !trails(question.order) ? null : (
        <Lines
          className={`${styles.lines} ${styles.asked}`}
          lines={
            isStop(ordType)
              ? [[t.confirm.type, t.orders.types.trailingStop]]
              : ordType === OrdType.market
                ? marketLines(question, pair)
                : limitLines(question, pair)
          }
        />
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <PlainButton onClick={onClose} data-autofocus>
          {common.cancel}
        </PlainButton>
        <SteadyButton
          className={styles.submit}
          data-side={side === Side.buy ? 'buy' : 'sell'}
          off={off || !isArmed}
          onClick={onConfirm}
        >
          {orderTitle(question)}
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
const orderTitle = ({ order }: Question): string => `${sideText(order.side)} ${sizeText(order)}`;

function riskText({ order, estimate }: Question, pair: Pair): string {
  const buys = order.side === Side.buy;
  switch (estimate.risk) {
    case 'limit':
      return limitText(estimate, order.side, order.price!, pair);
    case 'depth':
      return t.confirm.beyondBook(percent(estimate.taken.slippage));
    case 'share':
      return buys
        ? t.confirm.spendsShare(percent(estimate.share!), pair.quote)
        : t.confirm.sellsShare(percent(estimate.share!), pair.base);
    case 'noBook':
      return t.confirm.noBook;
    case 'ownOrder':
      return partText(estimate, order, pair)!;
    default:
      return isZero(estimate.taken.quantity) ? t.confirm.emptyBook : slippageText(estimate, pair);
  }
}

/** The figures of a market order in the current book. */
function marketLines({ order, estimate, rates }: Question, pair: Pair): (Line | null)[] {
  const { taken } = estimate;
  const { base, quote } = pair;
  const { orderQty } = order;
  const { youPay, youReceive, youReceiveAfterFee } = t.estimate;
  const buys = order.side === Side.buy;
  const { gets } = legsOf(pair, order.side);
  const fee = `${isPositive(taken.fee) ? '≈ ' : ''}${feeText(taken.fee, gets, pair)}`;
  return [
    [t.confirm.type, t.confirm.marketOrder],
    [
      t.confirm.quantity,
      orderQty === undefined ? nowText(taken.quantity, base, pair) : grouped(orderQty),
      base,
    ],
    orderQty === undefined || !isPositive(taken.rest)
      ? null
      : [t.confirm.inTheBook, grouped(taken.quantity), base],
    ...priceLines(estimate, pair),
    buys ? [partName(youPay, taken, pair), nowText(taken.quote, quote, pair), quote] : null,
    [t.estimate.fee, rates === null ? '–' : fee, gets],
    [
      partName(youReceiveAfterFee, taken, pair, youReceive),
      nowText(taken.received, gets, pair),
      gets,
    ],
  ];
}

/** The guaranteed figures of a limit order, and those of the current book. */
function limitLines({ order, estimate, rates }: Question, pair: Pair): (Line | null)[] {
  const { taken, filled } = estimate;
  const { base, quote } = pair;
  const buys = order.side === Side.buy;
  const { gets } = legsOf(pair, order.side);
  if (filled === null) return [];
  return [
    [t.confirm.type, t.confirm.limitOrder],
    [t.confirm.quantity, grouped(order.orderQty!), base],
    [t.confirm.limit, grouped(order.price!, pair.priceDecimals), quote],
    isZero(taken.quantity)
      ? null
      : [t.confirm.executesNow, nowText(taken.quantity, base, pair), base],
    ...priceLines(estimate, pair),
    [t.estimate.maxFee, rates === null ? '–' : feeText(filled.maxFee, gets, pair), gets],
    buys ? [t.confirm.maxCost, grouped(filled.total), quote] : null,
    [
      buys ? t.estimate.youReceive : t.estimate.youReceiveAtLeast,
      <b key="received">{guaranteedText(filled.received, gets, pair)}</b>,
      gets,
    ],
  ];
}

function priceLines({ taken: { average, worst, slippage } }: Estimate, pair: Pair): Line[] {
  const { priceDecimals, quote } = pair;
  if (average === null || worst === null) return [];
  const distance = t.confirm.fromBest(percent(slippage));
  return [
    [t.confirm.averageNow, `≈ ${grouped(average, averageDecimals(pair))}`, quote],
    [t.confirm.worstNow, `≈ ${grouped(worst, priceDecimals)} ${quote} ${distance}`],
  ];
}
