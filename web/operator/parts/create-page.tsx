// A page that creates something: its form with a preview, and then the page of what it created.
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ActionOptions } from '../../components/action.ts';
import { PageFrame } from '../../components/layout.tsx';
import { type FormFields, RequestPanel, useCreateForm } from './request-form.tsx';

export interface CreatePageProps<V, R, B, A> extends Omit<ActionOptions<A>, 'onDone'> {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly form: FormFields<V, R, B>;
  /** Above the fields. */
  readonly note?: ReactNode;
  readonly submit: string;
  readonly send: (body: B) => Promise<A>;
  /** The method and the path below /operator/v1. */
  readonly call: string;
  /** The effect of the request, in sentences. */
  readonly sentences: (body: B) => readonly string[];
  /** The page to show afterwards. */
  readonly next: (created: A) => string;
}

export function CreatePage<V extends object, R extends object, B extends object, A>(
  props: CreatePageProps<V, R, B, A>,
) {
  const { title, lead, form, note, submit, call, sentences, next, ...sending } = props;
  const [, navigate] = useLocation();
  const onDone = (created: A) => navigate(next(created));
  const request = useCreateForm({ ...form, ...sending, onDone });
  return (
    <PageFrame title={title} lead={lead}>
      <RequestPanel
        lead={note}
        request={request}
        submit={submit}
        call={call}
        sentences={sentences}
      />
    </PageFrame>
  );
}
