// A button that draws each asset; sandbox only.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { drawAll, drawnWords } from './faucet.ts';

export interface FaucetAllProps {
  /** Receives each asset that cannot be drawn again today. */
  readonly onGiven?: (asset: string) => void;
}

export function FaucetAll({ onGiven = () => undefined }: FaucetAllProps) {
  const [words, setWords] = useState<string | null>(null);
  const draw = useAction(() => drawAll(onGiven), {
    refreshes: [['balances'], ['statement']],
    onDone: (drawn) => setWords(drawnWords(drawn)),
  });
  return (
    <div>
      {words === null ? (
        <Button size="xs" variant="light" onClick={() => draw.run()} loading={draw.pending}>
          Get test money
        </Button>
      ) : null}
      <Text size="sm" aria-live="polite">
        {words}
      </Text>
      <RefusalNote error={draw.error} />
    </div>
  );
}
