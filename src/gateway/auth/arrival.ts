// Keys, sessions and positions that this node of a cluster does not have yet, because another node
// made them a moment ago. They are not rejected before the leader's changes have arrived here.

import type { RequestHeaders } from '../http/request-headers.ts';
import type { Services } from '../services.ts';
import { sentToken } from './cookies.ts';

/** How long a stream waits for the position from which it resumes. */
const POSITION_WAIT_MS = 1000;

type Node = Pick<Services, 'cluster' | 'engine' | 'identity'>;

/** True if another node of a cluster leads, so that this one cannot write identity. */
export const follows = ({ cluster }: Pick<Services, 'cluster'>): boolean =>
  cluster?.leads === false;

/** True if the headers name a key or session that this node does not have. */
export function isUnknownCaller(
  { identity: { apiKeys, sessions } }: Pick<Services, 'identity'>,
  headers: RequestHeaders,
): boolean {
  const apiKey = headers.get('exchange-api-key');
  if (apiKey !== null) return apiKeys.lookup(apiKey) === undefined;
  const token = sentToken(headers);
  return token !== null && sessions.find(token) === undefined;
}

/** Waits for the session of these headers, where it may be on its way. */
export async function waitForSession(node: Node, headers: RequestHeaders): Promise<void> {
  if (follows(node) && isUnknownCaller(node, headers)) await node.cluster!.syncIdentity();
}

/** Waits for a key, where it may be on its way. */
export async function waitForKey(node: Node, apiKey: string): Promise<void> {
  const isKnown = node.identity.apiKeys.lookup(apiKey) !== undefined;
  if (follows(node) && !isKnown) await node.cluster!.syncIdentity();
}

/** See Gatekeeper.arrivalOf. */
export const arrivalOf = (node: Node, seq: number): Promise<unknown> | null =>
  follows(node) && seq > node.engine.seq ? node.engine.reach(seq, POSITION_WAIT_MS) : null;
