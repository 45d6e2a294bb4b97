// Canceling one order, or all of a pair or of the account: by buttons, and by keys on the desk. A
// question comes first unless the user's setting says otherwise.
import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { Order } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { useAction } from '../../components/action.ts';
import { RejectionNote } from '../../components/layout.tsx';
import { PlainButton, SteadyButton } from '../../components/texts.tsx';
import { OPEN_ORDERS } from '../../live/feeds.ts';
import { common } from '../../messages/common.ts';
import { trade as t } from '../../messages/trade.ts';
import { confirmations } from '../../session/preferences.ts';
import { usePair } from '../context.ts';
import { useOpenOrders } from '../feeds.ts';
import { useShortcuts } from '../shortcuts.tsx';
import { cancelOutcome, orderSentence } from './words.ts';

/** The feeds that a cancel changes. */
const AFFECTED = [['orders'], ['balances']] as const;

/** One order, or all of a pair; of every pair without a symbol. */
type Scope = Order | { readonly orderId?: undefined; readonly symbol: string | null };

const isOne = (scope: Scope): scope is Order => scope.orderId !== undefined;

const within = (orders: readonly Order[], scope: Scope): readonly Order[] =>
  isOne(scope)
    ? [scope]
    : orders.filter(({ symbol }) => scope.symbol === null || symbol === scope.symbol);

async function cancelOne(order: Order): Promise<Order> {
  await client.cancelOrder({ orderId: order.orderId });
  return order;
}

export const useCancel = () =>
  useAction(cancelOne, {
    done: (order) => t.orders.canceled(orderSentence(order)),
    refreshes: AFFECTED,
  });

/**
 * Cancels all orders of a scope. The answer does not list them, so this reads what is still open.
 * Returns what happened.
 */
async function cancelWithin(scope: Scope, open: readonly Order[]): Promise<string> {
  if (isOne(scope)) return t.orders.canceled(orderSentence(await cancelOne(scope)));
  const { symbol } = scope;
  const inPair = symbol === null ? {} : { symbol };
  await client.massCancel(inPair);
  const read = client.orders({ type: 'OPEN', size: OPEN_ORDERS, ...inPair });
  const after = await read.then(({ data }) => data).catch(() => null);
  return after === null ? t.orders.canceledUnread : cancelOutcome(open, after);
}

interface Canceling {
  /** Cancels the orders, after a question if `asks`. */
  readonly start: (scope: Scope, asks: boolean) => void;
  readonly dialog: ReactNode;
}

function useCanceling(): Canceling {
  const open = useOpenOrders() ?? [];
  const [asked, setAsked] = useState<Scope | null>(null);
  /** The scope of the question that is open. */
  const [opened, setOpened] = useState<Scope | null>(null);
  const cancel = useAction(
    async (scope: Scope) => {
      const outcome = await cancelWithin(scope, within(open, scope));
      // A key may have opened another question meanwhile.
      setOpened((asks) => (asks === scope ? null : asks));
      return outcome;
    },
    { done: (outcome) => outcome, refreshes: AFFECTED },
  );
  const close = () => {
    setOpened(null);
    cancel.clear();
  };
  const start = (scope: Scope, asks: boolean) => {
    cancel.clear();
    setAsked(scope);
    setOpened(asks ? scope : null);
    if (!asks) cancel.run(scope);
  };
  const dialog =
    asked === null ? null : (
      <Question
        scope={asked}
        orders={within(open, asked)}
        // A rejection of what was not asked is shown in its place.
        opened={opened !== null || cancel.error !== null}
        cancel={cancel}
        onClose={close}
      />
    );
  return { start, dialog };
}

interface QuestionProps {
  readonly scope: Scope;
  readonly orders: readonly Order[];
  readonly opened: boolean;
  readonly cancel: {
    readonly run: (scope: Scope) => unknown;
    readonly pending: boolean;
    readonly error: unknown;
  };
  readonly onClose: () => void;
}

function Question({ scope, orders, opened, cancel, onClose }: QuestionProps) {
  // The question keeps its count while the orders disappear one by one.
  const count = useRef(orders.length);
  if (!cancel.pending && opened && orders.length > 0) count.current = orders.length;
  const isMore = count.current >= OPEN_ORDERS;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.orders.cancelQuestion(count.current, isMore)}
      size="sm"
    >
      <Text size="sm" mb="md">
        {isOne(scope)
          ? orderSentence(scope)
          : scope.symbol === null
            ? t.orders.cancelsEvery
            : t.orders.cancelsIn(scope.symbol)}{' '}
        {t.orders.cancelKeepsFills}
      </Text>
      <RejectionNote error={cancel.error} />
      <Group justify="flex-end" mt="md" gap="xs">
        <PlainButton onClick={onClose} data-autofocus>
          {common.keepOrders(count.current)}
        </PlainButton>
        <Button color="red.9" onClick={() => cancel.run(scope)} loading={cancel.pending}>
          {t.orders.cancelCount(count.current, isMore)}
        </Button>
      </Group>
    </Modal>
  );
}

/** `symbol` limits it to one pair; null means all pairs. */
export function CancelAll({ symbol }: { readonly symbol: string | null }) {
  const { start, dialog } = useCanceling();
  const isNone = within(useOpenOrders() ?? [], { symbol }).length === 0;
  return (
    <>
      <SteadyButton
        size="compact-xs"
        variant="default"
        off={isNone}
        onClick={() => start({ symbol }, true)}
      >
        {t.orders.cancelAll}
      </SteadyButton>
      {dialog}
    </>
  );
}

/** The keys that cancel; they do nothing without an open order. */
export function CancelKeys() {
  const { symbol } = usePair();
  const open = useOpenOrders() ?? [];
  const { start, dialog } = useCanceling();
  const all = (scope: Scope) => {
    if (within(open, scope).length > 0) start(scope, confirmations.get() !== 'never');
  };
  useShortcuts({
    c: () => {
      const newest = open.find((order) => order.symbol === symbol);
      if (newest !== undefined) start(newest, confirmations.get() === 'always');
    },
    x: () => all({ symbol }),
    a: () => all({ symbol: null }),
  });
  return dialog;
}
