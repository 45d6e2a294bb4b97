// To which enterprise somebody belongs, and whether they administer it.
import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useLive } from '../../live/live.ts';
import { feeds } from '../feeds.ts';
import { FIELD } from '../parts/form.ts';

export interface EnterpriseSelectProps {
  /** '' for none. */
  readonly enterpriseId: string;
  readonly admin: boolean;
  readonly onEnterprise: (enterpriseId: string) => void;
  readonly onAdmin: (admin: boolean) => void;
}

export function EnterpriseSelect(props: EnterpriseSelectProps) {
  const { enterpriseId, admin, onEnterprise, onAdmin } = props;
  const { data = [] } = useLive(feeds.enterprises);
  return (
    <Stack gap="xs">
      <NativeSelect
        {...FIELD}
        label="Enterprise"
        description="A company whose members save together; its admins see what members hold."
        value={enterpriseId}
        onChange={(event) => onEnterprise(event.currentTarget.value)}
        data={[
          { value: '', label: 'None' },
          ...data.map(({ enterpriseId: id, name }) => ({ value: id, label: `${id} · ${name}` })),
        ]}
      />
      {enterpriseId === '' ? null : (
        <Checkbox
          label="Administers the enterprise"
          description="Sees the members’ subscriptions and sets the margin of each plan."
          checked={admin}
          onChange={(event) => onAdmin(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
