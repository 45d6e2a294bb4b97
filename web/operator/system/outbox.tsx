// The mails of a sandbox, as text: nothing in them is followed or loaded.
import { Modal, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import type { Mail } from '../../api/operator.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { isSandbox } from '../../session/session.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Cut, Facts } from '../parts/facts.tsx';
import parts from '../parts/parts.module.css';
import styles from './system.module.css';

const NEWEST = 100;

export function Outbox() {
  const outbox = useLive(feeds.outbox(NEWEST));
  const [open, setOpen] = useState<Mail | null>(null);
  const columns: readonly Column<Mail>[] = [
    { title: 'Time', render: ({ date }) => <When at={date} /> },
    { title: 'To', render: ({ to }) => <Cut text={to} /> },
    {
      title: 'Subject',
      render: (mail) => (
        <button type="button" className={styles.open} onClick={() => setOpen(mail)}>
          {mail.subject}
        </button>
      ),
    },
  ];
  return (
    <Panel title="Mails" flush actions={<AsOf live={[outbox]} />}>
      <Loaded
        live={outbox}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <Empty icon={<IconMail size={26} stroke={1.5} />} title="No mails">
            {isSandbox
              ? 'A sandbox without a mail server writes its mails into the outbox directory; they are shown here, with the codes that people ask for.'
              : 'Mails go out by the mail server; the outbox directory is empty.'}
          </Empty>
        }
      >
        {({ items }) => (
          <DataTable
            label="Mails, newest first"
            rows={items}
            columns={columns}
            keyOf={({ file }) => file}
          />
        )}
      </Loaded>
      <Modal opened={open !== null} onClose={() => setOpen(null)} title="Mail" size="lg">
        {open === null ? null : (
          <Stack gap="sm">
            <Facts
              facts={[
                ['From', open.from],
                ['To', open.to],
                ['Subject', open.subject],
                ['Sent', <When key="date" at={open.date} />],
                [
                  'File',
                  <code key="file" className={parts.mono}>
                    {open.file}
                  </code>,
                ],
              ]}
            />
            <Text component="pre" className={styles.mail}>
              {open.body}
            </Text>
          </Stack>
        )}
      </Modal>
    </Panel>
  );
}
