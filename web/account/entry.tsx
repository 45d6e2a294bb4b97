// The frame around login, registration and password reset: the card with the form, and the exchange
// beside it.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../components/layout.tsx';
import { Footer } from '../home/footer.tsx';
import styles from './entry.module.css';
import { Venue } from './venue.tsx';

export interface EntryProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly onSubmit?: () => void;
  readonly children: ReactNode;
}

export function Entry({ title, lead, onSubmit = () => {}, children }: EntryProps) {
  return (
    <EntryFrame>
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
    </EntryFrame>
  );
}

const EntryFrame = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.page}>
    <div className={styles.frame}>
      {children}
      <Venue />
    </div>
    <Footer />
  </div>
);

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
