// What the form says about an order: why it cannot be sent as it is, and what became of one that was.

import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Fill, Order } from '../../../src/sdk/index.ts';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { placedFeed } from '../feeds.ts';
import { usePriceDecimals } from '../orders/price-decimals.ts';
import { placedWords } from '../orders/words.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import styles from './order-form.module.css';
import { type FormFault, unitOf } from './request.ts';
import type { Placed } from './submission.ts';

export interface FaultNoteProps {
  /** Names the note, for what it explains. */
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
          Use {grouped(nearest)} {unitOf(field, pair)}
        </Anchor>
      )}
    </p>
  );
}

/** `placed` is how it was answered; what happens to the order afterwards is followed. */
export function PlacedNote({ placed }: { readonly placed: Placed }) {
  const { data } = useLive(placedFeed(placed.orderId));
  const { orderId, order, fills } = data?.order === undefined ? placed : data;
  if (order === undefined) {
    return (
      <p className={styles.placed} data-tone="warn">
        <b>Placed.</b> It is order {orderId}; what became of it could not be read.
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
  const decimals = usePriceDecimals(order.symbol) ?? MOST_DECIMALS;
  const { tone, title, detail } = placedWords(order, fills, decimals);
  return (
    <p className={styles.placed} data-tone={tone}>
      <b>{title}.</b> {detail}
    </p>
  );
}

/** Of prices, where the pair has not been read. */
const MOST_DECIMALS = 8;

/** In place of what the server says of the session: what it means for the order. */
export function LoginEndedNote({ symbol }: { readonly symbol: string }) {
  return (
    <Alert color="yellow" variant="light" p="xs" role="alert">
      <Text size="sm">
        Your login has ended; the order was not placed.{' '}
        <Anchor
          component={Link}
          href={`/login?next=/trade/${symbol}`}
          size="sm"
          c="inherit"
          underline="always"
        >
          Log in again
        </Anchor>
      </Text>
    </Alert>
  );
}
