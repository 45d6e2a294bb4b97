// Notes of the order form: why an order cannot be sent as it is, and the outcome of a sent order.
import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Fill, Order } from '../../../src/sdk/index.ts';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { placedFeed } from '../feeds.ts';
import { usePriceDecimals } from '../orders/cells.tsx';
import { outcomeOf } from '../orders/words.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import styles from './order-form.module.css';
import type { Placed } from './submission.ts';
import { type FormFault, unitOf } from './validation.ts';

export interface FaultNoteProps {
  readonly id: string;
  readonly pair: Pair;
  readonly fault: FormFault;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function FaultNote({ id, pair, fault, onChange }: FaultNoteProps) {
  const { field, text, nearest } = fault;
  const use = (value: string) =>
    onChange(field === 'price' ? { price: value } : { basis: field, amount: value });
  return (
    <p className={styles.fault} role="status" id={id}>
      {text}{' '}
      {nearest === null ? null : (
        <Anchor component="button" type="button" size="xs" onClick={() => use(nearest)}>
          {t.fault.use(`${grouped(nearest)} ${unitOf(field, pair)}`)}
        </Anchor>
      )}
    </p>
  );
}

/** Shows the answer, and then follows what happens to the order. */
export function PlacedNote({ placed }: { readonly placed: Placed }) {
  const { data } = useLive(placedFeed(placed.orderId));
  const { orderId, order, fills } = data?.order === undefined ? placed : data;
  if (order === undefined) {
    return (
      <p className={styles.placed} data-tone="warn">
        <b>{t.sent.placed}.</b> {t.sent.placedUnread(orderId)}
      </p>
    );
  }
  return <PlacedOrder order={order} fills={fills} />;
}

interface PlacedOrderProps {
  readonly order: Order;
  readonly fills: readonly Fill[];
}

function PlacedOrder({ order, fills }: PlacedOrderProps) {
  const decimals = usePriceDecimals(order.symbol) ?? MAX_DECIMALS;
  const { tone, title, detail } = outcomeOf(order, fills, decimals);
  return (
    <p className={styles.placed} data-tone={tone}>
      <b>{title}.</b> {detail}
    </p>
  );
}

/** Decimals of prices until the pair has been read. */
const MAX_DECIMALS = 8;

/** Replaces the server's sentence about the session: it says what happened to the order. */
export function SessionExpiredNote({ symbol }: { readonly symbol: string }) {
  return (
    <Alert color="yellow" variant="light" p="xs" role="alert">
      <Text size="sm">
        {t.fault.sessionExpired}{' '}
        <Anchor
          component={Link}
          href={`/login?next=/trade/${symbol}`}
          size="sm"
          c="inherit"
          underline="always"
        >
          {t.logInAgain}
        </Anchor>
      </Text>
    </Alert>
  );
}
