// The audit log, page by page, with the hash that proves it whole.
import { Group, Modal, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '../../api/operator.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { When } from '../../components/figures.tsx';
import { Pages } from '../../components/pages.tsx';
import { Panel } from '../../components/panel.tsx';
import { Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Facts } from '../parts/facts.tsx';
import { AuditTable } from './audit-table.tsx';
import { changesOnly, isReading, notedHead } from './audit-words.ts';

/** The most that one reading gives: among many readings there are few changes. */
const PAGE_SIZE = 100;

export function Audit() {
  const [page, setPage] = useState(1);
  // Each page of this console is some readings; what was done is what one looks for.
  const [changes, setChanges] = useState(true);
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const audit = useLive(feeds.audit(page, PAGE_SIZE));
  return (
    <Panel
      title="Audit log"
      flush
      actions={
        <Group gap="md">
          <Switch
            size="xs"
            label="Changes only"
            checked={changes}
            onChange={(event) => setChanges(event.currentTarget.checked)}
          />
          <AsOf live={[audit]} />
        </Group>
      }
    >
      <Loaded live={audit} rows={12}>
        {({ items, totalNum, totalPage, head }) => (
          <>
            <Stack gap={6} p="sm">
              <Text size="xs" className="dim">
                Every call with the operator token, also one that only reads or was refused; failed
                logins; what people do about their logins and keys. Each entry is chained to the one
                before by a hash. This is the newest one: noted elsewhere, it proves later that
                nothing was cut (agio verify --audit-head).
              </Text>
              <CopyText value={notedHead(head)} label="head of the audit log" />
            </Stack>
            <AuditTable entries={changes ? changesOnly(items) : items} onRow={setShown} />
            {changes ? <LeftOut entries={items} /> : null}
            <Pages page={page} total={totalPage} count={totalNum} of="entries" onChange={setPage} />
          </>
        )}
      </Loaded>
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={shown === null ? '' : `Entry ${shown.id}`}
        size="lg"
      >
        {shown === null ? null : <Entry entry={shown} />}
      </Modal>
    </Panel>
  );
}

/** That entries of the page are not shown is said, so that nobody takes the log for shorter than it is. */
function LeftOut({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const readings = entries.filter(isReading).length;
  if (readings === 0) return null;
  return (
    <Text size="xs" className="dim" p="sm">
      {readings} of the {entries.length} entries of this page only read and are not shown.
    </Text>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { time, actor, ip, action, object, result, requestId, details, hash } = entry;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          ['Time', <When key="time" at={time} />],
          ['Who', actor],
          ['Address', ip ?? '–'],
          ['Action', action],
          ['Object', object ?? '–'],
          ['Result', result],
          ['Request', requestId ?? '–'],
          ['Hash', <code key="hash">{hash}</code>],
        ]}
      />
      <CopyText block value={JSON.stringify(details, null, 2)} label="details" />
    </Stack>
  );
}
