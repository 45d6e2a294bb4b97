// The first step of a registration or reset: the email address to which the server sends a code.
import { Button, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { Rejection } from '../api/rejection.ts';
import { useAction } from '../components/action.ts';
import { useCountdown } from '../components/code-fields.tsx';
import { RejectionNote } from '../components/layout.tsx';
import { TextButton } from '../components/texts.tsx';
import { account as t } from '../messages/account.ts';
import { looksLikeEmail } from './address.ts';
import type { Begun } from './begun.ts';
import { Entry } from './entry.tsx';

/** The fault of an address, for `validateInputOnBlur`: it is incomplete while the user types it. */
export const emailFault = (typed: string): string | null =>
  typed === '' || looksLikeEmail(typed.trim()) ? null : t.emailInvalid;

/** Sends the code, or says how long this address must wait; each address has its own limit. */
export function useSendCode(
  address: string,
  begin: (address: string) => Promise<void>,
  onDone: () => void,
) {
  const countdown = useCountdown();
  const [waiting, setWaiting] = useState<string | null>(null);
  const sending = useAction(
    async () => {
      try {
        await begin(address);
      } catch (error) {
        if (error instanceof Rejection) {
          setWaiting(address);
          countdown.start((error.retryAfterMs ?? 0) / 1000);
        }
        throw error;
      }
    },
    { onDone },
  );
  return { ...sending, address, secondsLeft: waiting === address ? countdown.left : 0 };
}

export interface EmailStepProps {
  readonly title: string;
  readonly lead: string;
  /** The address field's props from its form. */
  readonly email: GetInputPropsReturnType;
  readonly sending: ReturnType<typeof useSendCode>;
  readonly error: unknown;
  /** True if the other fields are complete. */
  readonly isReady?: boolean;
  /** A code that was sent earlier; `onBegun` leads to its field. */
  readonly begun: Begun | null;
  readonly onBegun: () => void;
  readonly fields?: ReactNode;
  readonly footer: ReactNode;
}

export function EmailStep(props: EmailStepProps) {
  const { title, lead, email, sending, error, isReady = true, begun, onBegun } = props;
  const { address, secondsLeft } = sending;
  return (
    <Entry title={title} lead={lead} onSubmit={() => sending.run()}>
      <TextInput
        label={t.email}
        type="email"
        autoComplete="username"
        {...email}
        required
        autoFocus
      />
      {props.fields}
      <RejectionNote error={error} />
      <Button
        type="submit"
        loading={sending.pending}
        disabled={!looksLikeEmail(address) || !isReady || secondsLeft > 0}
      >
        {secondsLeft > 0 ? t.tryAgainIn(secondsLeft) : t.continue}
      </Button>
      {begun === null ? null : (
        <TextButton onClick={onBegun} className="breakable">
          {t.enterSentCode(begun.email)}
        </TextButton>
      )}
      {props.footer}
    </Entry>
  );
}
