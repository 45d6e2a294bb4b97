// The account's orders on the desk: those of every pair, or of the desk's pair.
import { ActionIcon, Checkbox, Tooltip } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { trade as t } from '../../messages/trade.ts';
import { usePair } from '../context.ts';
import pageStyles from '../page.module.css';
import { CancelKeys } from './cancel.tsx';
import { OrderLists } from './order-lists.tsx';

export default function OrdersPanel() {
  const { symbol } = usePair();
  const [onlyPair, setOnlyPair] = useState(false);
  return (
    <OrderLists
      className={pageStyles.orders}
      symbol={onlyPair ? symbol : null}
      next={`/trade/${symbol}`}
      filters={
        <>
          <CancelKeys />
          <Checkbox
            size="xs"
            label={t.orders.only(symbol)}
            checked={onlyPair}
            onChange={(event) => setOnlyPair(event.currentTarget.checked)}
          />
          <Tooltip label={t.orders.openPage}>
            <ActionIcon
              component={Link}
              href="/orders"
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t.orders.openPage}
            >
              <IconArrowsMaximize size={15} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    />
  );
}
