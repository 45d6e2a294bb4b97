// The console's forms: they read described fields into a request, and show faults, the server's
// rejection, a preview, and a question before the request is sent.
import { Button, Group, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useRef } from 'react';
import { Rejection, sentenceOf } from '../../api/rejection.ts';
import { type Action, type ActionOptions, useAction } from '../../components/action.ts';
import { type Question, useConfirm } from '../../components/confirm.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Panel, RejectionNote } from '../../components/layout.tsx';
import { Dim, Fine } from '../../components/texts.tsx';
import { forms as text } from '../../messages/operator-forms.ts';
import { FieldInput } from './field-input.tsx';
import {
  changeLines,
  changesIn,
  type Field,
  type FormResult,
  fieldsIn,
  isEmpty,
  type Layout,
  parseFields,
  typedValue,
  typedValues,
  withoutEmpty,
} from './fields.ts';
import styles from './parts.module.css';

/** `V`: the values of the fields; `R`: what the fields carry; `B`: the body of the request. */
export interface FormFields<V, R, B> {
  readonly initial: V;
  readonly layout: (values: V) => Layout<V>;
  /** Makes the body from the fields; without it, they are the body. */
  readonly finish?: (fields: R) => B;
}

/** A form with the call that sends its request. `S`: what is sent of the body; `A`: the answer. */
interface FormSpec<V, R, B, A, S = B>
  extends FormFields<V, R, B>,
    Omit<ActionOptions<A>, 'onDone'> {
  readonly send: (body: S) => Promise<A>;
  readonly onDone?: (answer: A, form: UseFormReturnType<V>) => void;
}

/** A form: its fields, the request that they amount to, and the action that sends it. */
export interface RequestForm<V, B> {
  readonly form: UseFormReturnType<V>;
  readonly layout: Layout<V>;
  readonly result: FormResult<B>;
  /** The changes of an edit, one line each; null for a form that is no edit. */
  readonly changes: readonly string[] | null;
  readonly action: Action<[B], unknown>;
}

function useRequest<V extends object, R extends object, B extends object, A, S>(
  { initial, layout: layoutOf, finish, send, onDone, ...outcome }: FormSpec<V, R, B, A, S>,
  bodyOf: (fields: R, complete: (fields: R) => B) => S,
): RequestForm<V, S> {
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) => {
      const result = parseFields(layoutOf(values), values);
      return result.ok ? {} : result.faults;
    },
  });
  const layout = layoutOf(form.values);
  const parsed = parseFields<V, R>(layout, form.values);
  const complete = (fields: R) => finish?.(fields) ?? (fields as object as B);
  const result = parsed.ok ? ({ ok: true, body: bodyOf(parsed.body, complete) } as const) : parsed;
  const action = useAction(send, { ...outcome, onDone: (answer) => onDone?.(answer, form) });
  return { form, layout, result, changes: null, action };
}

/** A form for something new. The request leaves out what is empty. */
export const useCreateForm = <V extends object, B extends object, A, R extends object = B>(
  spec: FormSpec<V, R, B, A>,
): RequestForm<V, B> => useRequest(spec, (fields, complete) => complete(withoutEmpty(fields)));

/** A form for the terms of a record. The request has only the terms that differ. */
export function useEditForm<V extends object, B extends object, A, R extends object = B>(
  record: object,
  spec: FormSpec<V, R, B, A, Partial<B>>,
): RequestForm<V, Partial<B>> {
  const initial = { ...spec.initial, ...typedValues(spec.layout(spec.initial), record) };
  const request = useRequest({ ...spec, initial }, (fields, complete) =>
    changesIn(complete(fields), record),
  );
  const { layout, result } = request;
  return { ...request, changes: result.ok ? changeLines(layout, result.body, record) : [] };
}

/** True if there is something to send; a body of an edit may be empty. */
const isChanged = <V, B>({ result }: RequestForm<V, B>): boolean =>
  !result.ok || Object.keys(result.body as object).length > 0;

/** The kind of the field gives the type of its value, which the types of the form do not know. */
const setField = <V,>(form: UseFormReturnType<V>, { name }: Field<V>, value: unknown): void =>
  form.setFieldValue(name, value as never);

const percentsOf = <V,>(layout: Layout<V>): readonly string[] =>
  fieldsIn(layout).flatMap(({ kind, name }) => (kind === 'percent' ? [name] : []));

interface FieldsProps<V, B> {
  readonly request: RequestForm<V, B>;
  /** The server's rejection; its sentence also stands below its field. */
  readonly rejection?: unknown;
}

/** The fields of a request alone, for a dialog that has its own buttons. */
export function Fields<V extends object, B>({
  request: { form, layout, result },
  rejection,
}: FieldsProps<V, B>) {
  const percents = percentsOf(layout);
  const rejected = rejection instanceof Rejection ? rejection.details.field : undefined;
  /** A fault shows once the field has a value or the operator tried to send the form. */
  const faultOf = ({ name }: Field<V>): string | undefined =>
    result.ok || (isEmpty(form.values[name]) && form.errors[name] === undefined)
      ? undefined
      : result.faults[name];
  const show = (field: Field<V>) => (
    <FieldInput
      key={field.name}
      field={field}
      value={form.values[field.name]}
      error={
        faultOf(field) ?? (rejected === field.name ? sentenceOf(rejection, percents) : undefined)
      }
      onChange={(value) => {
        setField(form, field, value);
        if (field.resets !== undefined) form.setValues(field.resets);
      }}
    />
  );
  return layout.map((entry) =>
    'kind' in entry ? (
      show(entry)
    ) : (
      <div key={entry[0]?.name} className={styles.fields}>
        {entry.map(show)}
      </div>
    ),
  );
}

export interface RequestFormProps<V, B> {
  readonly request: RequestForm<V, B>;
  readonly submit: string;
  /** A question before the request is sent. */
  readonly question?: ((body: B) => Question) | undefined;
  /** Shown above the buttons. */
  readonly children?: ReactNode;
}

/** The fields of a request, the server's rejection, and the buttons. */
export function RequestFields<V extends object, B extends object>(props: RequestFormProps<V, B>) {
  const { request, submit, question, children } = props;
  const { form, layout, result, changes, action } = request;
  const { subject, ask, dialog } = useConfirm(action);
  const isEdit = changes !== null;
  const fields = fieldsIn(layout);
  const immutable = fields.filter(({ isImmutable }) => isImmutable).map(({ label }) => label);
  const useNearest = (nearest: string, name: string | undefined) => {
    const field = fields.find((one) => one.name === name);
    if (field !== undefined) setField(form, field, typedValue(field, nearest));
  };
  const send = () => {
    if (!result.ok) return;
    if (question === undefined) action.run(result.body);
    else ask(result.body);
  };
  // The first fault may be above what the screen shows.
  const ref = useRef<HTMLFormElement>(null);
  const showFault = () =>
    requestAnimationFrame(() =>
      ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );
  return (
    <form ref={ref} noValidate onSubmit={form.onSubmit(send, showFault)}>
      <Stack gap="md">
        <Fields request={request} rejection={subject === null ? action.error : null} />
        {immutable.length === 0 ? null : <Dim>{text.immutable(immutable)}</Dim>}
        <RejectionNote
          error={subject === null ? action.error : null}
          onUse={useNearest}
          percents={percentsOf(layout)}
        />
        {children}
        <Group gap="xs">
          <Button type="submit" loading={action.pending} disabled={isEdit && !isChanged(request)}>
            {submit}
          </Button>
          {isEdit && isChanged(request) ? (
            <Button variant="subtle" onClick={() => form.reset()}>
              {text.undo}
            </Button>
          ) : null}
        </Group>
      </Stack>
      {question === undefined ? null : dialog(question)}
    </form>
  );
}

interface RequestPanelProps<V, B> extends RequestFormProps<V, B> {
  readonly title?: string;
  readonly lead?: ReactNode;
  /** The method and the path below /operator/v1. */
  readonly call: string;
  /** The effect of the request, in sentences. */
  readonly sentences: (body: B) => readonly string[];
}

/** A form with its preview beside it. The preview of an edit appears with the first change. */
export function RequestPanel<V extends object, B extends object>(props: RequestPanelProps<V, B>) {
  const { title, lead, call, sentences, ...form } = props;
  const { request } = form;
  const hasPreview = request.changes === null || isChanged(request);
  return (
    <div className={hasPreview ? styles.split : undefined}>
      <Panel title={title}>
        {lead === undefined ? null : <Dim mb="md">{lead}</Dim>}
        <RequestFields {...form} />
      </Panel>
      {hasPreview ? <Preview call={call} sentences={sentences} result={request.result} /> : null}
    </div>
  );
}

interface PreviewProps<B> {
  readonly call: string;
  readonly sentences: (body: B) => readonly string[];
  readonly result: FormResult<B>;
}

/** The effect of the request, and the request itself, so that a script can send the same. */
function Preview<B extends object>({ call, sentences, result }: PreviewProps<B>) {
  return (
    <aside className={styles.aside} aria-label={text.preview}>
      <Panel title={text.preview}>
        {result.ok ? (
          <ul className={styles.sentences}>
            {sentences(result.body).map((sentence) => (
              <li key={sentence} className="breakable">
                {sentence}
              </li>
            ))}
          </ul>
        ) : (
          <Dim>{text.previewEmpty}</Dim>
        )}
      </Panel>
      {result.ok ? (
        <Panel title={text.request}>
          <Fine mb={8}>{text.requestNote}</Fine>
          <CopyText block label="request" value={requestText(call, result.body)} />
        </Panel>
      ) : null}
    </aside>
  );
}

/** The request as text, without a typed password. */
function requestText(call: string, body: object): string {
  const shown = 'password' in body ? { ...body, password: text.password } : body;
  return `${call.replace(' ', ' /operator/v1')}\n${JSON.stringify(shown, null, 2)}`;
}
