// Books money that arrived for a customer, or that leaves for one, once per reference.
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import type { Balance, User } from '../../../src/sdk/index.ts';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { ledgerText as text } from '../../messages/operator-ledger.ts';
import { feeds, keys, operator } from '../data.ts';
import { BookingNote, useBooking } from '../parts/booking.tsx';
import { faultOf, type Layout, RequestPanel, useRequestForm } from '../parts/request-form.tsx';
import { UserPicker } from '../users/user-picker.tsx';
import {
  availableAfter,
  availableOf,
  type Direction,
  parseTransfer,
  type Transfer,
  type TransferValues,
} from './transfer.ts';

/** The user of the address (?uid=7), until the operator chooses another one. */
function useChosenUser() {
  const uid = new URLSearchParams(useSearch()).get('uid') ?? '';
  const linked = useLive(/^\d{1,15}$/.test(uid) ? feeds.user(Number(uid)) : null).data;
  const [user, setUser] = useState<User | null>(null);
  useEffect(() => {
    if (linked !== undefined) setUser(linked);
  }, [linked]);
  return [user, setUser] as const;
}

const EMPTY: TransferValues = { asset: '', amount: '', reference: '' };

export function TransferPanel({ direction }: { readonly direction: Direction }) {
  const isDebit = direction === 'debit';
  const [user, setUser] = useChosenUser();
  const assets = useLive(feeds.assets).data ?? [];
  const balances = useLive(user === null ? null : feeds.balances(user.uid)).data;
  const request = useRequestForm(EMPTY, (values) =>
    parseTransfer(values, { direction, user, assets, balances }),
  );
  const { form } = request;
  const unit = form.values.asset === '' ? assets[0]?.asset : form.values.asset;
  const { action, booking } = useBooking((body: Transfer) => operator[direction](body), {
    refreshes: [keys.trialBalance, ...(user === null ? [] : [keys.user(user.uid)])],
    onDone: ({ body }) => {
      form.reset();
      form.setFieldValue('asset', body.asset);
    },
  });
  const sentences = (body: Transfer) => sentencesOf(direction, body, user, balances);
  const layout: Layout<TransferValues> = [
    <UserPicker
      key="user"
      label={text.customer}
      user={user}
      onUser={setUser}
      error={faultOf(request, 'user')}
    />,
    [
      {
        kind: 'select',
        name: 'asset',
        label: text.asset,
        options: assets.map(({ asset }) => asset),
      },
      { kind: 'decimal', name: 'amount', label: forms.amount, unit },
    ],
    {
      kind: 'text',
      name: 'reference',
      label: forms.reference,
      description: forms.referenceUse,
    },
  ];
  const debitQuestion = (body: Transfer) => ({
    title: text.debitQuestion(body.uid),
    consequences: sentences(body),
    confirm: text.debitConfirm,
    danger: true,
  });
  return (
    <RequestPanel
      title={isDebit ? text.debitTitle : text.creditTitle}
      lead={isDebit ? text.debitLead : text.creditLead}
      request={request}
      layout={layout}
      action={action}
      submit={isDebit ? text.debitButton : text.credit}
      {...(isDebit ? { question: debitQuestion } : {})}
      preview={{ method: 'POST', path: `/ledger/${direction}`, sentences }}
    >
      <BookingNote
        booking={booking}
        what={({ amount, asset, uid }) =>
          (isDebit ? text.fromUser : text.toUser)(`${grouped(amount)} ${asset}`, uid)
        }
      />
    </RequestPanel>
  );
}

/** The effect of a transfer, in sentences. */
function sentencesOf(
  direction: Direction,
  { amount, asset, reference, uid }: Transfer,
  user: User | null,
  balances: readonly Balance[] | undefined,
): string[] {
  const isDebit = direction === 'debit';
  const available = availableOf(balances, asset);
  const after = availableAfter(direction, amount, available);
  const moved = `${grouped(amount)} ${asset}`;
  return [
    (isDebit ? text.debits : text.credits)(moved, user?.email ?? '', uid),
    ...(available === null || after === null
      ? []
      : [text.available(grouped(available), grouped(after), asset)]),
    forms.permanentReference(reference),
    ...(isDebit ? [forms.sendMoneyYourself] : []),
  ];
}
