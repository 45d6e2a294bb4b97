// Canceling every open order, after a second look.

import { Button, Group, Modal, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Order } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { useAction } from '../../components/action.ts';
import { RefusalNote } from '../../components/states.tsx';
import { SteadyButton } from '../../components/steady-button.tsx';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { canceledWords, countWords, MOST_SHOWN } from './cancel-words.ts';

/** `symbol`: only those of this pair; null for all pairs. */
export function CancelAll({ symbol }: { readonly symbol: string | null }) {
  const { data } = useLive(feeds.openOrders);
  const [asking, setAsking] = useState(false);
  const open = (data?.data ?? []).filter((order) => symbol === null || order.symbol === symbol);
  const count = open.length;
  const cancel = useAction(cancelAndRead, {
    done: (after) =>
      after === null
        ? 'Canceled; what is still open could not be read'
        : canceledWords(open, after),
    refreshes: [['orders'], ['balances']],
    onDone: () => setAsking(false),
  });
  // What the question names stays while the orders go one by one.
  const named = useRef(count);
  if (!cancel.pending && count > 0) named.current = count;
  const what = countWords(named.current);
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
        Cancel all
      </SteadyButton>
      <Modal opened={asking} onClose={close} title={`Cancel ${what}?`} size="sm">
        <Text size="sm" mb="md">
          {symbol === null
            ? 'This cancels every open order of the account, in every pair.'
            : `This cancels every open order in ${symbol}. Orders in other pairs stay open.`}{' '}
          Fills stay, and the money that the orders hold becomes available.
        </Text>
        <RefusalNote error={cancel.error} />
        <Group justify="flex-end" mt="md" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            Go back
          </Button>
          <Button color="red.9" onClick={() => cancel.run(symbol)} loading={cancel.pending}>
            Cancel {what}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

/** The answer does not say which orders it has canceled, so what is open then is read. */
async function cancelAndRead(symbol: string | null): Promise<readonly Order[] | null> {
  const scope = symbol === null ? {} : { symbol };
  await client.massCancel(scope);
  // That it cannot be read does not undo what was done.
  const read = await client.orders({ type: 'OPEN', size: MOST_SHOWN, ...scope }).catch(() => null);
  return read?.data ?? null;
}
