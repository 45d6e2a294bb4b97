// Cancels the open orders of a user or of a pair, with a reason for the audit log.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { operatorText as text } from '../../messages/operator.ts';
import { forms } from '../../messages/operator-forms.ts';
import { keys, operator } from '../data.ts';
import { ConfirmButton } from './confirm.tsx';
import { FIELD } from './field-input.tsx';

export type CancelOrdersProps =
  | { readonly uid: number; readonly symbol?: undefined }
  | { readonly symbol: string; readonly uid?: undefined };

/** The button asks first; it resolves without an answer while the reason is missing. */
export function CancelOrders({ uid, symbol }: CancelOrdersProps) {
  const [typed, setTyped] = useState('');
  const [isTried, setTried] = useState(false);
  const reason = typed.trim();
  const whose = text.whoseOrders(uid, symbol);
  const cancel = useAction(
    (why: string) =>
      operator.cancelOrders(uid === undefined ? { symbol, reason: why } : { uid, reason: why }),
    {
      done: ({ canceled, remaining }) =>
        canceled === 0 ? text.noOpenOrders(whose) : text.canceled(canceled, remaining, whose),
      refreshes: [keys.users, ...(uid === undefined ? [] : [keys.user(uid)])],
    },
  );
  const run = async () => {
    setTried(true);
    const answer = reason === '' ? undefined : await cancel.run(reason);
    if (answer === undefined) return undefined;
    setTyped('');
    setTried(false);
    return answer;
  };
  return (
    <ConfirmButton
      label={text.cancelOpenOrders}
      action={{ ...cancel, run }}
      question={{
        title: text.cancelTitle(whose),
        consequences: [
          uid === undefined ? text.cancelsPair(symbol) : text.cancelsUser,
          text.cancelKeepsFills,
          text.cancelShows,
        ],
        confirm: text.cancelOrders,
        danger: true,
      }}
    >
      <TextInput
        {...FIELD}
        label={text.reason}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={isTried && reason === '' ? forms.needed : undefined}
        data-autofocus
      />
    </ConfirmButton>
  );
}
