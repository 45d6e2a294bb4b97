// Notes of the order form: the outcome of a sent order, orders without an answer, and a session
// that ended.
import { Group, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Order } from '../../../src/sdk/index.ts';
import { endReasonOf } from '../../api/rejection.ts';
import { Caution, PlainButton, SteadyButton, TextLink } from '../../components/texts.tsx';
import { useLive, useOffline } from '../../live/live.ts';
import { sessionEndText } from '../../messages/account.ts';
import { trade as t } from '../../messages/trade.ts';
import { stored } from '../../session/stored.ts';
import { placedFeed, sentOrderFeed, usePairOf, useTriggers } from '../feeds.ts';
import { withTrigger } from '../orders/trailing.ts';
import { orderSentence, outcomeOf } from '../orders/words.ts';
import type { NewOrder } from './draft.ts';
import styles from './order-form.module.css';
import { type PlacedOrder, SubmissionKeys, type UnansweredOrder } from './submission.ts';

/** The most decimals that a price has. */
const MAX_DECIMALS = 8;

/** Shows the answer, and then follows what happens to the order. */
export function PlacedNote({ placed }: { readonly placed: PlacedOrder }) {
  const { data } = useLive(placedFeed(placed.orderId));
  const { orderId, order, fills } = data?.order === undefined ? placed : data;
  // An order that was found again may be of another pair.
  const priceDecimals = usePairOf(order?.symbol ?? '')?.priceDecimals ?? MAX_DECIMALS;
  const triggers = useTriggers(order && [order]);
  const { tone, title, detail } =
    order === undefined
      ? { tone: 'warn', title: t.sent.placed, detail: t.sent.placedUnread(orderId) }
      : outcomeOf(withTrigger(order, triggers), fills, priceDecimals);
  return (
    <p className={styles.placed} data-tone={tone}>
      <b>{title}.</b> {detail}
    </p>
  );
}

interface SessionEndedNoteProps {
  readonly symbol: string;
  readonly error: unknown;
}

/** Replaces the server's sentence about the session: it says what happened to the order. */
export function SessionEndedNote({ symbol, error }: SessionEndedNoteProps) {
  return (
    <Caution role="alert">
      <Text size="sm">
        {sessionEndText(endReasonOf(error))} {t.fault.notPlaced}{' '}
        <TextLink href={`/login?next=/trade/${symbol}`} c="inherit" underline="always">
          {t.logInAgain}
        </TextLink>
      </Text>
    </Caution>
  );
}

const storage = stored(sessionStorage, 'agio.unansweredOrders');

/** `uid` is null for a visitor, who cannot send anything. */
export function useSubmissionKeys(uid: number | null): SubmissionKeys {
  storage.use();
  return useMemo(() => new SubmissionKeys(String(uid ?? ''), storage), [uid]);
}

interface UnansweredOrdersProps {
  readonly keys: SubmissionKeys;
  readonly onSend: (order: NewOrder) => void;
  /** The exchange has the order. */
  readonly onFound: (sent: NewOrder, order: Order) => void;
}

/**
 * Orders that were sent and got no answer. The page looks for them until it finds them; meanwhile
 * the user can send the same order again, or give up.
 */
export function UnansweredOrders({ keys, ...rest }: UnansweredOrdersProps) {
  return keys
    .unanswered()
    .map((sent) => (
      <Unanswered key={sent.key} sent={sent} onGiveUp={() => keys.settle(sent.order)} {...rest} />
    ));
}

interface UnansweredProps extends Omit<UnansweredOrdersProps, 'keys'> {
  readonly sent: UnansweredOrder;
  readonly onGiveUp: () => void;
}

function Unanswered({ sent: { order, key }, onSend, onFound, onGiveUp }: UnansweredProps) {
  const isOffline = useOffline();
  const { data: found } = useLive(sentOrderFeed(key));
  const report = useEffectEvent((row: Order) => onFound(order, row));
  useEffect(() => {
    if (found) report(found);
  }, [found]);
  return (
    <div className={styles.open} role="status">
      <p className={styles.hint}>{t.sent.unknown(orderSentence(order))}</p>
      <Group justify="space-between" gap="md">
        <SteadyButton
          size="xs"
          off={isOffline}
          title={isOffline ? t.form.offline : undefined}
          onClick={() => onSend(order)}
        >
          {t.sent.sendAgain}
        </SteadyButton>
        <PlainButton size="xs" onClick={onGiveUp}>
          {t.sent.giveUp}
        </PlainButton>
      </Group>
    </div>
  );
}
