// The order form: side, type, price, size, what it would come to, and the button that places it.

import { SegmentedControl } from '@mantine/core';
import { type FormEvent, memo, useEffect, useRef, useState } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { isLoggedOut, isNotReached } from '../../api/refusal.ts';
import { useAction } from '../../components/action.ts';
import { useOffline } from '../../components/offline.ts';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { feeds } from '../../live/feeds.ts';
import { refresh, useLive } from '../../live/live.ts';
import { hasSessionEnded, useSession } from '../../session/session.ts';
import pageStyles from '../page.module.css';
import { type Pair, STATUS_WORDS } from '../pair.ts';
import { AmountFields } from './amount-fields.tsx';
import { Balances } from './balances.tsx';
import { ConfirmOrder } from './confirm-order.tsx';
import { type Draft, type DraftStore, keepUnsent, type OrderKind, useDraft } from './draft.ts';
import { LoginEndedNote, PlacedNote } from './notes.tsx';
import { OpenQuestions, useSubmissionKeys } from './open-questions.tsx';
import styles from './order-form.module.css';
import { Outlook } from './outlook.tsx';
import { PostOnly } from './post-only.tsx';
import { PriceField } from './price-field.tsx';
import { closedFor, outcomeOf } from './request.ts';
import { useSecondLook } from './second-look.ts';
import type { Available } from './share.ts';
import { ShareButtons } from './share-buttons.tsx';
import type { NewOrder } from './submission.ts';
import { type Placed, place } from './submission.ts';

export interface OrderFormProps {
  readonly pair: Pair;
  readonly store: DraftStore;
}

const TOUCHED = [['orders'], ['balances'], ['fills']] as const;

export const OrderFormPanel = memo(function OrderFormPanel({ pair, store }: OrderFormProps) {
  const draft = useDraft(store);
  const available = useAvailable(pair);
  const uid = useSession().me?.uid ?? null;
  const keys = useSubmissionKeys(uid);
  const [placed, setPlaced] = useState<Placed | undefined>();
  const submission = useAction(
    async (...order: Parameters<typeof place>) => {
      try {
        return await place(...order);
      } catch (error) {
        if (uid !== null && isLoggedOut(error)) keepUnsent({ uid, symbol: pair.symbol, draft });
        throw error;
      }
    },
    { refreshes: TOUCHED },
  );
  useLogOutSeen(uid, () => {
    submission.clear();
    look.close();
    setPlaced(undefined);
    store.change({ amount: '' });
  });
  const paid =
    available === null ? null : draft.side === Side.buy ? available.quote : available.base;
  const outcome = outcomeOf(draft, pair, paid);
  const send = async (order: NewOrder) => {
    setPlaced(undefined);
    const done = await submission.run(order, keys);
    if (done === undefined) return;
    setPlaced(done);
    // What is sent again may be another order than the one in the form.
    if (isDrafted(order)) store.change({ amount: '' });
  };
  const isDrafted = (order: NewOrder) =>
    outcome.kind === 'ready' && JSON.stringify(outcome.order) === JSON.stringify(order);
  const found = (sent: NewOrder, order: Order) => {
    keys.settle(sent);
    submission.clear();
    setPlaced({ orderId: order.orderId, order, fills: [] });
    if (isDrafted(sent)) store.change({ amount: '' });
    refresh(...TOUCHED);
  };
  const look = useSecondLook(pair, send);
  const isOffline = useOffline();
  const cannotSend = uid === null || isOffline || closedFor(draft, pair) !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!cannotSend && !submission.pending && outcome.kind === 'ready') look.submit(outcome.order);
  };
  const change = (next: Partial<Draft>) => {
    submission.clear();
    setPlaced(undefined);
    store.change(next);
  };
  return (
    <Panel
      title={`Order for ${pair.symbol}`}
      dense
      className={`${pageStyles.form} ${styles.panel}`}
    >
      <form className={styles.form} onSubmit={submit} noValidate id="order-form">
        <SideAndKind draft={draft} onChange={change} />
        <StatusNote pair={pair} />
        {draft.kind === 'limit' ? (
          <PriceField pair={pair} store={store} draft={draft} onChange={change} />
        ) : null}
        <AmountFields pair={pair} draft={draft} onChange={change} />
        <ShareButtons pair={pair} draft={draft} available={available} onChange={change} />
        {draft.kind === 'limit' ? <PostOnly draft={draft} onChange={change} /> : null}
        <Outlook
          pair={pair}
          draft={draft}
          available={paid}
          outcome={outcome}
          offline={isOffline}
          pending={submission.pending}
          onChange={change}
        />
        {isLoggedOut(submission.error) ? (
          <LoginEndedNote symbol={pair.symbol} />
        ) : isNotReached(submission.error) && keys.open().length > 0 ? null : (
          <RefusalNote
            error={submission.error}
            onUse={(value, field) => change(used(value, field))}
          />
        )}
        {submission.pending ? null : (
          <OpenQuestions keys={keys} offline={isOffline} onSend={send} onFound={found} />
        )}
        <div aria-live="polite">
          {placed === undefined || uid === null ? null : <PlacedNote placed={placed} />}
        </div>
      </form>
      {uid === null ? null : <ConfirmOrder pair={pair} look={look} off={cannotSend} />}
      <Balances pair={pair} />
    </Panel>
  );
});

/** Calls `clear` when the person has logged out. Where the server has ended the login, what they were writing stays. */
function useLogOutSeen(uid: number | null, clear: () => void): void {
  const before = useRef(uid);
  useEffect(() => {
    if (before.current !== null && uid === null && !hasSessionEnded()) clear();
    before.current = uid;
  });
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
          { value: String(Side.buy), label: 'Buy' },
          { value: String(Side.sell), label: 'Sell' },
        ]}
        value={String(draft.side)}
        onChange={(side) => onChange({ side: Number(side) as Side })}
        aria-label="Buy or sell"
      />
      <SegmentedControl
        fullWidth
        size="xs"
        data={[
          { value: 'limit', label: 'Limit' },
          { value: 'market', label: 'Market' },
        ]}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: kind as OrderKind })}
        aria-label="Order type"
      />
    </>
  );
}

function StatusNote({ pair }: { readonly pair: Pair }) {
  const { sentence } = STATUS_WORDS[pair.status];
  return (
    <div aria-live="polite">
      {sentence === null ? null : (
        <p className={styles.status} data-status={pair.status}>
          <b>{STATUS_WORDS[pair.status].short}.</b> {sentence}
        </p>
      )}
    </div>
  );
}

/** What a refusal says would pass, as a change of the form. */
function used(value: string, field: string | undefined): Partial<Draft> {
  if (field === 'price') return { price: value };
  return { amount: value, basis: field === 'quoteOrderQty' ? 'total' : 'quantity' };
}

/** What can be spent of the two assets; null while nobody has logged in, or it is not known yet. */
function useAvailable({ base, quote }: Pair): Available | null {
  const { state } = useSession();
  const { data } = useLive(state === 'loggedIn' ? feeds.balances : null);
  if (data === undefined) return null;
  const of = (name: string) => data.find(({ asset }) => asset === name)?.available ?? '0';
  return { base: of(base), quote: of(quote) };
}
