// Password reset: the email address, then the emailed code, the new password, and the authenticator
// code if the server asks for it. The page never reveals whether an address has an account.
import { Button, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { EmailCodeField } from '../components/code-fields.tsx';
import { RejectionNote } from '../components/layout.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { Dim, LinkButton, TextButton, TextLink } from '../components/texts.tsx';
import { account as t } from '../messages/account.ts';
import { withSearch } from './address.ts';
import { type Begun, begunIn } from './begun.ts';
import { EmailStep, emailFault, useSendCode } from './email-step.tsx';
import { AroundEmail, Entry } from './entry.tsx';
import { NewPassword, usePasswordRejection } from './new-password.tsx';
import { lengthFault } from './password-length.ts';

const reset = begunIn('agio.reset');

const begin = async (email: string): Promise<void> =>
  reset.keep({
    email,
    ticket: (await userCenter.resetPassword({ email })).ticket,
    sentAt: Date.now(),
  });

export default function ResetPage() {
  const begun = reset.use();
  const form = useForm({
    initialValues: { email: begun?.email ?? '' },
    validate: { email: emailFault },
    validateInputOnBlur: true,
  });
  const [isBack, setBack] = useState(false);
  const [isDone, setDone] = useState(false);
  if (isDone) return <Done />;
  if (begun === null || isBack) {
    return <Begin form={form} begun={begun} onBegun={() => setBack(false)} />;
  }
  const finish = () => {
    setDone(true);
    reset.keep(null);
  };
  return <Choose begun={begun} onDone={finish} onBack={() => setBack(true)} />;
}

interface BeginProps {
  readonly form: UseFormReturnType<{ email: string }>;
  /** A code that was sent earlier. */
  readonly begun: Begun | null;
  readonly onBegun: () => void;
}

function Begin({ form, begun, onBegun }: BeginProps) {
  const search = useSearch();
  const sending = useSendCode(form.values.email.trim(), begin, onBegun);
  return (
    <EmailStep
      title={t.resetPassword}
      lead={t.resetLead}
      email={form.getInputProps('email')}
      sending={sending}
      error={sending.error}
      begun={begun}
      onBegun={onBegun}
      footer={<TextLink href={withSearch('/login', search)}>{t.backToLogin}</TextLink>}
    />
  );
}

interface ChooseProps {
  readonly begun: Begun;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

function Choose({ begun, onDone, onBack }: ChooseProps) {
  const { email, ticket } = begun;
  const { values, setFieldValue } = useForm({
    initialValues: { emailAuthCode: '', newPassword: '' },
  });
  const proof = useProof();
  const confirm = useAction(
    () => userCenter.confirmPasswordReset({ email, ticket, ...proof.body, ...values }),
    { onDone },
  );
  const { newPassword } = values;
  const { rejected, error } = usePasswordRejection(confirm.error, 'newPassword', newPassword);
  return (
    <Entry
      title={t.resetPassword}
      lead={<AroundEmail text={t.resetCodeSent} email={email} />}
      onSubmit={() => confirm.run()}
    >
      <EmailCodeField
        value={values.emailAuthCode}
        onChange={(value) => setFieldValue('emailAuthCode', value)}
        send={() => begin(email)}
        sentAt={begun.sentAt}
        isLong
        autoFocus
      />
      <NewPassword
        label={t.newPassword}
        value={newPassword}
        onChange={(value) => setFieldValue('newPassword', value)}
        rejected={rejected}
      />
      <ProofFields proof={proof} error={confirm.error} autoFocus />
      <RejectionNote error={unlessQuestion(error, proof)} />
      <Dim>{t.resetEffect}</Dim>
      <Button
        type="submit"
        loading={confirm.pending}
        disabled={values.emailAuthCode === '' || lengthFault(newPassword) !== null}
      >
        {t.changePassword}
      </Button>
      <TextButton onClick={onBack}>{t.useAnotherAddress}</TextButton>
    </Entry>
  );
}

function Done() {
  const search = useSearch();
  return (
    <Entry title={t.passwordChanged}>
      <Text size="sm">{t.passwordChangedLead}</Text>
      <LinkButton href={withSearch('/login', search)}>{t.logIn}</LinkButton>
    </Entry>
  );
}
