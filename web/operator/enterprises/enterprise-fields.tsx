// The fields of a user's membership in an enterprise. A change of enterprise ends the admin role.
import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useLive } from '../../live/live.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { feeds } from '../data.ts';
import { FIELD } from '../parts/request-form.tsx';

export interface Membership {
  /** '' for none. */
  readonly enterpriseId: string;
  readonly enterpriseAdmin: boolean;
}

export function EnterpriseFields<V extends Membership>(props: {
  readonly form: UseFormReturnType<V>;
}) {
  // A wider form holds these fields too.
  const form = props.form as unknown as UseFormReturnType<Membership>;
  const { enterpriseId, enterpriseAdmin } = form.values;
  const { data = [] } = useLive(feeds.enterprises);
  const options = data.map(({ enterpriseId: id, name }) => ({
    value: String(id),
    label: `${id} · ${name}`,
  }));
  return (
    <Stack gap="xs">
      <NativeSelect
        {...FIELD}
        label={text.enterprise}
        description={text.enterpriseUse}
        value={enterpriseId}
        onChange={(event) =>
          form.setValues({ enterpriseId: event.currentTarget.value, enterpriseAdmin: false })
        }
        data={[{ value: '', label: text.none }, ...options]}
      />
      {enterpriseId === '' ? null : (
        <Checkbox
          label={text.isAdmin}
          description={text.isAdminUse}
          checked={enterpriseAdmin}
          onChange={(event) => form.setFieldValue('enterpriseAdmin', event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
