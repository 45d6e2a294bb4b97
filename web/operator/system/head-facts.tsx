// The end of the journal, in a form that can be noted elsewhere.
import { Stack, Text } from '@mantine/core';
import type { JournalHead } from '../../api/operator.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { When } from '../../components/figures.tsx';
import { grouped } from '../../exact/format.ts';
import { Facts } from '../parts/facts.tsx';

export function HeadFacts({ head }: { readonly head: JournalHead }) {
  const { seq, time, chainHash, stateHash } = head;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          ['Commands', <span key="seq">{grouped(seq)}</span>],
          ['Business time', <When key="time" at={time} />],
          ['State hash', <code key="state">{stateHash}</code>],
        ]}
      />
      <CopyText value={`${seq}:${chainHash}`} label="head of the journal" />
      <Text size="xs" className="dim">
        Noted on another machine, this proves later that nothing before it was cut or changed: agio
        verify --journal-head.
      </Text>
    </Stack>
  );
}
