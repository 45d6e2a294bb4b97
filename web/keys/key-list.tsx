// The API keys of the account: active ones, and below them the others.
import { Badge, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { Key } from '../../src/sdk/index.ts';
import { When } from '../components/figures.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { isLive } from '../security/checklist.ts';
import { keysFeed } from '../security/feeds.ts';
import styles from './keys.module.css';
import { privilegeWords } from './privileges.ts';
import { RevokeKey } from './revoke-key.tsx';

export function KeyList() {
  const live = useLive(keysFeed);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const now = Date.now();
  return (
    <>
      <Panel title="API keys" flush>
        <Loaded
          live={live}
          rows={3}
          isEmpty={(keys) => !keys.some((key) => isLive(key, now))}
          empty={
            <Empty icon={<IconKey size={26} stroke={1.5} />} title="No API keys yet">
              Programs use an API key to trade for you.
            </Empty>
          }
        >
          {(keys) => (
            <ul className={styles.keys}>
              {keys
                .filter((key) => isLive(key, now))
                .map((key) => (
                  <KeyCard key={key.apiKey} apiKey={key} onRevoke={() => setRevoking(key)} />
                ))}
            </ul>
          )}
        </Loaded>
      </Panel>
      <OldKeys keys={(live.data ?? []).filter((key) => !isLive(key, now))} />
      {revoking === null ? null : <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function OldKeys({ keys }: { readonly keys: readonly Key[] }) {
  const [isOpen, setOpen] = useState(false);
  if (keys.length === 0) return null;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <section>
      <UnstyledButton
        className={styles.fold}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
      >
        <Chevron size={16} />
        Revoked and expired ({keys.length})
      </UnstyledButton>
      {isOpen ? (
        <Panel flush>
          <ul className={styles.keys}>
            {keys.map((key) => (
              <KeyCard key={key.apiKey} apiKey={key} onRevoke={null} />
            ))}
          </ul>
        </Panel>
      ) : null}
    </section>
  );
}

interface KeyProps {
  readonly apiKey: Key;
  /** null for a key that no longer works. */
  readonly onRevoke: (() => void) | null;
}

function KeyCard({ apiKey, onRevoke }: KeyProps) {
  const { alias, moduleIds, ipAllowList, strictClOrdId } = apiKey;
  return (
    <li className={styles.key}>
      <div className={styles.about}>
        <Group gap="xs">
          <Text size="sm" fw={600} className="breakable">
            {alias}
          </Text>
          <State apiKey={apiKey} />
        </Group>
        <Text size="xs" className={`dim breakable ${styles.mono}`}>
          {apiKey.apiKey}
        </Text>
        <Text size="sm">{privilegeWords(moduleIds)}</Text>
        <Text size="sm" className="dim breakable">
          {ipAllowList === null ? 'From any address' : `Only from ${ipAllowList.join(', ')}`}
          {strictClOrdId ? ' · strict client order IDs' : ''}
        </Text>
      </div>
      <Dates apiKey={apiKey} />
      {onRevoke === null ? null : (
        <Button variant="default" size="xs" onClick={onRevoke} aria-label={`Revoke ${alias}`}>
          Revoke
        </Button>
      )}
    </li>
  );
}

function State({ apiKey: { revokedAt, expiresAt } }: { readonly apiKey: Key }) {
  const words =
    revokedAt !== null
      ? 'Revoked'
      : expiresAt !== null && Number(expiresAt) <= Date.now()
        ? 'Expired'
        : null;
  if (words === null) return null;
  return (
    <Badge size="sm" radius="sm" variant="light" color="gray">
      {words}
    </Badge>
  );
}

function Dates({ apiKey }: { readonly apiKey: Key }) {
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = apiKey;
  return (
    <dl className={styles.dates}>
      <dt>Created</dt>
      <dd>
        <When at={createdAt} />
      </dd>
      <dt>Last used</dt>
      <dd>{lastUsedAt === null ? 'Never' : <When at={lastUsedAt} />}</dd>
      <dt>{revokedAt === null ? 'Expires' : 'Revoked'}</dt>
      <dd>
        {revokedAt !== null ? (
          <When at={revokedAt} />
        ) : expiresAt === null ? (
          'Never'
        ) : (
          <When at={expiresAt} />
        )}
      </dd>
    </dl>
  );
}
