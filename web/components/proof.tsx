// The codes that a sensitive act asks for: of the authenticator where one is active, and by e-mail where the server wants
// that too.
import { useState } from 'react';
import * as people from '../api/people.ts';
import { Code, hasCode } from '../api/refusal.ts';
import { useSession } from '../session/session.ts';
import { MailedCodeField, TotpField } from './code-fields.tsx';

export interface ProofCodes {
  /** What goes into the body of the call. */
  readonly body: people.Proof;
  /** Whether what is surely asked for is there. */
  readonly isComplete: boolean;
  /** After an act the codes are used up. */
  readonly clear: () => void;
  readonly fields: ProofFieldsState;
}

interface ProofFieldsState {
  readonly needsTotp: boolean;
  readonly totp: string;
  readonly setTotp: (value: string) => void;
  readonly mailed: string;
  readonly setMailed: (value: string) => void;
}

export function useProof(): ProofCodes {
  const { me } = useSession();
  const [totp, setTotp] = useState('');
  const [mailed, setMailed] = useState('');
  const needsTotp = me?.totpActive ?? false;
  return {
    body: {
      ...(totp === '' ? {} : { googleAuthCode: totp }),
      ...(mailed === '' ? {} : { emailAuthCode: mailed }),
    },
    isComplete: !needsTotp || totp !== '',
    clear: () => {
      setTotp('');
      setMailed('');
    },
    fields: { needsTotp, totp, setTotp, mailed, setMailed },
  };
}

export interface ProofFieldsProps {
  readonly proof: ProofCodes;
  /** Of the act: it says where more is asked for. */
  readonly error: unknown;
  /** Whether a recovery code is taken as well. */
  readonly recovery?: boolean;
  /** Whether the code of the authenticator has the focus at first. */
  readonly autoFocus?: boolean;
}

export function ProofFields({
  proof,
  error,
  recovery = true,
  autoFocus = false,
}: ProofFieldsProps) {
  const { needsTotp, totp, setTotp, mailed, setMailed } = proof.fields;
  const asksTotp = needsTotp || totp !== '' || hasCode(error, Code.totpNeeded);
  const asksMail = mailed !== '' || hasCode(error, Code.emailCodeNeeded);
  return (
    <>
      {asksTotp ? (
        <TotpField value={totp} onChange={setTotp} recovery={recovery} autoFocus={autoFocus} />
      ) : null}
      {asksMail ? (
        <MailedCodeField
          value={mailed}
          onChange={setMailed}
          send={() => people.sendEmailCode(6)}
          description="Somebody has been guessing at this account, so a code by e-mail is asked for too."
        />
      ) : null}
    </>
  );
}

/** A code that is asked for the first time is a question, not a mistake. */
export function unlessQuestion(error: unknown, { fields }: ProofCodes): unknown {
  if (hasCode(error, Code.totpNeeded) && fields.totp === '') return null;
  if (hasCode(error, Code.emailCodeNeeded) && fields.mailed === '') return null;
  return error;
}
