// Books money that arrived for a customer, or that leaves for one, once per reference.
import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { TRANSFER } from '../../../src/contract/generated/operator-fields.ts';
import type { User } from '../../../src/sdk/index.ts';
import { grouped } from '../../exact/format.ts';
import { refresh, useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { ledgerText as text } from '../../messages/operator-ledger.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { BookingNote, EMPTY_TRANSFER, useBooking } from '../parts/booking.tsx';
import { describer, emptyValues, type Layout, optionsOf } from '../parts/fields.ts';
import { RequestPanel, useCreateForm } from '../parts/request-form.tsx';
import { type Direction, type Transfer, transferSentences } from './ledger-texts.ts';

const FIELDS = { ...TRANSFER, uid: { kind: 'user' } } as const;
const EMPTY = emptyValues(FIELDS);
type Values = typeof EMPTY;

const { field } = describer(FIELDS, { ...forms.fields, ...text.fields });

const layoutOf =
  (assets: readonly string[]) =>
  (values: Values): Layout<Values> => [
    field('uid'),
    [field('asset', values, { options: optionsOf(assets) }), field('amount', values)],
    field('reference'),
  ];

export function TransferPanel({ direction }: { readonly direction: Direction }) {
  const isDebit = direction === 'debit';
  const assets = useLive(feeds.assets).data ?? [];
  const { book, booking } = useBooking((body: Transfer) => operator[direction](body));
  const request = useCreateForm({
    initial: EMPTY,
    layout: layoutOf(assets.map(({ asset }) => asset)),
    send: book,
    refreshes: [feedKey('trialBalance')],
    onDone({ body }, filled) {
      filled.setValues(EMPTY_TRANSFER);
      refresh(feedKey('user', body.uid));
    },
  });
  const { form } = request;
  const { uid: user } = form.values;
  const linked = useLinkedUser();
  useEffect(() => {
    if (linked !== undefined) form.setFieldValue('uid', linked);
  }, [linked, form.setFieldValue]);
  const balances = useLive(user === null ? null : feeds.balances(user.uid)).data;
  const sentences = (body: Transfer) => transferSentences(direction, body, user, balances);
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
      submit={isDebit ? text.debitButton : text.credit}
      question={isDebit ? debitQuestion : undefined}
      call={`POST /ledger/${direction}`}
      sentences={sentences}
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

/** The user of the address (?uid=7). */
function useLinkedUser(): User | undefined {
  const uid = new URLSearchParams(useSearch()).get('uid') ?? '';
  return useLive(/^\d{1,15}$/.test(uid) ? feeds.user(Number(uid)) : null).data;
}
