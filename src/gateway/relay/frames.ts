// The frames of requests that another thread or another node answers. Each begins with its kind and
// the number that the asking side has given to the request.
import { Problem } from '../../contract/problem.ts';
import { REFUSALS } from '../../contract/refusals.ts';
import { type BinaryReader, BinaryWriter } from '../../core/binary.ts';

/** To the side that answers. */
export const RelayUp = {
  /** A request as it came. */
  request: 1,
  /** The client takes another part of a streamed body, or no more of it. */
  pull: 3,
  cancel: 4,
} as const;

/** To the side that asked. */
export const RelayDown = {
  answer: 1,
  bodyPart: 4,
  bodyEnd: 5,
  bodyFailed: 6,
} as const;

export const BodyForm = { none: 0, whole: 1, streamed: 2 } as const;
type BodyForm = (typeof BodyForm)[keyof typeof BodyForm];

type HeaderList = readonly (readonly [name: string, value: string])[];

/** One for the thread: a sender copies a frame before the next one begins. */
const out = new BinaryWriter(1 << 16);

/** Begins a frame; its bytes are the writer's `view()`. */
export function beginFrame(kind: number, id: number): BinaryWriter {
  out.reset();
  out.byte(kind);
  out.integer(id);
  return out;
}

/** A frame without content. */
export const plainFrame = (kind: number, id: number): Uint8Array => beginFrame(kind, id).view();

export interface RelayedRequest {
  readonly id: number;
  readonly method: string;
  /** Path and query, as the runtime resolved them. */
  readonly target: string;
  readonly headers: HeaderList;
  /** The address of the peer. */
  readonly peer: string;
  /** Why its body could not be read; null where it was, or has not to be. */
  readonly fault: Problem | null;
  readonly body: Uint8Array;
}

export function requestFrame(request: RelayedRequest): Uint8Array {
  const frame = beginFrame(RelayUp.request, request.id);
  frame.text(request.method);
  frame.text(request.target);
  writeHeaders(frame, request.headers);
  frame.text(request.peer);
  frame.boolean(request.fault !== null);
  if (request.fault !== null) writeProblem(frame, request.fault);
  frame.raw(request.body);
  return frame.view();
}

export function readRequest(id: number, frame: BinaryReader): RelayedRequest {
  const method = frame.text();
  const target = frame.text();
  const headers = readHeaders(frame);
  const peer = frame.text();
  const fault = frame.boolean() ? readProblem(frame) : null;
  return { id, method, target, headers, peer, fault, body: frame.rest() };
}

type ProblemTerms = ConstructorParameters<typeof Problem>;

export function writeProblem(frame: BinaryWriter, problem: Problem): void {
  const { kind, userMsg, details, headers } = problem;
  frame.text(JSON.stringify([kind, { userMsg, details, headers }]));
}

export function readProblem(frame: BinaryReader): Problem {
  const [kind, options] = JSON.parse(frame.text()) as ProblemTerms;
  if (!Object.hasOwn(REFUSALS, kind)) throw new TypeError('an unknown refusal');
  return new Problem(kind, options);
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: HeaderList;
  readonly form: BodyForm;
}

/** The body follows where it is whole. */
export function beginAnswer(id: number, { status, headers, form }: AnswerHead): BinaryWriter {
  const frame = beginFrame(RelayDown.answer, id);
  frame.integer(status);
  writeHeaders(frame, headers);
  frame.byte(form);
  return frame;
}

export function readAnswerHead(frame: BinaryReader): AnswerHead {
  const status = frame.integer();
  const headers = readHeaders(frame);
  const form = frame.byte();
  if (form > BodyForm.streamed) throw new TypeError('an unknown form of body');
  return { status, headers, form: form as BodyForm };
}

export function writeHeaders(frame: BinaryWriter, headers: HeaderList): void {
  frame.integer(headers.length);
  for (const [name, value] of headers) {
    frame.text(name);
    frame.text(value);
  }
}

export function readHeaders(frame: BinaryReader): [string, string][] {
  const headers: [string, string][] = [];
  for (let left = frame.integer(); left > 0; left--) headers.push([frame.text(), frame.text()]);
  return headers;
}
