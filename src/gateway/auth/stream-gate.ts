// Turns an HTTP request into a websocket, with the login of any call, by a key or a session. A
// revoked access closes the websockets that it opened.
import type { Server } from 'bun';
import { object } from '../../contract/object.ts';
import { Problem } from '../../contract/problem.ts';
import { readQuery } from '../../contract/query.ts';
import type { LoginMessage, StreamPath } from '../../contract/streams/requests.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import { LiveKey } from '../../identity/live-key.ts';
import type { Revocation, Session } from '../../identity/sessions.ts';
import type { Connection, Login } from '../../streams/connection.ts';
import { Hub } from '../../streams/hub.ts';
import { type Gatekeeper, Streams } from '../../streams/streams.ts';
import { ViewsUnavailable } from '../../views/views.ts';
import { problemOf } from '../http/problem-of.ts';
import { OrderEntry } from '../routes/trading/order-entry.ts';
import type { Services } from '../services.ts';
import { arrivalOf, waitForKey, waitForSession } from './arrival.ts';
import { authenticate, type SignedCaller } from './authenticate.ts';
import { authenticateSession, comesBySession } from './authenticate-session.ts';
import { type SignedRequest, verifySignature } from './signature.ts';
import { rejectLogin, spendSignature } from './spend-signature.ts';

const NO_QUERY = object({});
const NO_BODY = new Uint8Array();
/** The privilege depends on the channel, which checks it. */
const ANY_PRIVILEGE = { access: 'public', write: false } as const;
/**
 * An upgrade passes the checks of a change: a page of another site must not listen with a user's
 * cookie.
 */
const AS_A_CHANGE = { method: 'POST' } as const;

const UPGRADE = { Upgrade: 'websocket', Connection: 'Upgrade' };

type Gate = Pick<Services, 'cluster' | 'engine' | 'identity' | 'limits' | 'rejectedLogins'>;

/** The websockets of a node. */
export function openStreams(services: Services): Streams {
  const { engine, views, config, node, log } = services;
  const { snapshotKeys } = node;
  const warn = (error: unknown) => {
    // The follower reports it once, not every stream.
    if (!(error instanceof ViewsUnavailable)) log.error({ err: error }, 'a stream failed');
  };
  const keeper = gatekeeper(services, warn);
  return new Streams({
    engine,
    hub: new Hub({ engine, views, dataDir: config.data, snapshotKeys, warn }),
    gatekeeper: keeper,
    orders: new OrderEntry(services, (login, now) => keeper.lapsed(login, now)),
    perAddress: config.streamsPerAddress,
    perAccount: config.streamsPerAccount,
    bytesPerSecond: config.streamBytes,
    warn,
  });
}

function gatekeeper(services: Gate, warn: (error: unknown) => void): Gatekeeper {
  const { engine, identity } = services;
  return {
    loginByKey(path, { apiKey, timestamp, sign }: LoginMessage, address) {
      const sent = { apiKey, timestamp: String(timestamp), signature: sign };
      return loginByKey(services, path, sent, address).catch((error) => {
        throw problemOf(error, warn);
      });
    },
    lapsed({ key, sessionId }, now = engine.wall()) {
      if (key?.isExpired(now) === true) return 'the API key has expired';
      const live = sessionId === null || identity.sessions.isLive(sessionId);
      return live ? null : 'the session has ended';
    },
    arrivalOf: (seq) => arrivalOf(services, seq),
  };
}

type SentLogin = Pick<SignedRequest, 'apiKey' | 'timestamp' | 'signature'>;

/** Throws the Problems of authenticate, signatureUsed and signatureTooOld; and EngineErrors. */
async function loginByKey(
  services: Gate,
  path: StreamPath,
  sent: SentLogin,
  address: string,
): Promise<Login> {
  await waitForKey(services, sent.apiKey ?? '');
  const caller = callerOfLogin(services, path, sent, address);
  const problem = await spendSignature(services, caller);
  if (problem !== null) throw problem;
  return ofKey(caller.key);
}

/** Throws the Problems of authenticate. A valid login that a limit rejects does not work later. */
function callerOfLogin(
  services: Gate,
  path: StreamPath,
  sent: SentLogin,
  address: string,
): SignedCaller {
  const signed = { ...sent, method: 'GET', path, query: '', body: NO_BODY };
  const { limits } = services;
  let valid: Omit<SignedCaller, 'passed'> | null = null;
  const verify: typeof verifySignature = (key, request, now) => {
    const verified = verifySignature(key, request, now);
    if (key instanceof LiveKey && !(verified instanceof Problem)) {
      valid = { key, signature: { keyId: key.keyId, ...verified } };
    }
    return verified;
  };
  try {
    const ip = () => address;
    return authenticate(services as Services, limits, ANY_PRIVILEGE, signed, ip, verify);
  } catch (error) {
    if (valid !== null) rejectLogin(services, valid);
    throw error;
  }
}

export const ofKey = (key: LiveKey): Login => ({
  uid: key.uid,
  key,
  sessionId: null,
  allows: (module) => key.allows(module),
});

/** A logged-in user can read everything of the own account. */
const ofSession = ({ uid, sessionId }: Session): Login => ({
  uid,
  key: null,
  sessionId,
  allows: () => true,
});

/** Turns a request into a connection, which then has no HTTP answer. Throws Problem. */
export function upgrade(
  services: Services,
  streams: Streams,
  server: Pick<Server<Connection>, 'upgrade'>,
  request: Request,
  target: { readonly path: StreamPath; readonly query: string },
  address: string,
): Promise<void> {
  return openSocket({ services, streams, server, request, address }, async (limitedAs) => {
    readQuery(NO_QUERY, target.query);
    const login = await loginOf(services, request.headers, target.path, address);
    return streams.admit(target.path, address, limitedAs, login);
  });
}

interface SocketRequest {
  readonly services: Services;
  readonly streams: Streams;
  readonly server: Pick<Server<Connection>, 'upgrade'>;
  readonly request: Request;
  readonly address: string;
}

/** Like `upgrade`, with the connection that `admit` makes. Throws Problem. */
export async function openSocket(
  { services, streams, server, request, address }: SocketRequest,
  admit: (limitedAs: string) => Connection | Promise<Connection>,
): Promise<void> {
  const { headers, method } = request;
  if (method !== 'GET') {
    throw new Problem('methodNotAllowed', {
      userMsg: 'This path accepts GET.',
      headers: { Allow: 'GET' },
    });
  }
  const limitedAs = rateKeyOf(address);
  services.limits.publicCall(limitedAs);
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    throw new Problem('upgradeNeeded', { headers: UPGRADE });
  }
  // Checked before the signature, which is expensive.
  streams.requireRoom(limitedAs);
  const connection = await admit(limitedAs);
  if (server.upgrade(request, { data: connection })) return;
  streams.release(connection);
  throw new Problem('upgradeNeeded', { headers: UPGRADE });
}

/** The login by headers; null for the public stream, and for a login by message. */
async function loginOf(
  services: Services,
  headers: Headers,
  path: StreamPath,
  address: string,
): Promise<Login | null> {
  if (path === '/ws/v1/public') return null;
  if (comesBySession(headers)) {
    await waitForSession(services, headers);
    return ofSession(authenticateSession(services, headers, AS_A_CHANGE));
  }
  const sent = {
    apiKey: headers.get('exchange-api-key'),
    timestamp: headers.get('exchange-api-timestamp'),
    signature: headers.get('exchange-api-sign'),
  };
  if (sent.apiKey === null && sent.timestamp === null && sent.signature === null) return null;
  return loginByKey(services, path, sent, address);
}

/** Closes the websockets of a revoked access. */
export function closeRevoked(streams: Streams, revocation: Revocation): void {
  switch (revocation.type) {
    case 'keyRevoked':
      streams.closeLogins(({ key }) => key?.keyId === revocation.keyId, 'the API key was revoked');
      break;
    case 'sessionEnded':
      streams.closeLogins(
        ({ sessionId }) => sessionId === revocation.sessionId,
        'the session has ended',
      );
      break;
    case 'userSuspended':
      streams.closeLogins(({ uid }) => uid === revocation.uid, 'the account was suspended');
      break;
  }
}
