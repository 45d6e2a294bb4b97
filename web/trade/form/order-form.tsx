// The order form: side, type, price, amount, estimate and submit. It also shows the outcome of the
// last order, the balances and the rules of the pair.
import { Anchor, SegmentedControl } from '@mantine/core';
import { type FormEvent, memo, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { isLoggedOut, isNotReached } from '../../api/refusal.ts';
import { useAction } from '../../components/action.ts';
import { useOffline } from '../../components/offline.ts';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { isPositive } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { refresh, useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { hasSessionEnded, isSandbox, useSession } from '../../session/session.ts';
import pageStyles from '../page.module.css';
import type { Pair } from '../pair.ts';
import { ConfirmOrder, useConfirmation } from './confirm-order.tsx';
import {
  type Draft,
  type DraftStore,
  isSameOrder,
  keepUnsent,
  type NewOrder,
  type OrderKind,
  useDraft,
} from './draft.ts';
import { type Line, Lines } from './estimate-view.tsx';
import { PlacedNote, SessionExpiredNote } from './notes.tsx';
import { AmountFields, PostOnly, PriceField, ShareButtons } from './order-fields.tsx';
import styles from './order-form.module.css';
import { OrderPreview } from './order-preview.tsx';
import type { Available } from './share.ts';
import { type Placed, place, type SubmissionKeys } from './submission.ts';
import { UnansweredOrders, useSubmissionKeys } from './unanswered-orders.tsx';
import { closedReason, type FormState, validate } from './validation.ts';

export interface OrderFormProps {
  readonly pair: Pair;
  readonly store: DraftStore;
}

/** The feeds that an order changes. */
const AFFECTED = [['orders'], ['balances'], ['fills']] as const;

export const OrderFormPanel = memo(function OrderFormPanel({ pair, store }: OrderFormProps) {
  const draft = useDraft(store);
  const available = useAvailable(pair);
  const uid = useSession().me?.uid ?? null;
  const keys = useSubmissionKeys(uid);
  const paid =
    available === null ? null : draft.side === Side.buy ? available.quote : available.base;
  const state = validate(draft, pair, paid);
  const submission = useSubmission({ pair, store, state, keys, uid });
  const { send, placed, pending, error } = submission;
  const confirmation = useConfirmation(pair, send);
  useLogOutSeen(uid, () => {
    submission.clear();
    confirmation.close();
    store.change({ amount: '' });
  });
  const isOffline = useOffline();
  const cannotSend = uid === null || isOffline || closedReason(draft, pair) !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!cannotSend && !pending && state.kind === 'ready') confirmation.submit(state.order);
  };
  const change = (next: Partial<Draft>) => {
    submission.clear();
    store.change(next);
  };
  const isLimit = draft.kind === 'limit';
  const field = { pair, draft, onChange: change };
  return (
    <Panel title={t.form.title(pair.symbol)} dense className={`${pageStyles.form} ${styles.panel}`}>
      <form className={styles.form} onSubmit={submit} noValidate id="order-form">
        <SideAndKind draft={draft} onChange={change} />
        <StatusNote pair={pair} />
        {isLimit ? <PriceField {...field} store={store} /> : null}
        <AmountFields {...field} />
        <ShareButtons {...field} available={available} />
        {isLimit ? <PostOnly draft={draft} onChange={change} /> : null}
        <OrderPreview
          {...field}
          available={paid}
          state={state}
          offline={isOffline}
          pending={pending}
        />
        {isLoggedOut(error) ? (
          <SessionExpiredNote symbol={pair.symbol} />
        ) : isNotReached(error) && keys.unanswered().length > 0 ? null : (
          <RefusalNote error={error} onUse={(value, name) => change(withNearest(value, name))} />
        )}
        {pending ? null : (
          <UnansweredOrders
            keys={keys}
            offline={isOffline}
            onSend={send}
            onFound={submission.found}
          />
        )}
        <div aria-live="polite">
          {placed === undefined || uid === null ? null : <PlacedNote placed={placed} />}
        </div>
      </form>
      {uid === null ? null : (
        <ConfirmOrder pair={pair} confirmation={confirmation} off={cannotSend} />
      )}
      <Summary pair={pair} />
    </Panel>
  );
});

interface SubmissionContext extends OrderFormProps {
  readonly state: FormState;
  readonly keys: SubmissionKeys;
  readonly uid: number | null;
}

/** Sends orders, and keeps the outcome of the last one. */
function useSubmission({ pair, store, state, keys, uid }: SubmissionContext) {
  const [placed, setPlaced] = useState<Placed | undefined>();
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
  /** Empties the form, unless the order is an earlier one that was sent again. */
  const clearDraft = (order: NewOrder) => {
    if (state.kind === 'ready' && isSameOrder(state.order, order)) store.change({ amount: '' });
  };
  const clear = () => {
    placing.clear();
    setPlaced(undefined);
  };
  return {
    placed,
    pending: placing.pending,
    error: placing.error,
    clear,
    async send(order: NewOrder): Promise<void> {
      setPlaced(undefined);
      const done = await placing.run(order);
      if (done === undefined) return;
      setPlaced(done);
      clearDraft(order);
    },
    /** The exchange has an order that had got no answer. */
    found(sent: NewOrder, order: Order): void {
      keys.settle(sent);
      placing.clear();
      setPlaced({ orderId: order.orderId, order, fills: [] });
      clearDraft(sent);
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

/** The balances that an order can use; null for a visitor, and while they are unknown. */
function useAvailable({ base, quote }: Pair): Available | null {
  const { state } = useSession();
  const { data } = useLive(state === 'loggedIn' ? feeds.balances : null);
  if (data === undefined) return null;
  const of = (name: string) => data.find(({ asset }) => asset === name)?.available ?? '0';
  return { base: of(base), quote: of(quote) };
}

interface ChangeProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

function SideAndKind({ draft, onChange }: ChangeProps) {
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
        onChange={(side) => onChange({ side: Number(side) as Side })}
        aria-label={t.form.side}
      />
      <SegmentedControl
        fullWidth
        size="xs"
        data={[
          { value: 'limit', label: t.form.limit },
          { value: 'market', label: t.form.market },
        ]}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: kind as OrderKind })}
        aria-label={t.form.type}
      />
    </>
  );
}

function StatusNote({ pair }: { readonly pair: Pair }) {
  const { short, sentence } = t.status[pair.status];
  return (
    <div aria-live="polite">
      {sentence === null ? null : (
        <p className={styles.status} data-status={pair.status}>
          <b>{short}.</b> {sentence}
        </p>
      )}
    </div>
  );
}

/** The nearest value of a refusal as a change of the form. */
function withNearest(value: string, field: string | undefined): Partial<Draft> {
  if (field === 'price') return { price: value };
  return { amount: value, basis: field === 'quoteOrderQty' ? 'total' : 'quantity' };
}

/** The account's balances of the two assets, and the rules of the pair. */
function Summary({ pair }: { readonly pair: Pair }) {
  const { state } = useSession();
  const { data } = useLive(state === 'loggedIn' ? feeds.balances : null);
  const balanceLines = (name: string): readonly (Line | null)[] => {
    const { available = '0', held = '0' } = data?.find(({ asset }) => asset === name) ?? {};
    return [
      [name, grouped(available)],
      isPositive(held) ? [t.form.inOpenOrders(name), grouped(held)] : null,
    ];
  };
  return (
    <section className={styles.balances} aria-label={t.form.summary}>
      {data === undefined ? null : (
        <>
          <h3 className={styles.subtitle}>
            {t.form.balances}
            <Anchor component={Link} href="/wallet" size="xs">
              {isSandbox ? t.form.walletAndPlayMoney : t.form.wallet}
            </Anchor>
          </h3>
          <Lines lines={[pair.base, pair.quote].flatMap(balanceLines)} />
        </>
      )}
      <h3 className={styles.subtitle}>{t.form.rules}</h3>
      <Lines
        lines={[
          [t.form.priceStep, `${pair.tick} ${pair.quote}`],
          [t.form.quantityStep, `${pair.lot} ${pair.base}`],
          [t.form.minimumQuantity, `${pair.minQuantity} ${pair.base}`],
          [t.form.minimumTotal, `${pair.minTotal} ${pair.quote}`],
        ]}
      />
    </section>
  );
}
