// The balances by asset: available, in orders, and in Earn.
import { Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { Code, hasCode, sentenceOf } from '../api/rejection.ts';
import { useAction } from '../components/action.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { type Column, column, ListPanel } from '../components/data-table.tsx';
import { Amount, AssetAmount } from '../components/figures.tsx';
import { Empty, RejectionNote } from '../components/layout.tsx';
import { Caution, TextLink } from '../components/texts.tsx';
import { earnFeeds } from '../earn/feeds.ts';
import { coinsOf } from '../earn/offers.ts';
import { type Decimal, isZero } from '../exact/decimal.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { common } from '../messages/common.ts';
import { walletText } from '../messages/wallet.ts';
import { isSandbox } from '../session/session.ts';
import { type DrawnToday, draw, drawnText } from './faucet.tsx';
import type { Holding, LiveValuation } from './value.ts';
import styles from './wallet.module.css';

const t = walletText.balances;

export interface BalancesPanelProps {
  readonly valuation: LiveValuation;
  readonly drawn: DrawnToday;
}

export function BalancesPanel({ valuation: live, drawn }: BalancesPanelProps) {
  const { valuation, target, decimals } = live;
  const [hidesZero, setHidesZero] = useState(false);
  const drawing = useAction((asset: string) => draw(asset, drawn.note), {
    done: (received) => drawnText([received]),
    refreshes: [['balances'], ['statement']],
  });
  const drawOf = (asset: string) =>
    drawing.pending || drawn.has(asset) ? null : () => drawing.run(asset);
  return (
    <ListPanel
      title={t.title}
      actions={
        <Checkbox
          size="xs"
          label={t.hideZero}
          checked={hidesZero}
          onChange={(event) => setHidesZero(event.currentTarget.checked)}
        />
      }
      live={valuation}
      rows={({ holdings }) => holdings.filter(({ total }) => !hidesZero || !isZero(total))}
      empty={<Empty title={t.none} hint={t.noneWhy} />}
      columns={columns(target, decimals, drawOf)}
      keyOf={({ asset }) => asset}
      header={() => <DrawNote error={drawing.error} />}
    />
  );
}

/** The reason why nothing was drawn. A limit until tomorrow is not an error. */
function DrawNote({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  return (
    <div className={styles.drawNote}>
      {hasCode(error, Code.faucetUsed) ? (
        <Caution role="alert">
          <Text size="sm">{sentenceOf(error)}</Text>
        </Caution>
      ) : (
        <RejectionNote error={error} />
      )}
    </div>
  );
}

const amount = (asset: string, value: Decimal) => (
  <span className={isZero(value) ? 'dim' : undefined}>
    <AssetAmount value={value} asset={asset} />
  </span>
);

/** The parts of a total, and the narrowest screen on which each has a column. */
const PARTS = [
  { part: 'available', from: 'sm' },
  { part: 'held', from: 'lg' },
  { part: 'earn', from: 'lg' },
  { part: 'redeeming', from: 'lg' },
  { part: 'booster', from: 'lg' },
] as const;

/** `drawOf`: null if the asset cannot be drawn now. */
function columns(
  target: string,
  decimals: number,
  drawOf: (asset: string) => (() => void) | null,
): readonly Column<Holding>[] {
  return [
    column.of(t.asset, ({ asset }) => (
      <>
        <span className={styles.asset}>
          <AssetIcon asset={asset} />
          {asset}
        </span>
        {/* On narrow screens, wide amounts need the room of a column. */}
        <Text component="div" hiddenFrom="sm" className={styles.belowAsset}>
          <Actions asset={asset} onDraw={null} />
        </Text>
      </>
    )),
    column.figure(t.total, (holding) => (
      <Total holding={holding} target={target} decimals={decimals} />
    )),
    ...PARTS.map(({ part, from }) =>
      column.figure(
        common.balanceParts[part],
        (holding: Holding) => amount(holding.asset, holding[part]),
        from,
      ),
    ),
    column.figure(
      t.valueIn(target),
      ({ value }) => <Amount value={value} decimals={decimals} />,
      'sm',
    ),
    column.figure(t.actions, ({ asset }) => <Actions asset={asset} onDraw={drawOf(asset)} />, 'sm'),
  ];
}

interface TotalProps {
  readonly holding: Holding;
  readonly target: string;
  readonly decimals: number;
}

/** On narrow screens, the value and the parts stand below the total. */
function Total({ holding, target, decimals }: TotalProps) {
  const { available, total, value } = holding;
  const parts = PARTS.filter(({ part }) => available !== total && !isZero(holding[part]));
  return (
    <>
      {amount(holding.asset, total)}
      {value === null || isZero(total) ? null : (
        <Text component="span" hiddenFrom="sm" className={`dim ${styles.parts}`}>
          ≈ <Amount value={value} decimals={decimals} asset={target} />
        </Text>
      )}
      {parts.map(({ part, from }) => (
        <Text key={part} component="span" hiddenFrom={from} className={`dim ${styles.parts}`}>
          <AssetAmount value={holding[part]} asset={holding.asset} /> {common.amountParts[part]}
        </Text>
      ))}
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
        <TextLink href={`/trade/${pair.symbol}`} aria-label={t.tradeAsset(asset)}>
          {t.trade}
        </TextLink>
      )}
      {coinsOf(offers).includes(asset) ? (
        <TextLink href={`/earn?coin=${encodeURIComponent(asset)}`} aria-label={t.earnWith(asset)}>
          {t.earn}
        </TextLink>
      ) : null}
      {isSandbox ? (
        <Button
          size="compact-xs"
          variant="light"
          visibleFrom="sm"
          disabled={onDraw === null}
          onClick={() => onDraw?.()}
          aria-label={walletText.funding.getAsset(asset)}
        >
          {walletText.funding.get}
        </Button>
      ) : null}
    </span>
  );
}
