// A field that finds a user by the user ID or a part of the email address.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { User } from '../../../src/sdk/index.ts';
import { useLive } from '../../live/live.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import { feeds } from '../data.ts';
import { FIELD } from '../parts/request-form.tsx';

const MAX_CHOICES = 10;
/** The audit log records each search, so a search waits for a pause in typing. */
export const TYPING_PAUSE_MS = 400;

const labelOf = ({ uid, email }: User): string => `${uid} · ${email}`;

export interface UserPickerProps {
  readonly label: string;
  readonly user: User | null;
  readonly error?: string | undefined;
  readonly onUser: (user: User | null) => void;
}

export function UserPicker({ label, user, error, onUser }: UserPickerProps) {
  const [typed, setTyped] = useState('');
  const isChosen = user !== null && typed === labelOf(user);
  const [query] = useDebouncedValue(isChosen ? '' : typed.trim(), TYPING_PAUSE_MS);
  const { data, isFetching } = useLive(feeds.users(query, 1, MAX_CHOICES));
  const found = data?.items ?? [];
  const others = found.filter(({ uid }) => uid !== user?.uid);
  const choices = user === null ? found : [user, ...others];
  return (
    <Select
      {...FIELD}
      label={label}
      placeholder={text.searchPlaceholder}
      searchable
      clearable
      error={error}
      data={choices.map((one) => ({ value: String(one.uid), label: labelOf(one) }))}
      // The server filters.
      filter={({ options }) => options}
      value={user === null ? null : String(user.uid)}
      onChange={(value) => onUser(choices.find(({ uid }) => String(uid) === value) ?? null)}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? text.searching : text.noMatch}
      clearButtonProps={{ 'aria-label': text.clearUser }}
    />
  );
}
