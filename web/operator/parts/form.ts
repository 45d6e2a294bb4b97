// A form in the hands of somebody: what is in its fields, and whether sending was tried, after which all faults are shown.
import type { TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { type Checked, percentOf } from './check.ts';

export interface Form<S> {
  readonly values: S;
  readonly set: <K extends keyof S>(field: K, value: S[K]) => void;
  readonly change: (values: Partial<S>) => void;
  readonly reset: (values?: S) => void;
  readonly tried: boolean;
  /** Shows all faults from now on. */
  readonly tryIt: () => void;
}

export function useForm<S extends object>(initial: S): Form<S> {
  const [values, setValues] = useState(initial);
  const [tried, setTried] = useState(false);
  return {
    values,
    set: (field, value) => setValues((now) => ({ ...now, [field]: value })),
    change: (some) => setValues((now) => ({ ...now, ...some })),
    reset: (to = initial) => {
      setValues(to);
      setTried(false);
    },
    tried,
    tryIt: () => setTried(true),
  };
}

/** What a field is for stands below it, so that fields beside each other stand in a line. */
export const FIELD = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
  labelProps: { mb: 4 },
} satisfies Pick<TextInputProps, 'inputWrapperOrder' | 'labelProps'>;

/** Properties of a text field: its value, and its fault once there is something to judge. */
export function fieldOf<S extends object, K extends keyof S & string, F extends string>(
  form: Form<S>,
  field: K & F,
  checked: Checked<unknown, F>,
) {
  const value = form.values[field] as string;
  const fault = checked.ok ? undefined : checked.faults[field];
  return {
    ...FIELD,
    value,
    error: fault !== undefined && (form.tried || value !== '') ? fault : undefined,
    onChange: (typed: string) => form.set(field, typed as S[K]),
  };
}

/** The same for a plain TextInput or Textarea, which tell of a change by an event. */
export function textFieldOf<S extends object, K extends keyof S & string, F extends string>(
  form: Form<S>,
  field: K & F,
  checked: Checked<unknown, F>,
) {
  const { onChange, ...rest } = fieldOf(form, field, checked);
  return {
    ...rest,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
}

/** Takes the nearest value that a refusal offers into its field; `percents` are the fields that are typed in percent. */
export function nearestInto<S extends object>(form: Form<S>, percents: readonly string[] = []) {
  return (nearest: string, field = ''): void => {
    if (!Object.hasOwn(form.values, field)) return;
    const value = percents.includes(field) ? percentOf(nearest) : nearest;
    form.set(field as keyof S, value as S[keyof S]);
  };
}
