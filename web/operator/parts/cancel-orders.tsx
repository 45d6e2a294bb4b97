// Canceling the open orders of a user or of a pair in the name of the operator, with a reason for the
// audit log.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { grouped } from '../../exact/format.ts';
import { keys } from '../feeds.ts';
import { textOf } from './check.ts';
import { Confirm } from './confirm.tsx';
import { FIELD } from './form.ts';

export type CancelOrdersProps =
  | { readonly uid: string; readonly symbol?: undefined }
  | { readonly symbol: string; readonly uid?: undefined };

export function CancelOrders({ uid, symbol }: CancelOrdersProps) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const reason = textOf(typed, 'why, for the audit log', 256);
  const whose = uid === undefined ? `in ${symbol}` : `of user ${uid}`;
  const cancel = useAction(operator.cancelOrders, {
    done: ({ canceled, remaining }) => canceledWords(canceled, remaining, whose),
    refreshes: [keys.users, ...(uid === undefined ? [] : [keys.user(uid)])],
    onDone: () => close(),
  });
  const close = () => {
    setAsking(false);
    setTyped('');
    setTried(false);
    cancel.clear();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Cancel open orders…
      </Button>
      <Confirm
        opened={asking}
        title={`Cancel all open orders ${whose}?`}
        consequences={[
          uid === undefined
            ? `Every open order in ${symbol}, of every customer, is canceled. Without a halt, new ones can come in meanwhile.`
            : 'Every open order of this user is canceled, in every pair. The user can place new ones; suspend the user to stop that.',
          'What was filled stays filled. The money set aside for the orders is free again.',
          'The owners read “Canceled by the operator”. The reason is in the audit log alone.',
        ]}
        confirm="Cancel orders"
        danger
        pending={cancel.pending}
        error={cancel.error}
        onConfirm={() => {
          setTried(true);
          if ('value' in reason) cancel.run({ uid, symbol, reason: reason.value });
        }}
        onClose={close}
      >
        <TextInput
          {...FIELD}
          label="Reason"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={tried && 'fault' in reason ? reason.fault : undefined}
          data-autofocus
        />
      </Confirm>
    </>
  );
}

function canceledWords(canceled: string, remaining: string, whose: string): string {
  if (canceled === '0') return `There was no open order ${whose}.`;
  const orders = canceled === '1' ? '1 order' : `${grouped(canceled)} orders`;
  const rest = remaining === '0' ? '' : ` ${grouped(remaining)} more follow right after.`;
  return `${orders} ${whose} canceled.${rest}`;
}
