// The audit log, page by page, with the hash that proves it complete.
import { Group, Modal, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '../../../src/sdk/index.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { When } from '../../components/figures.tsx';
import { Loaded, Panel } from '../../components/layout.tsx';
import { Pages } from '../../components/paging.tsx';
import { Fine } from '../../components/texts.tsx';
import { useLive } from '../../live/live.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { feeds } from '../data.ts';
import { AsOf, Facts } from '../parts/marks.tsx';
import { actionText, changesOnly, headText, resultText } from './audit-entries.ts';
import { AuditTable } from './audit-table.tsx';

/** The server's maximum: among many reads there are few changes. */
const PAGE_SIZE = 100;

export function Audit() {
  const [page, setPage] = useState(1);
  // Each page of this console causes reads; an operator looks for changes.
  const [isChangesOnly, setChangesOnly] = useState(true);
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const audit = useLive(feeds.audit(page, PAGE_SIZE));
  return (
    <Panel
      title={text.audit}
      flush
      actions={
        <Group gap="md">
          <Switch
            size="xs"
            label={text.changesOnly}
            checked={isChangesOnly}
            onChange={(event) => setChangesOnly(event.currentTarget.checked)}
          />
          <AsOf live={[audit]} />
        </Group>
      }
    >
      <Loaded live={audit} rows={12}>
        {({ items, totalNum, totalPage, head }) => {
          const entries = isChangesOnly ? changesOnly(items) : items;
          return (
            <>
              <Stack gap={6} p="sm">
                <Fine>{text.auditUse}</Fine>
                <CopyText value={headText(head)} label={text.auditHead} />
              </Stack>
              <AuditTable runs={entries.map((entry) => ({ entry, times: 1 }))} onRow={setShown} />
              {entries.length === items.length ? null : (
                <Fine p="sm">{text.hiddenReads(items.length - entries.length, items.length)}</Fine>
              )}
              <Pages
                page={page}
                total={totalPage}
                count={totalNum}
                of="entries"
                onChange={setPage}
              />
            </>
          );
        }}
      </Loaded>
      {shown === null ? null : (
        <Modal opened onClose={() => setShown(null)} title={text.entry(shown.id)} size="lg">
          <Entry entry={shown} />
        </Modal>
      )}
    </Panel>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { time, actor, ip, action, object, result, requestId, details, hash } = entry;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [text.time, <When key="time" at={time} />],
          [text.actor, actor],
          [text.address, ip ?? '–'],
          [text.action, `${actionText(action)} (${action})`],
          [text.object, object ?? '–'],
          [text.result, `${resultText(result)} (${result})`],
          [text.request, requestId ?? '–'],
          [text.hash, <code key="hash">{hash}</code>],
        ]}
      />
      <CopyText block value={JSON.stringify(details, null, 2)} label="details" />
    </Stack>
  );
}
