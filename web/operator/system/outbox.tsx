// The emails of a sandbox as plain text: the page follows and loads nothing in them.
import { Modal, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import type { Mail } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty } from '../../components/layout.tsx';
import { useLive } from '../../live/live.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { isSandbox } from '../../session/session.ts';
import { feeds } from '../data.ts';
import { AsOf, Cut, Facts } from '../parts/marks.tsx';
import parts from '../parts/parts.module.css';
import styles from './system.module.css';

const NEWEST = 100;

const columnsWith = (open: (mail: Mail) => void): readonly Column<Mail>[] => [
  column.of(text.time, ({ date }) => <When at={date} />),
  column.of(text.to, ({ to }) => <Cut text={to} />),
  column.of(text.subject, (mail) => (
    <button type="button" className={styles.open} onClick={() => open(mail)}>
      {mail.subject}
    </button>
  )),
];

export function Outbox() {
  const outbox = useLive(feeds.outbox(NEWEST));
  const [open, setOpen] = useState<Mail | null>(null);
  return (
    <>
      <ListPanel
        title={text.outbox}
        label={text.emailsNewestFirst}
        live={outbox}
        columns={columnsWith(setOpen)}
        keyOf={({ file }) => file}
        empty={
          <Empty
            icon={IconMail}
            title={text.noEmails}
            hint={isSandbox ? text.sandboxEmails : text.smtpEmails}
          />
        }
        actions={<AsOf live={[outbox]} />}
      />
      {open === null ? null : (
        <Modal opened onClose={() => setOpen(null)} title={text.email} size="lg">
          <Stack gap="sm">
            <Facts
              facts={[
                [text.from, open.from],
                [text.to, open.to],
                [text.subject, open.subject],
                [text.sent, <When key="date" at={open.date} />],
                [
                  text.file,
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
        </Modal>
      )}
    </>
  );
}
