// The codes that a sensitive action needs: from the authenticator if one is active, and from an
// email if the server asks for it.
import { useState } from 'react';
import { userCenter } from '../api/clients.ts';
import { Code, hasCode } from '../api/rejection.ts';
import { common as t } from '../messages/common.ts';
import { useSession } from '../session/session.ts';
import { EmailCodeField, type EmailCodeFieldProps, TotpField } from './code-fields.tsx';

/**
 * The codes of a sensitive call, which needs at least the code of an authenticator. A code that the
 * user has not typed is absent, and the rejection then says which code is needed.
 */
interface Proof {
  readonly googleAuthCode: string;
  readonly emailAuthCode?: string;
}

/** Operations that the server emails a code for. */
export const EmailCodeFor = { newApiKey: 7, other: 6 } as const;

export interface ProofCodes {
  /** The fields for the body of the call. */
  readonly body: Proof;
  /** Every code that is certainly needed is there. */
  readonly isComplete: boolean;
  /** Empties the fields after an action, because each code works once. */
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
    } as Proof,
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
  /** The error of the action; it says whether more codes are needed. */
  readonly error: unknown;
  /** A recovery code is accepted as well. */
  readonly recovery?: boolean;
  /** The authenticator field gets the focus first. */
  readonly autoFocus?: boolean;
  /** How the code is emailed, unless by a call of its own. */
  readonly emailCode?: Pick<EmailCodeFieldProps, 'send' | 'sentAt' | 'description'>;
}

const SENT_BY_CALL = {
  send: () => userCenter.sendEmailCode({ operationType: EmailCodeFor.other }),
  description: t.codes.emailNeeded,
};

export function ProofFields(props: ProofFieldsProps) {
  const { proof, error, recovery = true, autoFocus = false, emailCode = SENT_BY_CALL } = props;
  const { needsTotp, totp, setTotp, mailed, setMailed } = proof.fields;
  // A field that was asked for stays, also while the user replaces a wrong code.
  const [asksTotp, setAsksTotp] = useState(false);
  const [asksMail, setAsksMail] = useState(false);
  if (!asksTotp && hasCode(error, Code.totpNeeded)) setAsksTotp(true);
  if (!asksMail && hasCode(error, Code.emailCodeNeeded)) setAsksMail(true);
  return (
    <>
      {needsTotp || asksTotp ? (
        <TotpField value={totp} onChange={setTotp} recovery={recovery} autoFocus={autoFocus} />
      ) : null}
      {asksMail ? (
        <EmailCodeField {...emailCode} value={mailed} onChange={setMailed} autoFocus />
      ) : null}
    </>
  );
}

/** The error, unless it only asks for a code that the user has not seen a field for. */
export function unlessQuestion(error: unknown, { fields }: ProofCodes): unknown {
  if (hasCode(error, Code.totpNeeded) && fields.totp === '') return null;
  if (hasCode(error, Code.emailCodeNeeded) && fields.mailed === '') return null;
  return error;
}
