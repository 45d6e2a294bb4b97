// A new key: its secret, which the server shows only once, and a first request.
import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { NewKey } from '../../src/sdk/index.ts';
import { CopyText, NamedText } from '../components/copy-text.tsx';
import { PageFrame, Panel } from '../components/layout.tsx';
import { Dim } from '../components/texts.tsx';
import { LanguageChoice, useLanguage } from '../docs/code.tsx';
import { sampleOf, signedRequest } from '../docs/samples.ts';
import { keysText } from '../messages/keys.ts';
import { firstRequest } from './first-request.ts';
import type { KeyRequest } from './key-draft.ts';
import styles from './keys.module.css';

const t = keysText.newKey;

export function NewKeyCard({ created }: { readonly created: KeyRequest & NewKey }) {
  const [, navigate] = useLocation();
  const [isSaved, setSaved] = useState(false);
  // The submit button was at the bottom of a long form.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return (
    <PageFrame title={t.title} width="narrow">
      <Panel title={<span className="breakable">{created.alias}</span>}>
        <div className={styles.secret}>
          <Alert color="yellow" variant="light" p="xs" icon={<IconAlertTriangle size={18} />}>
            <Text size="sm" fw={600}>
              {t.once}
            </Text>
            {t.store}
          </Alert>
          <NamedText name={t.key} value={created.apiKey} label={t.keyName} />
          <NamedText name={t.secret} value={created.secretKey} label={t.secretName} />
          <Checkbox
            label={t.saved}
            checked={isSaved}
            onChange={(event) => setSaved(event.currentTarget.checked)}
          />
          <Group>
            <Button onClick={() => navigate('/keys')} disabled={!isSaved}>
              {t.done}
            </Button>
          </Group>
        </div>
      </Panel>
      <Urls />
      <FirstRequest created={created} />
    </PageFrame>
  );
}

/** The URL of each wire form that the key works with. */
function Urls() {
  const { origin } = location;
  const socket = origin.replace('http', 'ws');
  const urls = [
    [t.urlOf.agio, origin],
    [t.urlOf.binance, `${origin}/binance/api/v3`],
    [t.urlOf.binanceApi, `${socket}/binance/ws-api/v3`],
    [t.urlOf.binanceStreams, `${socket}/binance/stream`],
  ] as const;
  return (
    <Panel title={t.urls}>
      {urls.map(([name, url]) => (
        <NamedText key={name} name={name} value={url} label={`${t.urlName}: ${name}`} />
      ))}
      <Dim mt="sm">{t.urlsNote}</Dim>
    </Panel>
  );
}

function FirstRequest({ created }: { readonly created: KeyRequest & NewKey }) {
  const language = useLanguage();
  const { method, path, body } = firstRequest(created.moduleIds);
  const key = { ...created, url: location.origin };
  return (
    <Panel title={t.firstRequest} actions={<LanguageChoice />}>
      <CopyText
        block
        label={t.requestName(language.name)}
        value={sampleOf(language, signedRequest(method, path, body), key)}
      />
      <Dim mt="xs">
        {t.howToRun[language.name]} {t.note}
      </Dim>
    </Panel>
  );
}
