// The terms of one user: KYC, fees of their own, the limit on open orders, the enterprise.
import { Checkbox, Text } from '@mantine/core';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { EnterpriseSelect } from '../enterprises/enterprise-select.tsx';
import { keys } from '../feeds.ts';
import { fieldOf, useForm } from '../parts/form.ts';
import { FormFrame, SaveButtons } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { toUserTerms, valuesOf } from './user-form.ts';

/** Drawn anew when the user has changed, so that the form shows what holds. */
export function UserTermsPanel({ user }: { readonly user: operator.User }) {
  const form = useForm(valuesOf(user));
  const checked = toUserTerms(form.values, user);
  const isChanged = !checked.ok || Object.keys(checked.body).length > 0;
  const amend = useAction(operator.amendUser, {
    done: 'The terms are changed; they hold from now on.',
    refreshes: [keys.user(user.uid), keys.users, keys.enterprises],
  });
  const submit = () => {
    form.tryIt();
    if (checked.ok) amend.run(user.uid, checked.body);
  };
  return (
    <Panel title="Terms">
      <FormFrame onSubmit={submit}>
        <Checkbox
          label="Identity is verified (KYC)"
          description="Plans that ask for it are open to this customer."
          checked={form.values.kyc}
          onChange={(event) => form.set('kyc', event.currentTarget.checked)}
        />
        <div className={parts.fields}>
          <DecimalInput
            label="Own fee as maker"
            description="For orders that rest. Empty: what each market charges; 0: no fee."
            unit="%"
            {...fieldOf(form, 'makerFee', checked)}
          />
          <DecimalInput
            label="Own fee as taker"
            description="For orders that trade on arrival. Empty: what each market charges."
            unit="%"
            {...fieldOf(form, 'takerFee', checked)}
          />
          <DecimalInput
            label="Open orders at most"
            description="In all markets together. Beyond it new orders are refused."
            whole
            {...fieldOf(form, 'maxOpenOrders', checked)}
          />
        </div>
        <EnterpriseSelect
          enterpriseId={form.values.enterpriseId}
          admin={form.values.enterpriseAdmin}
          onEnterprise={(enterpriseId) =>
            // Whoever administers one enterprise has no say in another.
            form.change({ enterpriseId, enterpriseAdmin: false })
          }
          onAdmin={(admin) => form.set('enterpriseAdmin', admin)}
        />
        {form.values.enterpriseId === (user.enterpriseId ?? '') ? null : (
          <Text size="sm" className="dim">
            Subscriptions with a term that is running stay with the enterprise that they began with.
          </Text>
        )}
        <RefusalNote error={amend.error} />
        <SaveButtons isChanged={isChanged} pending={amend.pending} onUndo={() => form.reset()} />
      </FormFrame>
    </Panel>
  );
}
