// Security: how the account is protected, its sessions, and its audit log.
import { useLocation, useRoute } from 'wouter';
import { Loading, PageFrame } from '../components/layout.tsx';
import { security } from '../messages/security.ts';
import { useSession } from '../session/session.ts';
import { NotFound } from '../shell/notices.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { AuthenticatorPanel, DisableAuthenticator } from './authenticator.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { Checklist } from './checklist.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { NewRecoveryCodes } from './recovery-codes.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export default function SecurityPage() {
  const [path] = useLocation();
  const [isHere] = useRoute('/security');
  const { me } = useSession();
  if (me === null) return <Loading rows={6} />;
  if (path === '/security/authenticator') return <AuthenticatorSetup me={me} />;
  if (path === '/security/recovery') return <NewRecoveryCodes me={me} />;
  if (path === '/security/disable') return <DisableAuthenticator me={me} />;
  if (!isHere) return <NotFound />;
  return (
    <PageFrame title={security.title} width="narrow">
      <Checklist me={me} />
      <AuthenticatorPanel me={me} />
      <PasswordPanel me={me} />
      <SessionsPanel />
      <AuditPanel />
    </PageFrame>
  );
}
