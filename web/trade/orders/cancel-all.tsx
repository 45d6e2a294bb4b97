// Canceling every open order, after a second look.
import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { cancelAll } from '../../api/trading.ts';
import { useAction } from '../../components/action.ts';
import { RefusalNote } from '../../components/states.tsx';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';

/** `symbol`: only those of this pair; null for all pairs. */
export function CancelAll({ symbol }: { readonly symbol: string | null }) {
  const { data } = useLive(feeds.openOrders);
  const [asking, setAsking] = useState(false);
  const cancel = useAction(() => cancelAll(symbol ?? undefined), {
    done: 'All open orders canceled',
    refreshes: [['orders'], ['balances']],
    onDone: () => setAsking(false),
  });
  const orders = data?.data ?? [];
  const count = orders.filter((order) => symbol === null || order.symbol === symbol).length;
  const close = () => {
    setAsking(false);
    cancel.clear();
  };
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        disabled={count === 0}
        onClick={() => setAsking(true)}
      >
        Cancel all
      </Button>
      <Modal opened={asking} onClose={close} title="Cancel all open orders?" size="sm">
        <Text size="sm" mb="md">
          {symbol === null
            ? 'Every open order of the account, in every pair, is canceled. Orders in a halted pair stay.'
            : `Every open order in ${symbol} is canceled. Orders in other pairs stay.`}{' '}
          What was filled stays filled, and what was set aside is free again.
        </Text>
        <RefusalNote error={cancel.error} />
        <Group justify="flex-end" mt="md" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            Keep them
          </Button>
          <Button color="red.9" onClick={() => cancel.run()} loading={cancel.pending}>
            Cancel {count === 1 ? 'the order' : `${count} orders`}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
