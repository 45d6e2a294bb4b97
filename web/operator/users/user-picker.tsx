// Choosing a user by a part of the address, or by number.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { User } from '../../api/operator.ts';
import { useLive } from '../../live/live.ts';
import { feeds } from '../feeds.ts';
import { FIELD } from '../parts/form.ts';

const SHOWN = 10;
/** Each search is an entry of the audit log. */
const TYPING_PAUSE_MS = 400;

const labelOf = ({ uid, email }: User): string => `${uid} · ${email}`;

export interface UserPickerProps {
  readonly label: string;
  readonly description?: string;
  readonly user: User | null;
  readonly error?: string | undefined;
  readonly onUser: (user: User | null) => void;
}

export function UserPicker({ label, description, user, error, onUser }: UserPickerProps) {
  const [typed, setTyped] = useState('');
  const isChosen = user !== null && typed === labelOf(user);
  const [query] = useDebouncedValue(isChosen ? '' : typed.trim(), TYPING_PAUSE_MS);
  const { data, isFetching } = useLive(feeds.users(query, 1, SHOWN));
  const found = data?.items ?? [];
  const others = found.filter(({ uid }) => uid !== user?.uid);
  const choices = user === null ? found : [user, ...others];
  return (
    <Select
      {...FIELD}
      label={label}
      description={description}
      placeholder="Number, or a part of the e-mail address"
      searchable
      clearable
      error={error}
      data={choices.map((one) => ({ value: one.uid, label: labelOf(one) }))}
      // The server has searched.
      filter={({ options }) => options}
      value={user?.uid ?? null}
      onChange={(uid) => onUser(choices.find((one) => one.uid === uid) ?? null)}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? 'Searching…' : 'Nobody fits'}
      clearButtonProps={{ 'aria-label': 'Choose nobody' }}
    />
  );
}
