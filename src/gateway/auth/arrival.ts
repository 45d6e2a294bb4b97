// Keys, sessions and positions that this node of a cluster does not have yet, because another node
// made them a moment ago. They are not refused before the leader's changes have arrived here.
import type { StreamRequest } from '../../contract/streams/requests.ts';
import type { Services } from '../services.ts';
import { sentToken } from './cookies.ts';

/** How long a stream waits for the position from which it resumes. */
const POSITION_WAIT_MS = 1000;

type Node = Pick<Services, 'cluster' | 'engine' | 'identity'>;

/** Whether another node of a cluster leads, so that this one cannot write identity. */
export const follows = ({ cluster }: Pick<Services, 'cluster'>): boolean =>
  cluster?.leads === false;

/** Whether the headers name a key or session that this node does not have. */
export function isUnknownCaller(
  { identity: { apiKeys, sessions } }: Pick<Services, 'identity'>,
  headers: Headers,
): boolean {
  const apiKey = headers.get('exchange-api-key');
  if (apiKey !== null) return apiKeys.lookup(apiKey) === undefined;
  const token = sentToken(headers);
  return token !== null && sessions.find(token) === undefined;
}

/** Waits for the caller of these headers, where it may be on its way. */
export async function waitForCaller(node: Node, headers: Headers): Promise<void> {
  if (follows(node) && isUnknownCaller(node, headers)) await node.cluster!.syncIdentity();
}

/** See Gatekeeper.arrivalFor. */
export function arrivalFor(node: Node, request: StreamRequest): Promise<unknown> | null {
  if (!follows(node)) return null;
  const { cluster, engine, identity } = node;
  if (request.op === 'login') {
    const isKnown = identity.apiKeys.lookup(request.login.apiKey) !== undefined;
    return isKnown ? null : cluster!.syncIdentity();
  }
  if (request.op !== 'subscribe' || request.resumeFrom === undefined) return null;
  if (request.resumeFrom <= engine.seq) return null;
  return engine.reach(request.resumeFrom, POSITION_WAIT_MS);
}
