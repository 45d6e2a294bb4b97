// Cancels the open orders of a user or of a pair, with a reason for the audit log.
import { CANCEL } from '../../../src/contract/generated/operator-fields.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { common } from '../../messages/common.ts';
import { operatorText as text } from '../../messages/operator.ts';
import { feedKey, operator } from '../data.ts';
import { describer, type Layout } from './fields.ts';
import { Fields, useCreateForm } from './request-form.tsx';

export type CancelOrdersProps =
  | { readonly uid: number; readonly symbol?: undefined }
  | { readonly symbol: string; readonly uid?: undefined };

interface Reason {
  readonly reason: string;
}

const { field } = describer(CANCEL, { reason: [text.reason] });
const layout = (): Layout<Reason> => [field('reason', {}, { autoFocus: true })];

/** The button asks first; it resolves without an answer while the reason is missing. */
export function CancelOrders({ uid, symbol }: CancelOrdersProps) {
  const whose = text.whoseOrders(uid, symbol);
  const request = useCreateForm({
    initial: { reason: '' },
    layout,
    send: (body: Reason) =>
      operator.cancelOrders(uid === undefined ? { symbol, ...body } : { uid, ...body }),
    done: ({ canceled, remaining }) =>
      canceled === 0 ? text.noOpenOrders(whose) : text.canceled(canceled, remaining, whose),
    refreshes: [feedKey('users'), ...(uid === undefined ? [] : [feedKey('user', uid)])],
    onDone: (_, form) => form.reset(),
  });
  const { form, result, action } = request;
  const run = async () =>
    form.validate().hasErrors || !result.ok ? undefined : action.run(result.body);
  return (
    <ConfirmButton
      label={text.cancelOpenOrders}
      action={{ ...action, run }}
      question={{
        title: text.cancelTitle(whose),
        consequences: [
          uid === undefined ? text.cancelsPair(symbol) : text.cancelsUser,
          text.cancelKeepsFills,
          text.cancelShows,
        ],
        confirm: text.cancelOrders,
        keep: common.keepOrders(2),
        danger: true,
      }}
    >
      <Fields request={request} />
    </ConfirmButton>
  );
}
