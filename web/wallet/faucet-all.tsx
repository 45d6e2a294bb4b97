// One click for an amount of each asset; sandbox only.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { drawAll, drawnWords } from './faucet.ts';

export function FaucetAll() {
  const [words, setWords] = useState<string | null>(null);
  const draw = useAction(drawAll, {
    refreshes: [['balances'], ['statement']],
    onDone: (drawn) => setWords(drawnWords(drawn)),
  });
  return (
    <div>
      {words === null ? (
        <Button size="xs" variant="light" onClick={() => draw.run()} loading={draw.pending}>
          Get play money
        </Button>
      ) : null}
      <Text size="sm" aria-live="polite">
        {words}
      </Text>
      <RefusalNote error={draw.error} />
    </div>
  );
}
