// Beside a form: what will be, in sentences, and the request that says so, for who wants to do the same from a script.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from '../../components/copy-text.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Checked } from './check.ts';
import styles from './parts.module.css';

export interface PreviewProps<T> {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly checked: Checked<T, string>;
  /** What the request comes to. */
  readonly sentences: (body: T) => readonly ReactNode[];
}

export function Preview<T extends object>({ method, path, checked, sentences }: PreviewProps<T>) {
  return (
    <aside className={styles.aside} aria-label="Preview">
      <Panel title="What will be">
        {checked.ok ? (
          <ul className={styles.sentences}>
            {sentences(checked.body).map((sentence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the sentences stay in their places
              <li key={index} className="breakable">
                {sentence}
              </li>
            ))}
          </ul>
        ) : (
          <Text size="sm" className="dim">
            Fill in the fields; this says what they come to before anything is sent.
          </Text>
        )}
      </Panel>
      {checked.ok ? (
        <Panel title="The request">
          <Text size="xs" className="dim" mb={8}>
            Amounts go as text, percents as rates: 0.001 is 0.1 %.
          </Text>
          <CopyText block label="request" value={requestText(method, path, checked.body)} />
        </Panel>
      ) : null}
    </aside>
  );
}

const requestText = (method: string, path: string, body: object): string => {
  const { password, ...shown } = body as { readonly password?: string };
  const told = password === undefined ? shown : { ...shown, password: '(as typed)' };
  return `${method} /operator/v1${path}\n${JSON.stringify(told, null, 2)}`;
};
