// A link back to the field for a code that was sent.
import { Anchor } from '@mantine/core';
import type { Begun } from './begun.ts';

export interface HaveCodeProps {
  readonly begun: Begun;
  readonly onChoose: () => void;
}

export function HaveCode({ begun, onChoose }: HaveCodeProps) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onChoose} className="breakable">
      Enter the code that we sent to {begun.email}
    </Anchor>
  );
}
