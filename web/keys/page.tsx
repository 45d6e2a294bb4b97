// API keys: access for programs.
import { IconPlus } from '@tabler/icons-react';
import { useLocation, useRoute } from 'wouter';
import { Loading, PageFrame } from '../components/layout.tsx';
import { LinkButton } from '../components/texts.tsx';
import { keysText as t } from '../messages/keys.ts';
import { NeedsAuthenticator } from '../security/authenticator.tsx';
import { useSession } from '../session/session.ts';
import { NotFound } from '../shell/notices.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyList } from './key-list.tsx';

export default function KeysPage() {
  const [path] = useLocation();
  const [isHere] = useRoute('/keys');
  const { me } = useSession();
  if (me === null) return <Loading rows={6} />;
  if (path === '/keys/new') return <CreateKey me={me} />;
  if (!isHere) return <NotFound />;
  return (
    <PageFrame
      title={t.title}
      lead={t.lead}
      width="narrow"
      actions={
        me.totpActive ? (
          <LinkButton href="/keys/new" leftSection={<IconPlus size={16} />}>
            {t.create}
          </LinkButton>
        ) : null
      }
    >
      {me.totpActive ? null : <NeedsAuthenticator reason={t.needsAuthenticator} next="/keys/new" />}
      <KeyList />
    </PageFrame>
  );
}
