// The order form: side, type, price, amount, estimate and submit. It also shows the outcome of the
// last order, the balances and the rules of the pair.
import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { type FormEvent, memo, useEffect, useRef, useState } from 'react';
import { type Order, Side } from '../../../src/sdk/index.ts';
import { isLoggedOut, isNotReached, Rejection } from '../../api/rejection.ts';
import { useAction } from '../../components/action.ts';
import { Amount } from '../../components/figures.tsx';
import { Panel, RejectionNote } from '../../components/layout.tsx';
import { TextLink } from '../../components/texts.tsx';
import { divideDown, isPositive } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { refresh, useLive, useOffline } from '../../live/live.ts';
import { portfolioTexts } from '../../messages/portfolio.ts';
import { shortcutTexts } from '../../messages/shortcuts.ts';
import { trade as t } from '../../messages/trade.ts';
import { hasSessionEnded, isSandbox, useSession } from '../../session/session.ts';
import { OrderFormContext, useDesk, useOrderForm, usePair } from '../context.ts';
import { useBalance, useTicker } from '../feeds.ts';
import { averageDecimals, columnDecimals } from '../figures.ts';
import { Profit, usePosition } from '../market/position.tsx';
import pageStyles from '../page.module.css';
import { legsOf } from '../pair.ts';
import { Advanced } from './advanced.tsx';
import type { Now } from './conditions.ts';
import { ConfirmOrder, useConfirmation } from './confirm-order.tsx';
import { type Draft, isSameOrder, keepUnsent, type NewOrder, useDraft } from './draft.ts';
import { fieldOf, withValue } from './fault.ts';
import { KindTabs } from './kind-tabs.tsx';
import { isStopKind, KINDS } from './kinds.ts';
import { PlacedNote, SessionEndedNote, UnansweredOrders, useSubmissionKeys } from './notes.tsx';
import { AmountFields, ExitFields, PriceField, ShareButtons, StopFields } from './order-fields.tsx';
import styles from './order-form.module.css';
import { type Line, Lines, OrderPreview } from './preview.tsx';
import { type PlacedOrder, place, type SubmissionKeys } from './submission.ts';
import { closedReason, validate } from './validation.ts';

/** The feeds that an order changes. */
const AFFECTED = [['orders'], ['balances'], ['fills']] as const;

interface OrderFormPanelProps {
  /** In a sheet with a title of its own. */
  readonly inSheet?: boolean;
}

export const OrderFormPanel = memo(function OrderFormPanel({ inSheet }: OrderFormPanelProps) {
  const { pair, store } = useDesk();
  const draft = useDraft(store);
  const available = useBalance(legsOf(pair, draft.side).pays)?.available ?? null;
  const uid = useSession().me?.uid ?? null;
  const keys = useSubmissionKeys(uid);
  const now = useNow(draft);
  const state = validate(draft, pair, available, now);
  const { order } = state;
  const { send, found, clear, placed, pending, error } = useSubmission(order, keys, uid);
  const confirmation = useConfirmation(pair, send);
  useLogOutSeen(uid, () => {
    clear();
    confirmation.close();
    store.change({ amount: '' });
  });
  const sendProblem = useSendProblem(draft);
  const cannotSend = uid === null || sendProblem !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cannotSend || pending || order === null || state.fault !== null) return;
    confirmation.submit(order);
  };
  const change = (next: Partial<Draft>) => {
    clear();
    store.change(next);
  };
  const { hasPrice, hasTrigger } = KINDS[draft.kind];
  const isStop = isStopKind(draft.kind);
  const isUnanswered = isNotReached(error) && keys.unanswered().length > 0;
  const outcome =
    placed !== undefined && uid !== null ? (
      <PlacedNote placed={placed} />
    ) : isLoggedOut(error) ? (
      <SessionEndedNote symbol={pair.symbol} error={error} />
    ) : error === null || isUnanswered ? null : (
      <RejectionNote error={error} onUse={(value, name) => change(withNearest(value, name))} />
    );
  const faultOn =
    state.fault?.field ?? fieldOf(error instanceof Rejection ? error.field : undefined);
  return (
    <OrderFormContext
      value={{ pair, draft, available, last: now.last, change, sendProblem, faultOn }}
    >
      <Panel
        title={inSheet ? undefined : t.form.title(pair.symbol)}
        actions={inSheet ? undefined : <HelpButton />}
        dense
        className={inSheet ? styles.inSheet : `${pageStyles.form} ${styles.panel}`}
      >
        <form className={styles.form} onSubmit={submit} noValidate id="order-form">
          <SideAndKind />
          <StatusNote />
          {isStop ? <StopFields /> : null}
          {hasPrice ? <PriceField /> : null}
          <AmountFields />
          <ShareButtons />
          {hasTrigger && !isStop ? <ExitFields /> : null}
          <Advanced />
          <div className={styles.foot}>
            {pending ? null : <UnansweredOrders keys={keys} onSend={send} onFound={found} />}
            <OrderPreview state={state} pending={pending} outcome={outcome} />
          </div>
        </form>
        {uid === null ? null : <ConfirmOrder confirmation={confirmation} off={cannotSend} />}
        <Summary />
      </Panel>
    </OrderFormContext>
  );
});

const useIsSuspended = (): boolean => useSession().me?.status === 'suspended';

/** Why no order can be sent now; null if one can. */
function useSendProblem(draft: Draft): string | null {
  const pair = usePair();
  const isSuspended = useIsSuspended();
  if (useOffline()) return t.form.offline;
  return isSuspended ? t.form.suspended.sentence : closedReason(draft, pair);
}

function HelpButton() {
  const { openHelp } = useDesk();
  return (
    <Tooltip label={shortcutTexts.show}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={openHelp}
        aria-label={shortcutTexts.title}
      >
        <IconKeyboard size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Sends orders, and keeps the outcome of the last one. `inForm` is the order of the form. */
function useSubmission(inForm: NewOrder | null, keys: SubmissionKeys, uid: number | null) {
  const { pair, store } = useDesk();
  const [placed, setPlaced] = useState<PlacedOrder | undefined>();
  const placing = useAction(
    async (order: NewOrder) => {
      try {
        return await place(order, keys);
      } catch (error) {
        const draft = store.get();
        if (uid !== null && isLoggedOut(error)) keepUnsent({ uid, symbol: pair.symbol, draft });
        throw error;
      }
    },
    { refreshes: AFFECTED },
  );
  const show = (order: NewOrder, outcome: PlacedOrder) => {
    setPlaced(outcome);
    // An earlier order that was sent again is not the one in the form.
    if (inForm !== null && isSameOrder(inForm, order)) store.change({ amount: '' });
  };
  return {
    placed,
    pending: placing.pending,
    error: placing.error,
    clear() {
      placing.clear();
      setPlaced(undefined);
    },
    async send(order: NewOrder): Promise<void> {
      setPlaced(undefined);
      const outcome = await placing.run(order);
      if (outcome !== undefined) show(order, outcome);
    },
    /** The exchange has an order that had got no answer. */
    found(sent: NewOrder, order: Order): void {
      keys.settle(sent);
      placing.clear();
      show(sent, { orderId: order.orderId, order, fills: [] });
      refresh(...AFFECTED);
    },
  };
}

/** Calls `clear` when the user logs out. If the session expires, the draft stays. */
function useLogOutSeen(uid: number | null, clear: () => void): void {
  const before = useRef(uid);
  useEffect(() => {
    if (before.current !== null && uid === null && !hasSessionEnded()) clear();
    before.current = uid;
  });
}

function SideAndKind() {
  const { draft, change } = useOrderForm();
  return (
    <>
      <SegmentedControl
        fullWidth
        className={styles.side}
        color={draft.side === Side.buy ? 'var(--buy-solid)' : 'var(--sell-solid)'}
        data={[
          { value: String(Side.buy), label: t.buy },
          { value: String(Side.sell), label: t.sell },
        ]}
        value={String(draft.side)}
        onChange={(side) => change({ side: Number(side) as Side })}
        aria-label={t.form.side}
      />
      <KindTabs />
    </>
  );
}

/** Says why the account or the pair accepts no orders. */
function StatusNote() {
  const isSuspended = useIsSuspended();
  const { status: pairStatus } = usePair();
  const status = isSuspended ? 'HALTED' : pairStatus;
  const { short, sentence } = isSuspended ? t.form.suspended : t.status[pairStatus];
  return (
    <div aria-live="polite">
      {sentence === null ? null : (
        <p className={styles.status} data-status={status}>
          <b>{short}.</b> {sentence}
        </p>
      )}
    </div>
  );
}

/** The nearest value of a rejection as a change of the form. */
function withNearest(value: string, name: string | undefined): Partial<Draft> {
  return withValue(fieldOf(name) ?? 'quantity', value);
}

/** The last price and the clock, which only some orders depend on. */
function useNow({ kind, timeInForce }: Draft): Now {
  const { symbol } = usePair();
  const last = useTicker(symbol)?.lastPrice ?? null;
  const { data: clock } = useLive(timeInForce === 'GTD' ? feeds.serverTime : null);
  return {
    last: KINDS[kind].hasTrigger ? last : null,
    businessTime: clock?.businessTime ?? null,
  };
}

/** The account's balances of the two assets, its position, and the rules of the pair. */
function Summary() {
  const { base, quote, tick, lot, minQuantity, minTotal } = usePair();
  const balances = [
    [base, useBalance(base)],
    [quote, useBalance(quote)],
  ] as const;
  const lines = balances.flatMap(([asset, balance]): (Line | null)[] => {
    if (balance === undefined) return [];
    const { available, held } = balance;
    return [
      [asset, grouped(available)],
      isPositive(held) ? [t.form.inOpenOrders(asset), grouped(held)] : null,
    ];
  });
  return (
    <section className={styles.balances} aria-label={t.form.summary}>
      {lines.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>
            {t.form.balances}
            <TextLink href="/wallet" size="xs">
              {isSandbox ? t.form.walletAndTestMoney : t.form.wallet}
            </TextLink>
          </h3>
          <Lines lines={lines} />
        </>
      )}
      <PositionLines />
      <h3 className={styles.subtitle}>{t.form.rules}</h3>
      <Lines
        lines={[
          [t.form.priceStep, `${grouped(tick)} ${quote}`],
          [t.form.quantityStep, `${grouped(lot)} ${base}`],
          [t.form.minimumQuantity, `${grouped(minQuantity)} ${base}`],
          [t.form.minimumTotal, `${grouped(minTotal)} ${quote}`],
        ]}
      />
    </section>
  );
}

/** The coins that were bought in this pair, and their profit. */
function PositionLines() {
  const pair = usePair();
  const position = usePosition(pair);
  if (position === null) return null;
  const { quantity, cost, realized, unrealized } = position;
  const decimals = columnDecimals(pair);
  const isHeld = isPositive(quantity);
  return (
    <>
      <h3 className={styles.subtitle}>{t.form.position}</h3>
      <Lines
        lines={[
          isHeld ? [t.form.bought, grouped(quantity), pair.base] : null,
          isHeld
            ? [
                portfolioTexts.average,
                grouped(divideDown(cost, quantity, averageDecimals(pair))),
                pair.quote,
              ]
            : null,
          isHeld && unrealized !== null
            ? [
                portfolioTexts.unrealized,
                <Profit
                  key="profit"
                  {...{ value: unrealized, cost, decimals, asset: pair.quote }}
                />,
              ]
            : null,
          [
            portfolioTexts.realized,
            <Amount key="realized" value={realized} decimals={decimals} signed />,
            pair.quote,
          ],
        ]}
      />
      <p className={styles.hint}>{t.form.positionHow}</p>
    </>
  );
}
