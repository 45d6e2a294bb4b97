// One mechanism for the console's forms: a description of fields, a parser from values to a request
// body, and the frame that shows faults, the server's refusal, a preview, and a question if asked.
import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Fragment, isValidElement, type ReactElement, type ReactNode, useState } from 'react';
import type { Action } from '../../components/action.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { forms as text } from '../../messages/operator-forms.ts';
import { Confirm, type Question } from './confirm.tsx';
import { type FormResult, percentOf } from './parse.ts';
import styles from './parts.module.css';

/** The values of a form, what they come to, and whether an edit changes anything. */
export interface RequestForm<V, B> {
  readonly form: UseFormReturnType<V>;
  readonly values: V;
  readonly result: FormResult<B>;
  /** Whether there is something to send; of an edit, whether the body has a field. */
  readonly isChanged: boolean;
}

export function useRequestForm<V extends object, B extends object>(
  initialValues: V,
  parse: (values: V) => FormResult<B>,
): RequestForm<V, B> {
  const form = useForm<V>({
    initialValues,
    validate: (values) => {
      const result = parse(values);
      return result.ok ? {} : result.faults;
    },
  });
  const result = parse(form.values);
  const isChanged = !result.ok || Object.keys(result.body).length > 0;
  return { form, values: form.values, result, isChanged };
}

/** The fault of a field, once it has a value or the operator tried to send the form. */
export function faultOf<V extends object, B>({ form, result }: RequestForm<V, B>, name: string) {
  if (result.ok) return undefined;
  const value = (form.values as Readonly<Record<string, unknown>>)[name] ?? '';
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty && form.errors[name] === undefined ? undefined : result.faults[name];
}

/** The description stands below the input, so that inputs beside each other line up. */
export const FIELD = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
  labelProps: { mb: 4 },
} satisfies Pick<TextInputProps, 'inputWrapperOrder' | 'labelProps'>;

interface Described<V> {
  readonly name: keyof V & string;
  readonly label: string;
  readonly description?: string;
}

interface Typed<V> extends Described<V> {
  readonly kind: 'text' | 'email' | 'date' | 'password' | 'lines';
  readonly autoFocus?: boolean;
}

interface Figure<V> extends Described<V> {
  readonly kind: 'decimal' | 'integer' | 'percent';
  readonly unit?: string | undefined;
  readonly placeholder?: string;
}

interface Choice<V> extends Described<V> {
  readonly kind: 'select';
  readonly options: readonly (string | { readonly value: string; readonly label: string })[];
}

interface Tick<V> extends Described<V> {
  readonly kind: 'checkbox';
}

export type Field<V> = Typed<V> | Figure<V> | Choice<V> | Tick<V>;

/** Fields from top to bottom; an array puts them side by side; an element shows as it is. */
export type Layout<V> = readonly (Field<V> | readonly Part<V>[] | ReactElement | null)[];
type Part<V> = Field<V> | ReactElement | null;

const isPart = <V,>(entry: Layout<V>[number]): entry is Part<V> => !Array.isArray(entry);

/** The fields of a layout, without its elements. */
function fieldsIn<V>(layout: Layout<V>): Field<V>[] {
  return layout
    .flatMap((entry) => (isPart(entry) ? [entry] : [...entry]))
    .filter((part): part is Field<V> => part !== null && !isValidElement(part));
}

/** Names of the fields that hold a percentage; requests carry rates. */
const percentsIn = <V,>(layout: Layout<V>): string[] =>
  fieldsIn(layout)
    .filter(({ kind }) => kind === 'percent')
    .map(({ name }) => name);

interface FieldsProps<V, B> {
  readonly request: RequestForm<V, B>;
  readonly layout: Layout<V>;
}

function Fields<V extends object, B>({ request, layout }: FieldsProps<V, B>) {
  const show = (part: Part<V>, index: number) =>
    part === null || isValidElement(part) ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <Input key={part.name} request={request} field={part} />
    );
  return layout.map((entry, index) =>
    isPart(entry) ? (
      show(entry, index)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a layout keep their places
      <div key={index} className={styles.fields}>
        {entry.map(show)}
      </div>
    ),
  );
}

interface InputProps<V, B> {
  readonly request: RequestForm<V, B>;
  readonly field: Field<V>;
}

function Input<V extends object, B>({ request, field }: InputProps<V, B>) {
  const { form } = request;
  const { name, label, description } = field;
  const value = form.values[name];
  const set = (next: unknown) => form.setFieldValue(name, next as never);
  const shared = { label, description, error: faultOf(request, name) };
  const onChange = (event: { readonly currentTarget: { readonly value: string } }) =>
    set(event.currentTarget.value);
  const typed = { ...FIELD, ...shared, value: value as string, onChange };
  switch (field.kind) {
    case 'checkbox':
      return (
        <Checkbox
          {...shared}
          className={styles.whole}
          checked={value as boolean}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case 'select':
      return <NativeSelect {...typed} data={[...field.options]} />;
    case 'password':
      return <PasswordInput {...typed} autoComplete="new-password" />;
    case 'lines':
      return <Textarea {...typed} autosize minRows={2} maxRows={6} />;
    case 'decimal':
    case 'integer':
    case 'percent':
      return (
        <DecimalInput
          {...typed}
          onChange={set}
          unit={field.kind === 'percent' ? '%' : field.unit}
          placeholder={field.placeholder}
          whole={field.kind === 'integer'}
        />
      );
    default:
      return (
        <TextInput
          {...typed}
          type={field.kind}
          autoComplete="off"
          data-autofocus={field.autoFocus}
        />
      );
  }
}

export interface RequestFormProps<V, B> {
  readonly request: RequestForm<V, B>;
  readonly layout: Layout<V>;
  readonly action: Action<[B], unknown>;
  readonly submit: string;
  /** Stands beside the submit button of an edit: it can be undone, and needs a change. */
  readonly isEdit?: boolean;
  /** A question before the request is sent. */
  readonly question?: (body: B) => Question;
  /** Shown above the buttons. */
  readonly children?: ReactNode;
}

/** The fields of a request, the server's refusal, and the buttons. */
export function RequestFields<V extends object, B extends object>(props: RequestFormProps<V, B>) {
  const { request, layout, action, submit, isEdit = false, question, children } = props;
  const { form, result, isChanged } = request;
  const [isAsking, setAsking] = useState(false);
  const percents = percentsIn(layout);
  const useNearest = (nearest: string, field = '') => {
    if (!Object.hasOwn(form.values, field)) return;
    const value = percents.includes(field) ? percentOf(nearest) : nearest;
    form.setFieldValue(field, value as never);
  };
  const send = () => {
    if (!result.ok) return;
    action.clear();
    if (question === undefined) action.run(result.body);
    else setAsking(true);
  };
  const confirm = async () => {
    if (result.ok && (await action.run(result.body)) !== undefined) setAsking(false);
  };
  return (
    <form noValidate onSubmit={form.onSubmit(send)}>
      <Stack gap="md">
        <Fields request={request} layout={layout} />
        <RefusalNote
          error={isAsking ? null : action.error}
          onUse={useNearest}
          percents={percents}
        />
        {children}
        <Group gap="xs">
          <Button type="submit" loading={action.pending} disabled={isEdit && !isChanged}>
            {submit}
          </Button>
          {isEdit && isChanged ? (
            <Button variant="subtle" onClick={() => form.reset()}>
              {text.undo}
            </Button>
          ) : null}
        </Group>
      </Stack>
      {question !== undefined && isAsking && result.ok ? (
        <Confirm
          question={question(result.body)}
          pending={action.pending}
          error={action.error}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </form>
  );
}

interface PreviewSpec<B> {
  readonly method: 'POST' | 'PATCH';
  /** Below /operator/v1. */
  readonly path: string;
  /** The effect of the request, in sentences. */
  readonly sentences: (body: B) => readonly ReactNode[];
}

export interface RequestPanelProps<V, B> extends RequestFormProps<V, B> {
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly preview: PreviewSpec<B>;
}

/** A form with its preview beside it. The preview of an edit appears with the first change. */
export function RequestPanel<V extends object, B extends object>(props: RequestPanelProps<V, B>) {
  const { title, lead, preview, ...form } = props;
  const { request, isEdit = false } = form;
  const hasPreview = !isEdit || request.isChanged;
  return (
    <div className={hasPreview ? styles.split : undefined}>
      <Panel title={title}>
        {lead === undefined ? null : (
          <Text size="sm" className="dim" mb="md">
            {lead}
          </Text>
        )}
        <RequestFields {...form} />
      </Panel>
      {hasPreview ? <Preview preview={preview} result={request.result} /> : null}
    </div>
  );
}

interface PreviewProps<B> {
  readonly preview: PreviewSpec<B>;
  readonly result: FormResult<B>;
}

/** The effect of the request, and the request itself, so that a script can send the same. */
function Preview<B extends object>({ preview, result }: PreviewProps<B>) {
  const { method, path, sentences } = preview;
  return (
    <aside className={styles.aside} aria-label={text.preview}>
      <Panel title={text.preview}>
        {result.ok ? (
          <ul className={styles.sentences}>
            {sentences(result.body).map((sentence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the sentences keep their places
              <li key={index} className="breakable">
                {sentence}
              </li>
            ))}
          </ul>
        ) : (
          <Text size="sm" className="dim">
            {text.previewEmpty}
          </Text>
        )}
      </Panel>
      {result.ok ? (
        <Panel title={text.request}>
          <Text size="xs" className="dim" mb={8}>
            {text.requestNote}
          </Text>
          <CopyText block label="request" value={requestText(method, path, result.body)} />
        </Panel>
      ) : null}
    </aside>
  );
}

/** The request as text, without a typed password. */
function requestText(method: string, path: string, body: object): string {
  const shown = 'password' in body ? { ...body, password: text.password } : body;
  return `${method} /operator/v1${path}\n${JSON.stringify(shown, null, 2)}`;
}

/** Fields of an edit with their names and formats; yields a line for each that changes. */
export type ChangeList<T> = readonly {
  readonly [K in keyof T]: {
    readonly field: K;
    readonly name: string;
    readonly write: (value: T[K]) => string;
  };
}[keyof T][];

/** One line for each changed term, from the current value to the next. */
export function changeLines<T extends object>(
  body: Partial<T>,
  now: T,
  changes: ChangeList<T>,
): string[] {
  const lines = changes.flatMap(({ field, name, write }) => {
    const next = body[field];
    const format = write as (value: unknown) => string;
    return next === undefined ? [] : [text.change(name, format(now[field]), format(next))];
  });
  return lines.length === 0 ? [text.unchanged] : lines;
}
