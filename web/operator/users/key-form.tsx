// What a new API key may do, from where, and until when.
import { Button, Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import type { NewKey } from '../../api/operator.ts';
import { RefusalNote } from '../../components/states.tsx';
import { textFieldOf, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { EMPTY_KEY, MODULES, toNewKey } from './user-form.ts';

export interface KeyFormProps {
  readonly pending: boolean;
  readonly error: unknown;
  readonly onSubmit: (body: NewKey) => void;
}

export function KeyForm({ pending, error, onSubmit }: KeyFormProps) {
  const form = useForm(EMPTY_KEY);
  const checked = toNewKey(form.values, Date.now());
  const submit = () => {
    form.tryIt();
    if (checked.ok) onSubmit(checked.body);
  };
  return (
    <FormFrame onSubmit={submit}>
      <TextInput
        label="Name"
        description="To tell it from other keys."
        data-autofocus
        {...textFieldOf(form, 'alias', checked)}
      />
      <Checkbox.Group
        label="Privileges"
        value={[...form.values.moduleIds]}
        onChange={(moduleIds) => form.set('moduleIds', moduleIds)}
        error={checked.ok ? undefined : checked.faults.moduleIds}
      >
        <Stack gap={8} mt={6}>
          {MODULES.map(({ id, name, what }) => (
            <Checkbox key={id} value={id} label={name} description={what} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Textarea
        label="Addresses (optional)"
        description="Only from these IP addresses or CIDR ranges, one a line; empty: from anywhere."
        autosize
        minRows={2}
        maxRows={6}
        {...textFieldOf(form, 'ipAllowList', checked)}
      />
      <TextInput
        label="Last day (optional)"
        description="The key ends with this day, UTC."
        type="date"
        {...textFieldOf(form, 'expires', checked)}
      />
      <Checkbox
        label="Strict order names"
        description="Refuses an order whose client order id an open order already has."
        checked={form.values.strictClOrdId}
        onChange={(event) => form.set('strictClOrdId', event.currentTarget.checked)}
      />
      <Checkbox
        label="A signature works once"
        description="Refuses a write that was recorded and sent again. Leave it on unless a client cannot sign anew."
        checked={form.values.replayGuard}
        onChange={(event) => form.set('replayGuard', event.currentTarget.checked)}
      />
      <RefusalNote error={error} />
      <Button type="submit" loading={pending}>
        Create the key
      </Button>
    </FormFrame>
  );
}
