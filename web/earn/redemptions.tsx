// The redemptions of a subscription: requested amount, credited amount, and time.
import { Text } from '@mantine/core';
import {
  RedemptionStatus,
  type Redemption as Row,
  SubscriptionStatus,
} from '../../src/sdk/index.ts';
import { type Column, column, DataTable } from '../components/data-table.tsx';
import { When } from '../components/figures.tsx';
import { Panel } from '../components/layout.tsx';
import { compare, type Decimal, subtract } from '../exact/decimal.ts';
import { DAY_MS, grouped } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { earnFeeds } from './feeds.ts';
import { endedEarly, type Subscription } from './redemption.ts';
import { amountIn } from './words.ts';

const t = earnText.redemptions;

interface Of {
  readonly subscription: Subscription;
}

export function Redemptions({ subscription }: Of) {
  const { redeemHistories } = subscription;
  if (redeemHistories.length === 0) return null;
  return (
    <Panel title={t.title} flush>
      <DataTable
        label={t.title}
        rows={redeemHistories}
        columns={columns(subscription)}
        keyOf={({ createTime }) => createTime}
      />
    </Panel>
  );
}

const columns = (subscription: Subscription): readonly Column<Row>[] => [
  column.of(t.requested, (row) => (
    <>
      <When at={row.createTime} />
      <Text component="div" size="xs" hiddenFrom="sm">
        <Arrival row={row} />
      </Text>
    </>
  )),
  column.figure(t.amount, (row) =>
    endedEarly(subscription) ? (
      <Net subscription={subscription} row={row} />
    ) : (
      <Coins amount={row.amount} coin={subscription.coin} />
    ),
  ),
  column.of(t.arrives, (row) => <Arrival row={row} />, 'sm'),
];

const Coins = ({ amount, coin }: { readonly amount: Decimal; readonly coin: string }) => (
  <span className="figures nowrap">{amountIn(coin, amount)}</span>
);

/** The credited amount of a term that ended early, less the paid interest. */
function Net({ subscription, row }: Of & { readonly row: Row }) {
  const { coin, status, amount } = subscription;
  const isCredited = row.status === RedemptionStatus.credited;
  const { data: credited, isPending } = useLive(
    isCredited ? earnFeeds.credited(subscription, row) : null,
  );
  if (isCredited && isPending) return <span className="dim">…</span>;
  // Until the credit, it is the whole amount of the subscription.
  const net = isCredited ? credited : status === SubscriptionStatus.redeeming ? amount : null;
  if (net === null || net === undefined) {
    return (
      <>
        <Coins amount={row.amount} coin={coin} />
        <div className="dim">{t.lessInterest}</div>
      </>
    );
  }
  return (
    <>
      <Coins amount={net} coin={coin} />
      {compare(net, row.amount) === 0 ? null : (
        <div className="dim">
          {t.amountLess(grouped(row.amount), grouped(subtract(row.amount, net)))}
        </div>
      )}
    </>
  );
}

function Arrival({ row: { createTime, redeemLockTime, status } }: { readonly row: Row }) {
  if (status === RedemptionStatus.credited) return <span className="buy">{t.there}</span>;
  const due = Number(createTime) + redeemLockTime * (DAY_MS / 24);
  return (
    <span>
      <span className="dim">{t.due}</span> <When at={due} />{' '}
      <span className="dim">{t.afterRequest(redeemLockTime)}</span>
    </span>
  );
}
