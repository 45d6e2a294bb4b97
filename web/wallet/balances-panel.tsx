// The balances by asset: available, in orders, and in Earn.
import { Alert, Anchor, Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { Code, hasCode } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount } from '../components/figures.tsx';
import { Panel } from '../components/panel.tsx';
import { plain } from '../components/plain.ts';
import { Empty, Loaded, RefusalNote, sentenceOf } from '../components/states.tsx';
import { earnFeeds } from '../earn/feeds.ts';
import { coinsOf } from '../earn/offers.ts';
import { type Decimal, isZero } from '../exact/decimal.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { isSandbox } from '../session/session.ts';
import { draw, drawnWords } from './faucet.ts';
import type { GivenToday } from './use-given.ts';
import type { LiveValuation } from './valuation.ts';
import type { Holding } from './value.ts';
import styles from './wallet.module.css';

export interface BalancesPanelProps {
  readonly valuation: LiveValuation;
  readonly given: GivenToday;
}

export function BalancesPanel({ valuation: live, given }: BalancesPanelProps) {
  const { balances, valuation, target, decimals } = live;
  const [hidesZero, setHidesZero] = useState(false);
  const drawing = useAction((asset: string) => draw(asset, given.note), {
    done: (drawn) => drawnWords([drawn]),
    refreshes: [['balances'], ['statement']],
  });
  const drawOf = (asset: string) =>
    drawing.pending || given.isGiven(asset) ? null : () => drawing.run(asset);
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
      <DrawNote error={drawing.error} />
      <Loaded
        live={{ ...balances, data: valuation ?? undefined }}
        rows={6}
        isEmpty={() => rows.length === 0}
        empty={
          <Empty title="No balances yet">Assets that you buy, receive or earn appear here.</Empty>
        }
      >
        {() => (
          <DataTable
            label="Balances"
            rows={rows}
            columns={columns(target, decimals, drawOf)}
            keyOf={({ asset }) => asset}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** The reason why nothing was drawn. A limit until tomorrow is not an error. */
function DrawNote({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  return (
    <div className={styles.drawNote}>
      {hasCode(error, Code.faucetUsed) ? (
        <Alert color="yellow" variant="light" p="xs" role="alert">
          <Text size="sm">{plain(sentenceOf(error))}</Text>
        </Alert>
      ) : (
        <RefusalNote error={error} />
      )}
    </div>
  );
}

const amount = (value: Decimal) => (
  <span className={isZero(value) ? 'dim' : undefined}>
    <Amount value={value} />
  </span>
);

/** `drawOf`: null if the asset cannot be drawn now. */
function columns(
  target: string,
  decimals: number,
  drawOf: (asset: string) => (() => void) | null,
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
    { title: 'In orders', ...right, from: 'lg', render: ({ held }) => amount(held) },
    { title: 'In Earn', ...right, from: 'lg', render: ({ earn }) => amount(earn) },
    { title: 'Redeeming', ...right, from: 'lg', render: ({ redeeming }) => amount(redeeming) },
    { title: 'Booster', ...right, from: 'lg', render: ({ booster }) => amount(booster) },
    {
      title: `≈ ${target}`,
      ...right,
      from: 'sm',
      render: ({ value }) => <Amount value={value} decimals={decimals} />,
    },
    {
      title: 'Actions',
      ...right,
      render: ({ asset }) => <Actions asset={asset} onDraw={drawOf(asset)} />,
    },
  ];
}

interface TotalProps {
  readonly holding: Holding;
  readonly target: string;
  readonly decimals: number;
}

/** On narrow screens, the value and the parts stand below the total. */
function Total({ holding, target, decimals }: TotalProps) {
  const { available, held, earn, redeeming, booster, total, value } = holding;
  const parts = [
    ['available', available],
    ['in orders', held],
    ['in Earn', earn],
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
              <Text
                key={name}
                component="span"
                // The column Available appears on narrower screens than the others.
                hiddenFrom={name === 'available' ? 'sm' : 'lg'}
                className={`dim ${styles.parts}`}
              >
                <Amount value={value} /> {name}
              </Text>
            ))
        : null}
    </>
  );
}

interface ActionsProps {
  readonly asset: string;
  readonly onDraw: (() => void) | null;
}

function Actions({ asset, onDraw }: ActionsProps) {
  const { data: instruments = [] } = useLive(feeds.instruments);
  const { data: offers = [] } = useLive(earnFeeds.offers(false));
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
      {coinsOf(offers).includes(asset) ? (
        <Anchor
          component={Link}
          href={`/earn?coin=${encodeURIComponent(asset)}`}
          size="sm"
          aria-label={`Earn with ${asset}`}
        >
          Earn
        </Anchor>
      ) : null}
      {isSandbox ? (
        <Button
          size="compact-xs"
          variant="light"
          visibleFrom="sm"
          disabled={onDraw === null}
          onClick={() => onDraw?.()}
          aria-label={`Get test money: ${asset}`}
        >
          Get test money
        </Button>
      ) : null}
    </span>
  );
}
