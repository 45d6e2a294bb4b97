// Fields for the codes that prove identity: from the authenticator, and from an email that the
// field can request.
import { Anchor, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Rejection } from '../api/rejection.ts';
import { common as t } from '../messages/common.ts';
import { isSandbox } from '../session/session.ts';
import { useAction } from './action.ts';
import styles from './code-fields.module.css';
import { RejectionNote } from './layout.tsx';
import { PlainButton, TextButton } from './texts.tsx';

/** The server sends one code a minute (docs/rest.md, user center). */
const NEXT_CODE_SECONDS = 60;

/** A wall clock that was set back makes the button wait no longer than after a new code. */
const secondsToNextCode = (sentAt: number, now: number): number =>
  Math.min(NEXT_CODE_SECONDS, NEXT_CODE_SECONDS - (now - sentAt) / 1000);

/** Authenticators and emails show codes with spaces. Dashes belong to recovery codes. */
const withoutGaps = (text: string): string => text.replace(/\s/g, '');

export interface TotpFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A recovery code is accepted as well. */
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
  // Two fields, because phones show a digit keyboard for one and letters for the other.
  const [isRecovery, setRecovery] = useState(false);
  const switchTo = (next: boolean) => {
    setRecovery(next);
    onChange('');
  };
  return (
    <div>
      <TextInput
        // The key makes it another input, which gets the focus after the switch.
        key={isRecovery ? 'recovery' : 'totp'}
        label={isRecovery ? t.codes.recovery : t.codes.totp}
        description={isRecovery ? t.codes.recoveryHelp : (description ?? t.codes.totpHelp)}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        classNames={{ input: 'figures' }}
        value={value}
        onChange={(event) => onChange(withoutGaps(event.currentTarget.value))}
        autoFocus={autoFocus || isRecovery}
        // Dialogs focus the element with this attribute.
        data-autofocus={autoFocus || undefined}
        required
      />
      {recovery ? (
        <TextButton size="xs" mt={6} onClick={() => switchTo(!isRecovery)}>
          {isRecovery ? t.codes.useTotp : t.codes.useRecovery}
        </TextButton>
      ) : null}
    </div>
  );
}

export interface EmailCodeFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Requests a code; null if that takes another step. */
  readonly send: (() => Promise<unknown>) | null;
  /** The wall clock of the code that was already sent, ms, so that the button waits first. */
  readonly sentAt?: number | undefined;
  /** The long code of a password reset. */
  readonly isLong?: boolean;
  readonly description?: string;
  readonly autoFocus?: boolean;
}

export function EmailCodeField(props: EmailCodeFieldProps) {
  const { value, onChange, send, sentAt, isLong = false, autoFocus = false } = props;
  const isSent = sentAt !== undefined;
  const countdown = useCountdown(isSent ? secondsToNextCode(sentAt, Date.now()) : 0);
  const sending = useAction(
    async () => {
      try {
        await send?.();
        countdown.start(NEXT_CODE_SECONDS);
      } catch (error) {
        if (error instanceof Rejection) countdown.start((error.retryAfterMs ?? 0) / 1000);
        throw error;
      }
      return true;
    },
    { done: t.codes.sent },
  );
  return (
    <div>
      <div className={styles.row}>
        <TextInput
          className={styles.code}
          label={t.codes.email}
          description={props.description ?? (isLong ? t.codes.longHelp : t.codes.shortHelp)}
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
          <PlainButton
            className={styles.send}
            onClick={() => sending.run()}
            loading={sending.pending}
            disabled={countdown.left > 0}
          >
            {countdown.left > 0
              ? t.codes.sendAgainIn(countdown.left)
              : isSent
                ? t.codes.sendAgain
                : t.codes.send}
          </PlainButton>
        )}
      </div>
      {sending.error === null ? null : (
        <div className={styles.below}>
          <RejectionNote error={sending.error} />
        </div>
      )}
      <SandboxHint />
    </div>
  );
}

/** Says where the emails of a sandbox are. */
function SandboxHint() {
  if (!isSandbox) return null;
  return (
    <Text size="xs" className={`dim ${styles.below}`}>
      {t.codes.sandboxOutbox}{' '}
      <Anchor href="/operator" target="_blank" rel="noopener" size="xs" underline="always">
        {t.codes.operatorConsole}
      </Anchor>
    </Text>
  );
}

interface Countdown {
  /** Whole seconds; 0 at the end. */
  readonly left: number;
  readonly start: (seconds: number) => void;
}

/** The seconds until a code can be sent again. */
export function useCountdown(initial = 0): Countdown {
  // The state is the end, not the rest, because the timers of a background tab are late.
  const [end, setEnd] = useState(() => performance.now() + initial * 1000);
  const [now, setNow] = useState(() => performance.now());
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = (seconds: number) => {
    setNow(performance.now());
    setEnd(performance.now() + seconds * 1000);
  };
  return { left, start };
}
