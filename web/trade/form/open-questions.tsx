// Orders that were sent and never answered: they are asked about until they are, also on another pair, later, and after a reload.
import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import type { NewOrder } from '../../api/trading.ts';
import { stored } from '../../session/stored.ts';
import { newOrderWords } from '../orders/words.ts';
import styles from './order-form.module.css';
import { SubmissionKeys } from './submission.ts';

const kept = stored(sessionStorage, 'agio.unansweredOrders');

/** null: nobody has logged in, and nothing can be sent. */
export function useSubmissionKeys(uid: string | null): SubmissionKeys {
  kept.use();
  return useMemo(() => new SubmissionKeys(uid ?? '', kept), [uid]);
}

export interface OpenQuestionsProps {
  readonly keys: SubmissionKeys;
  readonly onSend: (order: NewOrder) => void;
}

export function OpenQuestions({ keys, onSend }: OpenQuestionsProps) {
  return keys.open().map(({ order, key }) => (
    <p key={key} className={styles.hint} role="status">
      Nobody knows yet whether this order was placed: {newOrderWords(order)} Send the same order
      again: it is placed once, however often it is sent.{' '}
      <Anchor component="button" type="button" size="xs" onClick={() => onSend(order)}>
        Send it again
      </Anchor>{' '}
      ·{' '}
      <Anchor component="button" type="button" size="xs" onClick={() => keys.settle(order)}>
        Do not ask any more
      </Anchor>
    </p>
  ));
}
