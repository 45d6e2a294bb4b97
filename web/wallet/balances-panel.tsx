// What is owned of each asset, and where it is: free, held by orders, or in earn.
import { Anchor, Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { drawFaucet } from '../api/account.ts';
import { useAction } from '../components/action.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount } from '../components/figures.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../components/states.tsx';
import { type Decimal, isZero } from '../exact/decimal.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { isSandbox } from '../session/session.ts';
import { drawnWords } from './faucet.ts';
import type { LiveValuation } from './valuation.ts';
import type { Holding } from './value.ts';
import styles from './wallet.module.css';

export function BalancesPanel({ valuation: live }: { readonly valuation: LiveValuation }) {
  const { balances, valuation, target, decimals } = live;
  const [hidesZero, setHidesZero] = useState(false);
  const draw = useAction(drawFaucet, {
    done: (drawn) => drawnWords([drawn]),
    refreshes: [['balances'], ['statement']],
  });
  const rows = (valuation?.holdings ?? []).filter(({ total }) => !hidesZero || !isZero(total));
  return (
    <Panel
      title="Balances"
      flush
      actions={
        <Checkbox
          size="xs"
          label="Hide zero balances"
          checked={hidesZero}
          onChange={(event) => setHidesZero(event.currentTarget.checked)}
        />
      }
    >
      <RefusalNote error={draw.error} />
      <Loaded
        live={{ ...balances, data: valuation ?? undefined }}
        rows={6}
        isEmpty={() => rows.length === 0}
        empty={<Empty title="Nothing here yet">What you buy, receive or earn is shown here.</Empty>}
      >
        {() => (
          <DataTable
            label="Balances"
            rows={rows}
            columns={columns(target, decimals, draw.pending ? null : (asset) => draw.run(asset))}
            keyOf={({ asset }) => asset}
          />
        )}
      </Loaded>
    </Panel>
  );
}

const amount = (value: Decimal) => (
  <span className={isZero(value) ? 'dim' : undefined}>
    <Amount value={value} />
  </span>
);

/** `onDraw`: null while a drawing is under way. */
function columns(
  target: string,
  decimals: number,
  onDraw: ((asset: string) => void) | null,
): readonly Column<Holding>[] {
  const right = { align: 'right' } as const;
  return [
    { title: 'Asset', render: ({ asset }) => <span className={styles.asset}>{asset}</span> },
    {
      title: 'Total',
      ...right,
      render: (holding) => <Total holding={holding} target={target} decimals={decimals} />,
    },
    { title: 'Available', ...right, from: 'sm', render: ({ available }) => amount(available) },
    { title: 'In orders', ...right, from: 'md', render: ({ held }) => amount(held) },
    { title: 'In plans', ...right, from: 'md', render: ({ earn }) => amount(earn) },
    { title: 'Redeeming', ...right, from: 'md', render: ({ redeeming }) => amount(redeeming) },
    { title: 'Booster', ...right, from: 'md', render: ({ booster }) => amount(booster) },
    {
      title: `≈ ${target}`,
      ...right,
      from: 'sm',
      render: ({ value }) => <Amount value={value} decimals={decimals} />,
    },
    {
      title: 'Actions',
      ...right,
      render: ({ asset }) => <Actions asset={asset} onDraw={onDraw} />,
    },
  ];
}

interface TotalProps {
  readonly holding: Holding;
  readonly target: string;
  readonly decimals: number;
}

/** On narrow screens the value and the parts stand below the total. */
function Total({ holding, target, decimals }: TotalProps) {
  const { available, held, earn, redeeming, booster, total, value } = holding;
  const parts = [
    ['available', available],
    ['in orders', held],
    ['in plans', earn],
    ['redeeming', redeeming],
    ['booster', booster],
  ] as const;
  const isSplit = available !== total;
  return (
    <>
      {amount(total)}
      {value === null || isZero(total) ? null : (
        <Text component="span" hiddenFrom="sm" className={`dim ${styles.parts}`}>
          ≈ <Amount value={value} decimals={decimals} asset={target} />
        </Text>
      )}
      {isSplit
        ? parts
            .filter(([, value]) => !isZero(value))
            .map(([name, value]) => (
              <Text key={name} component="span" hiddenFrom="md" className={`dim ${styles.parts}`}>
                <Amount value={value} /> {name}
              </Text>
            ))
        : null}
    </>
  );
}

interface ActionsProps {
  readonly asset: string;
  readonly onDraw: ((asset: string) => void) | null;
}

function Actions({ asset, onDraw }: ActionsProps) {
  const { data: instruments = [] } = useLive(feeds.instruments);
  const pair =
    instruments.find(({ symbol }) => symbol.startsWith(`${asset}-`)) ??
    instruments.find(({ symbol }) => symbol.endsWith(`-${asset}`));
  return (
    <span className={styles.actions}>
      {pair === undefined ? null : (
        <Anchor
          component={Link}
          href={`/trade/${pair.symbol}`}
          size="sm"
          aria-label={`Trade ${asset}`}
        >
          Trade
        </Anchor>
      )}
      <Anchor component={Link} href="/earn" size="sm" aria-label={`Earn with ${asset}`}>
        Earn
      </Anchor>
      {isSandbox ? (
        <Button
          size="compact-xs"
          variant="light"
          visibleFrom="sm"
          disabled={onDraw === null}
          onClick={() => onDraw?.(asset)}
          aria-label={`Get play money: ${asset}`}
        >
          Get play money
        </Button>
      ) : null}
    </span>
  );
}
