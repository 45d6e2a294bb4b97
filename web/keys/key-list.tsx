// The API keys of the account: active ones, which can be revoked, and below them the others.
import { Badge, Button, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { Key } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { When } from '../components/figures.tsx';
import { Empty, Form, Loaded, Panel, RejectionNote } from '../components/layout.tsx';
import { ProofFields, unlessQuestion, useProof } from '../components/proof.tsx';
import { PlainButton } from '../components/texts.tsx';
import { useLive } from '../live/live.ts';
import { common } from '../messages/common.ts';
import { keysText as t } from '../messages/keys.ts';
import { isLive, keysFeed } from '../security/feeds.ts';
import styles from './keys.module.css';
import { privilegeWords } from './privileges.ts';

export function KeyList() {
  const live = useLive(keysFeed);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const now = Date.now();
  return (
    <>
      <Panel title={t.title} flush>
        <Loaded
          live={live}
          rows={3}
          isEmpty={(keys) => !keys.some((key) => isLive(key, now))}
          empty={<Empty icon={IconKey} title={t.none} hint={t.noneUse} />}
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
      <InactiveKeys keys={(live.data ?? []).filter((key) => !isLive(key, now))} />
      {revoking === null ? null : <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function InactiveKeys({ keys }: { readonly keys: readonly Key[] }) {
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
        {t.inactive(keys.length)}
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
          {ipAllowList === null ? t.anyAddress : t.onlyFrom(ipAllowList.join(', '))}
          {strictClOrdId ? t.strictNote : ''}
        </Text>
      </div>
      <Dates apiKey={apiKey} />
      {onRevoke === null ? null : (
        <PlainButton size="xs" onClick={onRevoke} aria-label={t.revokeKey(alias)}>
          {t.revoke}
        </PlainButton>
      )}
    </li>
  );
}

function State({ apiKey: { revokedAt, expiresAt } }: { readonly apiKey: Key }) {
  const words =
    revokedAt !== null
      ? t.revoked
      : expiresAt !== null && Number(expiresAt) <= Date.now()
        ? t.expired
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
      <dt>{t.created}</dt>
      <dd>
        <When at={createdAt} />
      </dd>
      <dt>{t.lastUsed}</dt>
      <dd>{lastUsedAt === null ? t.never : <When at={lastUsedAt} />}</dd>
      <dt>{revokedAt === null ? t.expires : t.revoked}</dt>
      <dd>
        {revokedAt !== null ? (
          <When at={revokedAt} />
        ) : expiresAt === null ? (
          t.never
        ) : (
          <When at={expiresAt} />
        )}
      </dd>
    </dl>
  );
}

interface RevokeKeyProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

/** Asks before a key is revoked, with the codes that the server needs. */
function RevokeKey({ apiKey: { apiKey, alias }, onClose }: RevokeKeyProps) {
  const proof = useProof();
  const revoke = useAction(() => userCenter.deleteKey({ apiKey, ...proof.body }), {
    done: t.revokedKey(alias),
    refreshes: [['keys'], ['audit'], ['me']],
    onDone: onClose,
  });
  return (
    <Modal opened onClose={onClose} title={t.revokeQuestion}>
      <Form onSubmit={() => revoke.run()}>
        <Stack gap="md">
          <Text size="sm" className="breakable">
            {t.revokeEffect(alias)}
          </Text>
          <ProofFields proof={proof} error={revoke.error} autoFocus />
          <RejectionNote error={unlessQuestion(revoke.error, proof)} />
          <Group justify="flex-end">
            <PlainButton
              onClick={onClose}
              // Without a code field, the focus is on the button that changes nothing.
              data-autofocus={proof.isComplete || undefined}
            >
              {common.cancel}
            </PlainButton>
            <Button type="submit" color="red" loading={revoke.pending} disabled={!proof.isComplete}>
              {t.revoke}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
