// Orders that were sent and never answered: they are looked for until they are found, also on another pair, later, and after a
// reload. Until then a person can send the same order again, or give it up.

import { Button, Group } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { Order } from '../../../src/sdk/index.ts';
import { SteadyButton } from '../../components/steady-button.tsx';
import { useLive } from '../../live/live.ts';
import { stored } from '../../session/stored.ts';
import { sentOrderFeed } from '../feeds.ts';
import { newOrderWords } from '../orders/words.ts';
import styles from './order-form.module.css';
import type { NewOrder } from './submission.ts';
import { type OpenQuestion, SubmissionKeys } from './submission.ts';

const kept = stored(sessionStorage, 'agio.unansweredOrders');

/** null: nobody has logged in, and nothing can be sent. */
export function useSubmissionKeys(uid: number | null): SubmissionKeys {
  kept.use();
  return useMemo(() => new SubmissionKeys(String(uid ?? ''), kept), [uid]);
}

export interface OpenQuestionsProps {
  readonly keys: SubmissionKeys;
  readonly offline: boolean;
  readonly onSend: (order: NewOrder) => void;
  /** The exchange has it. */
  readonly onFound: (sent: NewOrder, order: Order) => void;
}

export function OpenQuestions({ keys, ...rest }: OpenQuestionsProps) {
  return keys
    .open()
    .map((question) => (
      <Question
        key={question.key}
        question={question}
        onGivenUp={() => keys.settle(question.order)}
        {...rest}
      />
    ));
}

interface QuestionProps extends Omit<OpenQuestionsProps, 'keys'> {
  readonly question: OpenQuestion;
  readonly onGivenUp: () => void;
}

function Question({ question, offline, onSend, onFound, onGivenUp }: QuestionProps) {
  const { order, key } = question;
  const { data: found } = useLive(sentOrderFeed(key));
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each order that is found
  useEffect(() => {
    if (found) onFound(order, found);
  }, [found]);
  return (
    <div className={styles.open} role="status">
      <p className={styles.hint}>
        Nobody knows yet whether this order was placed: {newOrderWords(order)} It is being looked
        for. Sent again it is still placed once, however often it is sent.
      </p>
      <Group justify="space-between" gap="md">
        <SteadyButton
          size="xs"
          off={offline}
          title={offline ? 'There is no connection' : undefined}
          onClick={() => onSend(order)}
        >
          Send it again
        </SteadyButton>
        <Button size="xs" variant="default" onClick={onGivenUp}>
          Stop asking
        </Button>
      </Group>
    </div>
  );
}
