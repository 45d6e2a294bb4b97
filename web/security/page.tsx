// Security: how the account is protected, its sessions, and its audit log.
import { useLocation, useRoute } from 'wouter';
import { PageFrame } from '../components/page-frame.tsx';
import { Loading } from '../components/states.tsx';
import { useSession } from '../session/session.ts';
import { NotFound } from '../shell/notices.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { AuthenticatorPanel } from './authenticator-panel.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { Checklist } from './checklist-panel.tsx';
import { DisableAuthenticator } from './disable-authenticator.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export default function SecurityPage() {
  const [path] = useLocation();
  const [isHere] = useRoute('/security');
  const { me } = useSession();
  if (me === null) return <Loading rows={6} />;
  if (path === '/security/authenticator') return <AuthenticatorSetup />;
  if (path === '/security/recovery') return <NewRecoveryCodes />;
  if (path === '/security/disable') return <DisableAuthenticator />;
  if (!isHere) return <NotFound />;
  return (
    <PageFrame title="Security" width="narrow">
      <Checklist me={me} />
      <AuthenticatorPanel me={me} />
      <PasswordPanel me={me} />
      <SessionsPanel />
      <AuditPanel />
    </PageFrame>
  );
}
