// Gives an open order another price, or a waiting stop another trigger.
import type { Decimal } from '../../../../src/sdk/index.ts';
import { client } from '../../../api/clients.ts';
import type { PriceField } from './marks.ts';

/** Resolves when the order has its new price; a refusal changes nothing. */
export const amend = (orderId: number, change: Readonly<Partial<Record<PriceField, Decimal>>>) =>
  client.amendOrder({ orderId, ...change });
