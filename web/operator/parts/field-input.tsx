// The inputs of the fields of a form.
import {
  Checkbox,
  NativeSelect,
  PasswordInput,
  Radio,
  Select,
  Stack,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { User } from '../../../src/sdk/index.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { useLive } from '../../live/live.ts';
import { forms as text } from '../../messages/operator-forms.ts';
import { feeds } from '../data.ts';
import type { Field, Option } from './fields.ts';
import styles from './parts.module.css';

/** The description stands below the input, so that inputs beside each other line up. */
const FIELD = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
  labelProps: { mb: 4 },
} satisfies Pick<TextInputProps, 'inputWrapperOrder' | 'labelProps'>;

interface FieldInputProps<V> {
  readonly field: Field<V>;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function FieldInput<V>({ field, value, error, onChange: set }: FieldInputProps<V>) {
  const { kind, description, unit, placeholder, empty, options = [] } = field;
  const label = empty === undefined ? field.label : text.optional(field.label);
  const shared = { label, description, error };
  const onChange = (event: { readonly currentTarget: { readonly value: string } }) =>
    set(event.currentTarget.value);
  const typed = { ...FIELD, ...shared, value: value as string, onChange };
  const choices = options.map((option) => ({ ...option, value: String(option.value) }));
  switch (kind) {
    case 'checkbox':
      return (
        <Checkbox
          {...shared}
          className={styles.whole}
          checked={value as boolean}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case 'checkboxes':
    case 'radio':
      return <Choices {...shared} kind={kind} value={value} options={choices} onChange={set} />;
    case 'select':
      return (
        <NativeSelect
          {...typed}
          data={
            value === '' || empty !== undefined
              ? [{ value: '', label: empty ?? text.choose }, ...choices]
              : choices
          }
        />
      );
    case 'user':
      return <UserPicker label={label} error={error} user={value as User | null} onUser={set} />;
    case 'password':
      return <PasswordInput {...typed} autoComplete="new-password" />;
    case 'lines':
      return <Textarea {...typed} placeholder={text.onePerLine} autosize minRows={2} maxRows={6} />;
    case 'decimal':
    case 'integer':
    case 'percent':
      return (
        <DecimalInput
          {...typed}
          onChange={set}
          unit={kind === 'percent' ? '%' : unit}
          placeholder={placeholder ?? empty}
          whole={kind === 'integer'}
        />
      );
    default:
      return (
        <TextInput {...typed} type={kind} autoComplete="off" data-autofocus={field.autoFocus} />
      );
  }
}

interface ChoicesProps {
  readonly kind: 'checkboxes' | 'radio';
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly value: unknown;
  readonly options: readonly (Option & { readonly value: string })[];
  readonly onChange: (value: unknown) => void;
}

/** Several options, each with what it means. */
function Choices({ kind, value, options, ...group }: ChoicesProps) {
  if (kind === 'checkboxes') {
    return (
      <Checkbox.Group {...group} value={[...(value as readonly string[])]}>
        <Stack gap={8} mt={6}>
          {options.map((option) => (
            <Checkbox key={option.value} {...option} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  }
  return (
    <Radio.Group {...group} value={value as string}>
      <div className={styles.choices}>
        {options.map((option) => (
          <Radio key={option.value} {...option} className={styles.choice} />
        ))}
      </div>
    </Radio.Group>
  );
}

const MAX_CHOICES = 10;
/** The audit log records each search, so a search waits for a pause in typing. */
export const TYPING_PAUSE_MS = 400;

const labelOf = ({ uid, email }: User): string => `${uid} · ${email}`;

interface UserPickerProps {
  readonly label: string;
  readonly user: User | null;
  readonly error: string | undefined;
  readonly onUser: (user: User | null) => void;
}

/** Finds a user by the user ID or a part of the email address. */
function UserPicker({ label, user, error, onUser }: UserPickerProps) {
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
