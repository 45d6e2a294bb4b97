// Reads the bytes of a request's body, within a bounded size and time. Every fault of a body is the
// caller's, also a connection that ends in the middle of it.
import type { ApiCall } from '../../contract/call.ts';
import { invalidField, Problem } from '../../contract/problem.ts';
import { comesBySession } from '../auth/authenticate-session.ts';
import type { Incoming } from './incoming.ts';
import type { RequestHeaders } from './request-headers.ts';

/** From the headers to the last byte; the slowest line needs less. */
const BODY_DEADLINE_MS = 5000;

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const NO_BYTES = new Uint8Array(0);

/**
 * The exact bytes of the body, after checks of the headers. Throws Problem notJson, bodyTooLarge,
 * invalidBody, or invalidField where the route has no body.
 */
export function readBytes(
  { request, headers }: Pick<Incoming, 'request' | 'headers'>,
  route: Pick<ApiCall, 'access' | 'body' | 'bodyLimit'>,
): Uint8Array | Promise<Uint8Array> {
  const length = headers.get('content-length');
  if (route.body === undefined) {
    if (!isEmpty(length, headers)) {
      throw invalidField('body', 'be left out of this call', { rule: 'absent' });
    }
    return NO_BYTES;
  }
  if (isEmpty(length, headers) && mayBeLeftOut(route, headers)) return NO_BYTES;
  const type = headers.get('content-type');
  if (
    (type !== 'application/json' && !JSON_TYPE.test(type ?? '')) ||
    headers.has('content-encoding')
  ) {
    throw new Problem('notJson');
  }
  const { bytes } = route.bodyLimit;
  if (Number(length ?? 0) > bytes) throw bodyTooLarge(bytes);
  return inTime(length === null ? readChunks(request, bytes) : request.bytes());
}

/** A form body, as text. Throws Problem bodyTooLarge, invalidBody. */
export function readForm(
  { request, headers }: Pick<Incoming, 'request' | 'headers'>,
  limit: number,
): string | Promise<string> {
  const length = headers.get('content-length');
  if (isEmpty(length, headers)) return '';
  if (Number(length ?? 0) > limit) throw bodyTooLarge(limit);
  const reading = inTime(length === null ? readChunks(request, limit) : request.bytes());
  return reading.then((bytes) => Buffer.from(bytes).toString());
}

const isEmpty = (length: string | null, headers: RequestHeaders): boolean =>
  (length === null || length === '0') && !headers.has('transfer-encoding');

/**
 * True if the request may omit its body and the type of it. A call by a session needs the type in
 * any case: it keeps out the forms of other sites.
 */
const mayBeLeftOut = ({ access }: Pick<ApiCall, 'access'>, headers: RequestHeaders): boolean =>
  access === 'operator' || !comesBySession(headers);

/** A body without a declared length. Throws Problem bodyTooLarge. */
async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > limit) throw bodyTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** A body that is still arriving. */
interface Arriving {
  /** The sweep that gives up on it. */
  readonly lastSweep: number;
  readonly reject: (error: Problem) => void;
  /** Its index in `arriving`; -1 once it has left. */
  index: number;
}

/**
 * In no order. An array is faster than a Set here, on the path of every order. One timer serves
 * all, since one each would slow orders.
 */
const arriving: Arriving[] = [];
const SWEEP_MS = 500;
/** One more, since the first sweep may come soon. */
const DEADLINE_SWEEPS = BODY_DEADLINE_MS / SWEEP_MS + 1;
let sweeps = 0;
let sweeper: ReturnType<typeof setInterval> | null = null;

function sweep(): void {
  sweeps++;
  // Backwards, because the last body takes the place of a removed one.
  for (let i = arriving.length - 1; i >= 0; i--) {
    const body = arriving[i]!;
    if (body.lastSweep > sweeps) continue;
    remove(body);
    body.reject(tooSlow());
  }
  if (arriving.length > 0 || sweeper === null) return;
  clearInterval(sweeper);
  sweeper = null;
}

function remove(body: Arriving): void {
  if (body.index < 0) return;
  const last = arriving.pop()!;
  if (last !== body) {
    arriving[body.index] = last;
    last.index = body.index;
  }
  body.index = -1;
}

/** The bytes of the body; rejects where the connection ends first or the deadline passes. */
function inTime(reading: Promise<Uint8Array>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = { lastSweep: sweeps + DEADLINE_SWEEPS, reject, index: arriving.length };
    arriving.push(body);
    sweeper ??= setInterval(sweep, SWEEP_MS);
    reading.then(
      (bytes) => {
        remove(body);
        resolve(bytes);
      },
      (error: unknown) => {
        remove(body);
        reject(error instanceof Problem ? error : cutOff());
      },
    );
  });
}

const bodyTooLarge = (limit: number): Problem =>
  new Problem('bodyTooLarge', {
    userMsg: `The request body is too large; at most ${limit} bytes are accepted.`,
    details: { field: 'body', rule: 'maxLength', limit },
  });

/** The rest of the body may still come, so the connection cannot carry another request. */
const tooSlow = (): Problem =>
  new Problem('invalidBody', {
    userMsg: `Invalid body. It must arrive within ${BODY_DEADLINE_MS} ms of its headers.`,
    details: { field: 'body', rule: 'time', limit: BODY_DEADLINE_MS },
    headers: { Connection: 'close' },
  });

/** Usually the caller is gone. */
const cutOff = (): Problem =>
  new Problem('invalidBody', {
    userMsg:
      'Invalid body. It must arrive whole; the connection ended, or its chunks are malformed.',
    details: { field: 'body', rule: 'whole' },
  });
