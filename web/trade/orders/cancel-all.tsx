// Cancels every open order, after a confirmation.
import { Button, Group, Modal, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Order } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { useAction } from '../../components/action.ts';
import { RefusalNote } from '../../components/states.tsx';
import { SteadyButton } from '../../components/steady-button.tsx';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { cancelOutcome, MAX_OPEN } from './words.ts';

/** `symbol` limits it to one pair; null means all pairs. */
export function CancelAll({ symbol }: { readonly symbol: string | null }) {
  const { data } = useLive(feeds.openOrders);
  const [asking, setAsking] = useState(false);
  const open = (data?.data ?? []).filter((order) => symbol === null || order.symbol === symbol);
  const count = open.length;
  const cancel = useAction(cancelAndRead, {
    done: (after) => (after === null ? t.orders.canceledUnread : cancelOutcome(open, after)),
    refreshes: [['orders'], ['balances']],
    onDone: () => setAsking(false),
  });
  // The question keeps its count while the orders disappear one by one.
  const asked = useRef(count);
  if (!cancel.pending && count > 0) asked.current = count;
  const isMore = asked.current >= MAX_OPEN;
  const close = () => {
    setAsking(false);
    cancel.clear();
  };
  return (
    <>
      <SteadyButton
        size="compact-xs"
        variant="default"
        off={count === 0}
        onClick={() => setAsking(true)}
      >
        {t.orders.cancelAll}
      </SteadyButton>
      <Modal
        opened={asking}
        onClose={close}
        title={t.orders.cancelQuestion(asked.current, isMore)}
        size="sm"
      >
        <Text size="sm" mb="md">
          {symbol === null ? t.orders.cancelsEvery : t.orders.cancelsIn(symbol)}{' '}
          {t.orders.cancelKeepsFills}
        </Text>
        <RefusalNote error={cancel.error} />
        <Group justify="flex-end" mt="md" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t.goBack}
          </Button>
          <Button color="red.9" onClick={() => cancel.run(symbol)} loading={cancel.pending}>
            {t.orders.cancelCount(asked.current, isMore)}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

/**
 * The answer does not list the canceled orders, so this reads what is still open; null if it
 * cannot.
 */
async function cancelAndRead(symbol: string | null): Promise<readonly Order[] | null> {
  const scope = symbol === null ? {} : { symbol };
  await client.massCancel(scope);
  const read = client.orders({ type: 'OPEN', size: MAX_OPEN, ...scope });
  return read.then(({ data }) => data).catch(() => null);
}
