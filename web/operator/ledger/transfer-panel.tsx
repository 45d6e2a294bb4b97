// Booking money that has arrived for a customer, or that leaves for one, once per reference.
import { Alert, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { Confirm } from '../parts/confirm.tsx';
import { FIELD, type Form, fieldOf, textFieldOf, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Preview } from '../parts/preview.tsx';
import { UserPicker } from '../users/user-picker.tsx';
import {
  availableAfter,
  availableOf,
  isRepeat,
  type TransferValues,
  toTransfer,
} from './transfer.ts';

export interface TransferPanelProps {
  readonly direction: operator.Direction;
}

interface Outcome extends operator.Booked {
  readonly repeat: boolean;
  readonly body: operator.Transfer;
}

/** The place of the journal's end is read first, so that an answer from before can be told. */
async function book(direction: operator.Direction, body: operator.Transfer): Promise<Outcome> {
  const { seq } = await operator.ready();
  const booked = await operator.transfer(direction, body);
  return { ...booked, repeat: isRepeat(seq, booked), body };
}

/** The user of the address (?uid=7), until somebody chooses another one. */
function useChosenUser() {
  const uid = new URLSearchParams(useSearch()).get('uid');
  const named = useLive(uid !== null && /^\d{1,16}$/.test(uid) ? feeds.user(uid) : null).data;
  const [user, setUser] = useState<operator.User | null>(null);
  useEffect(() => {
    if (named !== undefined) setUser(named);
  }, [named]);
  return [user, setUser] as const;
}

export function TransferPanel({ direction }: TransferPanelProps) {
  const [user, setUser] = useChosenUser();
  const assets = useLive(feeds.assets).data ?? [];
  const balances = useLive(user === null ? null : feeds.balances(user.uid)).data;
  const form = useForm({ asset: '', amount: '', reference: '' });
  const asset = form.values.asset === '' ? (assets[0]?.asset ?? '') : form.values.asset;
  const checked = toTransfer({ ...form.values, asset }, { direction, user, assets, balances });
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const booking = useAction(book, {
    refreshes: [keys.trialBalance, ...(user === null ? [] : [keys.user(user.uid)])],
    onDone: (done) => {
      setOutcome(done);
      setAsking(false);
      form.reset({ asset, amount: '', reference: '' });
    },
  });
  const submit = () => {
    form.tryIt();
    setOutcome(null);
    if (!checked.ok) return;
    if (direction === 'debit') setAsking(true);
    else booking.run(direction, checked.body);
  };
  const available = availableOf(balances, asset);
  const lines = (body: operator.Transfer) => sentencesOf(direction, body, user, available);
  return (
    <div className={parts.split}>
      <Panel title={direction === 'credit' ? 'Credit a customer' : 'Debit a customer'}>
        <FormFrame onSubmit={submit}>
          <Text size="sm" className="dim">
            {direction === 'credit'
              ? 'Books money that has arrived for a customer outside of this exchange.'
              : 'Books money that leaves for a customer. Only what is available can be debited.'}
          </Text>
          <Fields form={form} checked={checked} assets={assets} asset={asset}>
            <UserPicker
              label="Customer"
              user={user}
              onUser={setUser}
              error={form.tried && !checked.ok ? checked.faults.user : undefined}
            />
          </Fields>
          <RefusalNote
            error={asking ? null : booking.error}
            onUse={(nearest, field) => field === 'amount' && form.set('amount', nearest)}
          />
          {outcome === null ? null : <BookedNote direction={direction} outcome={outcome} />}
          <Group>
            <Button type="submit" loading={booking.pending}>
              {direction === 'credit' ? 'Credit' : 'Debit…'}
            </Button>
          </Group>
        </FormFrame>
      </Panel>
      <Preview method="POST" path={`/ledger/${direction}`} checked={checked} sentences={lines} />
      <Confirm
        opened={asking}
        title={`Debit user ${user?.uid ?? ''}`}
        consequences={checked.ok ? lines(checked.body) : []}
        confirm="Debit"
        danger
        pending={booking.pending}
        error={booking.error}
        onConfirm={() => checked.ok && booking.run(direction, checked.body)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

interface FieldsProps {
  readonly form: Form<TransferValues>;
  readonly checked: ReturnType<typeof toTransfer>;
  readonly assets: readonly operator.Asset[];
  /** The chosen one, or the first. */
  readonly asset: string;
  /** Whose money it is. */
  readonly children: ReactNode;
}

function Fields({ form, checked, assets, asset, children }: FieldsProps) {
  return (
    <>
      {children}

      <div className={parts.fields}>
        <NativeSelect
          {...FIELD}
          label="Asset"
          value={asset}
          onChange={(event) => form.set('asset', event.currentTarget.value)}
          data={assets.map((one) => one.asset)}
          error={form.tried && !checked.ok ? checked.faults.asset : undefined}
        />
        <DecimalInput label="Amount" unit={asset} {...fieldOf(form, 'amount', checked)} />
      </div>
      <TextInput
        label="Reference"
        description="Names this transfer for ever, such as the number of the bank transfer. Sent again with the same customer, asset and amount it moves nothing; with others it is refused. So it is safe to try again."
        autoComplete="off"
        {...textFieldOf(form, 'reference', checked)}
      />
    </>
  );
}

function sentencesOf(
  direction: operator.Direction,
  { amount, asset, reference }: operator.Transfer,
  user: operator.User | null,
  available: string | null,
): string[] {
  const after = availableAfter(direction, amount, available);
  const verb = direction === 'credit' ? 'is added to' : 'is taken from';
  return [
    `${grouped(amount)} ${asset} ${verb} the available balance of ${user?.email ?? 'the customer'} (user ${user?.uid ?? ''}).`,
    ...(available === null || after === null
      ? []
      : [`Available now ${grouped(available)} ${asset}, afterwards ${grouped(after)} ${asset}.`]),
    `The transfer is named ${reference} for ever.`,
    ...(direction === 'debit'
      ? ['The money itself has to be sent by you: this only books that it leaves.']
      : []),
  ];
}

interface BookedNoteProps {
  readonly direction: operator.Direction;
  readonly outcome: Outcome;
}

function BookedNote({ direction, outcome }: BookedNoteProps) {
  const { repeat, transferId, seq, body } = outcome;
  const what = `${grouped(body.amount)} ${body.asset} ${direction === 'credit' ? 'to' : 'from'} user ${body.uid}`;
  return (
    <Alert color={repeat ? 'yellow' : 'teal'} variant="light" p="xs" role="status">
      <Text size="sm" className="breakable">
        {repeat
          ? `This reference was booked before, as transfer ${grouped(transferId)} (${what}). Nothing has moved now.`
          : `Booked: ${what}, as transfer ${grouped(transferId)}, command ${grouped(seq)} of the journal, reference ${body.reference}.`}
      </Text>
    </Alert>
  );
}
