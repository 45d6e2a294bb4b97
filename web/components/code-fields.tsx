// Fields for the codes that prove who somebody is: of the authenticator, and from an e-mail, which can be sent for here.
import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Refused } from '../api/refusal.ts';
import { isSandbox } from '../session/session.ts';
import { useAction } from './action.ts';
import styles from './code-fields.module.css';
import { useCountdown } from './countdown.ts';
import { RefusalNote } from './states.tsx';

/** One code a minute, as the server has it (docs/rest.md, user centre). */
const NEXT_CODE_SECONDS = 60;

/** Authenticators and mails show codes with gaps; dashes belong to recovery codes. */
const withoutGaps = (text: string): string => text.replace(/\s/g, '');

const TOTP = 'The six digits that your authenticator shows now. Each code works once.';
const RECOVERY = 'One of those that you kept when you set up the authenticator. Each works once.';

export interface TotpFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether a recovery code does it as well. */
  readonly recovery?: boolean;
  readonly description?: string;
  readonly autoFocus?: boolean;
}

export function TotpField({
  value,
  onChange,
  recovery = true,
  description,
  autoFocus = false,
}: TotpFieldProps) {
  // Digits have their own keyboard on telephones, recovery codes have letters: one field at a time.
  const [isRecovery, setRecovery] = useState(false);
  const switchTo = (next: boolean) => {
    setRecovery(next);
    onChange('');
  };
  return (
    <div>
      <TextInput
        // Another field is another input, which has the focus at once after the switch.
        key={isRecovery ? 'recovery' : 'totp'}
        label={isRecovery ? 'Recovery code' : 'Authenticator code'}
        description={isRecovery ? RECOVERY : (description ?? TOTP)}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        classNames={{ input: 'figures' }}
        value={value}
        onChange={(event) => onChange(withoutGaps(event.currentTarget.value))}
        autoFocus={autoFocus || isRecovery}
        // Dialogs put the focus themselves, and ask here where.
        data-autofocus={autoFocus || undefined}
        required
      />
      {recovery ? (
        <Anchor
          component="button"
          type="button"
          size="xs"
          mt={6}
          onClick={() => switchTo(!isRecovery)}
        >
          {isRecovery ? 'Use the authenticator' : 'Use a recovery code'}
        </Anchor>
      ) : null}
    </div>
  );
}

const SHORT_CODE = 'Six digits, valid for ten minutes.';
const LONG_CODE = 'Sixteen letters and digits, valid for ten minutes.';

export interface MailedCodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Has a code sent; called by the button. null where that takes another step. */
  readonly send: (() => Promise<unknown>) | null;
  /** A code was sent by the step before, so that the button waits at first. */
  readonly isSent?: boolean;
  /** Whether it is the long code of a reset. */
  readonly isLong?: boolean;
  readonly description?: string;
  readonly autoFocus?: boolean;
}

export function MailedCodeField(props: MailedCodeFieldProps) {
  const { value, onChange, send, isSent = false, isLong = false, autoFocus = false } = props;
  const countdown = useCountdown(isSent ? NEXT_CODE_SECONDS : 0);
  const sending = useAction(
    async () => {
      try {
        await send?.();
        countdown.start(NEXT_CODE_SECONDS);
      } catch (error) {
        if (error instanceof Refused) countdown.start((error.retryAfterMs ?? 0) / 1000);
        throw error;
      }
      return true;
    },
    { done: 'A code was sent by e-mail' },
  );
  return (
    <div>
      <div className={styles.row}>
        <TextInput
          className={styles.code}
          label="Code from the e-mail"
          description={props.description ?? (isLong ? LONG_CODE : SHORT_CODE)}
          inputMode={isLong ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize={isLong ? 'characters' : 'none'}
          spellCheck={false}
          maxLength={32}
          classNames={{ input: 'figures' }}
          value={value}
          onChange={(event) => onChange(withoutGaps(event.currentTarget.value))}
          autoFocus={autoFocus}
          required
        />
        {send === null ? null : (
          <Button
            variant="default"
            className={styles.send}
            onClick={() => sending.run()}
            loading={sending.pending}
            disabled={countdown.left > 0}
          >
            {countdown.left > 0
              ? `Again in ${countdown.left} s`
              : isSent
                ? 'Send again'
                : 'Send code'}
          </Button>
        )}
      </div>
      {sending.error === null ? null : (
        <div className={styles.below}>
          <RefusalNote error={sending.error} />
        </div>
      )}
      <SandboxMailHint />
    </div>
  );
}

/** A sandbox sends no mails. */
function SandboxMailHint() {
  if (!isSandbox) return null;
  return (
    <Text size="xs" className={`dim ${styles.below}`}>
      Mails of this sandbox are kept: in <code>outbox</code> of its data directory, and in the
      outbox of the{' '}
      <Anchor href="/operator" target="_blank" rel="noopener" size="xs" underline="always">
        operator console
      </Anchor>
      .
    </Text>
  );
}
