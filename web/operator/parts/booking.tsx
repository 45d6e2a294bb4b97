// Books a transfer once per reference, and says whether it moved anything.
import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { TRANSFER } from '../../../src/contract/generated/operator-fields.ts';
import type { Booked } from '../../../src/sdk/index.ts';
import { count } from '../../exact/format.ts';
import { forms as text } from '../../messages/operator-forms.ts';
import { readSeq } from '../data.ts';
import { describer, type Field } from './fields.ts';

export const EMPTY_TRANSFER = { amount: '', reference: '' };
export type TransferValues = typeof EMPTY_TRANSFER;

const { field } = describer(TRANSFER, text.fields);

/** The fields that every transfer has. */
export function transferLayout(
  asset: string,
  [label, description]: readonly [label: string, description?: string] = text.fields.amount,
): readonly [readonly [amount: Field<TransferValues>, reference: Field<TransferValues>]] {
  const chosen = { label, ...(description === undefined ? {} : { description }) };
  return [[field('amount', { asset }, chosen), field('reference')] as never];
}

export interface Booking<B> extends Booked {
  readonly body: B;
  /** True if an earlier transfer has this reference, so that nothing moved now. */
  readonly isRepeat: boolean;
}

/** Books a transfer, and keeps the outcome for `BookingNote`. */
export function useBooking<B>(send: (body: B) => Promise<Booked>) {
  const [booking, setBooking] = useState<Booking<B> | null>(null);
  const book = async (body: B): Promise<Booking<B>> => {
    setBooking(null);
    const seqBefore = await readSeq();
    const booked = await send(body);
    const done = { ...booked, body, isRepeat: booked.seq <= seqBefore };
    setBooking(done);
    return done;
  };
  return { book, booking };
}

interface BookingNoteProps<B> {
  readonly booking: Booking<B> | null;
  /** The amount, and from or to whom. */
  readonly what: (body: B) => string;
}

/** The outcome of a booking; nothing before the first one. */
export function BookingNote<B extends { readonly reference: string }>({
  booking,
  what,
}: BookingNoteProps<B>) {
  if (booking === null) return null;
  const { isRepeat, transferId, seq, body } = booking;
  const id = count(transferId);
  return (
    <Alert color={isRepeat ? 'yellow' : 'teal'} variant="light" p="xs" role="status">
      <Text size="sm" className="breakable">
        {isRepeat
          ? text.bookedBefore(what(body), id)
          : text.booked(what(body), id, count(seq), body.reference)}
      </Text>
    </Alert>
  );
}
