// Post-only: the order adds to the book or is not placed.
import { Checkbox, Tooltip } from '@mantine/core';
import type { Draft } from './draft.ts';

export interface PostOnlyProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function PostOnly({ draft, onChange }: PostOnlyProps) {
  return (
    <Tooltip
      label="The order only adds to the book, so it never pays the taker fee. If it would execute immediately, the exchange rejects it."
      multiline
      w={260}
      openDelay={300}
      position="top-start"
    >
      <Checkbox
        size="xs"
        label="Post-only"
        checked={draft.postOnly}
        onChange={(event) => onChange({ postOnly: event.currentTarget.checked })}
      />
    </Tooltip>
  );
}
