// The card around login, registration and password reset.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../components/form.tsx';
import styles from './entry.module.css';

export interface EntryProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly onSubmit?: () => void;
  readonly children: ReactNode;
}

export function Entry({ title, lead, onSubmit = () => {}, children }: EntryProps) {
  return (
    <div className={styles.frame}>
      <Form className={styles.card} onSubmit={onSubmit}>
        <Stack gap="md">
          <div>
            <Title order={1} size={22}>
              {title}
            </Title>
            {lead === undefined ? null : (
              <Text size="sm" className="dim" mt={4} component="div">
                {lead}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Form>
    </div>
  );
}

export interface AroundEmailProps {
  /** The text before and after the address. */
  readonly text: readonly string[];
  readonly email: string;
}

export const AroundEmail = ({ text, email }: AroundEmailProps) => (
  <>
    {text[0]}
    <strong className="breakable">{email}</strong>
    {text[1]}
  </>
);
