// Orders that were sent and got no answer. The page looks for them until it finds them; meanwhile
// the user can send the same order again, or give up.
import { Button, Group } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { Order } from '../../../src/sdk/index.ts';
import { SteadyButton } from '../../components/steady-button.tsx';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { stored } from '../../session/stored.ts';
import { sentOrderFeed } from '../feeds.ts';
import { orderSentence } from '../orders/words.ts';
import type { NewOrder } from './draft.ts';
import styles from './order-form.module.css';
import { SubmissionKeys, type UnansweredOrder } from './submission.ts';

const storage = stored(sessionStorage, 'agio.unansweredOrders');

/** `uid` is null for a visitor, who cannot send anything. */
export function useSubmissionKeys(uid: number | null): SubmissionKeys {
  storage.use();
  return useMemo(() => new SubmissionKeys(String(uid ?? ''), storage), [uid]);
}

export interface UnansweredOrdersProps {
  readonly keys: SubmissionKeys;
  readonly offline: boolean;
  readonly onSend: (order: NewOrder) => void;
  /** The exchange has the order. */
  readonly onFound: (sent: NewOrder, order: Order) => void;
}

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

function Unanswered({ sent, offline, onSend, onFound, onGiveUp }: UnansweredProps) {
  const { order, key } = sent;
  const { data: found } = useLive(sentOrderFeed(key));
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once for each order
  useEffect(() => {
    if (found) onFound(order, found);
  }, [found]);
  return (
    <div className={styles.open} role="status">
      <p className={styles.hint}>{t.sent.unknown(orderSentence(order))}</p>
      <Group justify="space-between" gap="md">
        <SteadyButton
          size="xs"
          off={offline}
          title={offline ? t.form.offline : undefined}
          onClick={() => onSend(order)}
        >
          {t.sent.sendAgain}
        </SteadyButton>
        <Button size="xs" variant="default" onClick={onGiveUp}>
          {t.sent.giveUp}
        </Button>
      </Group>
    </div>
  );
}
