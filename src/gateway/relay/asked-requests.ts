// The side of a relay that asks: it reads a request to pass it on, and makes the response of the
// frames that come back. A streamed body comes part by part, as the client takes it.
import type { ApiCall } from '../../contract/call.ts';
import type { BinaryReader } from '../../core/binary.ts';
import { readBytes } from '../http/request-body.ts';
import type { Router } from '../http/router.ts';
import { BodyForm, plainFrame, RelayDown, RelayUp, readAnswerHead } from './frames.ts';

const NO_BYTES = new Uint8Array(0);

/** The body while it arrives; none where the other side refuses the request by its headers. */
export function readBody(
  router: Router<ApiCall>,
  request: Request,
  path: string,
): Uint8Array | Promise<Uint8Array> {
  try {
    return readBytes(request, router.find(request.method, path).route);
  } catch {
    return NO_BYTES;
  }
}

interface StreamedBody {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  taken: () => void;
}

export class RelayedAnswers {
  readonly #send: (frame: Uint8Array) => void;
  readonly #bodies = new Map<number, StreamedBody>();

  constructor(send: (frame: Uint8Array) => void) {
    this.#send = send;
  }

  /** The response in a frame of kind `answer`. */
  responseOf(id: number, frame: BinaryReader): Response {
    const { status, headers, form } = readAnswerHead(frame);
    const head = { status, headers: headers as [string, string][] };
    if (form === BodyForm.none) return new Response(null, head);
    if (form === BodyForm.whole) return new Response(frame.rest() as BodyInit, head);
    return new Response(this.#bodyOf(id), head);
  }

  #bodyOf(id: number): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#bodies.set(id, { controller, taken: () => {} });
        },
        pull: () =>
          new Promise<void>((taken) => {
            const body = this.#bodies.get(id);
            if (body === undefined) return taken();
            body.taken = taken;
            this.#send(plainFrame(RelayUp.pull, id));
          }),
        cancel: () => {
          this.#bodies.delete(id);
          this.#send(plainFrame(RelayUp.cancel, id));
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Continues a streamed body with a frame of one of the three kinds for it. */
  continueBody(kind: number, id: number, frame: BinaryReader): void {
    const body = this.#bodies.get(id);
    if (body === undefined) return;
    if (kind === RelayDown.bodyPart) {
      body.controller.enqueue(frame.rest());
    } else {
      this.#bodies.delete(id);
      if (kind === RelayDown.bodyEnd) body.controller.close();
      else body.controller.error(brokenOff());
    }
    body.taken();
  }

  /** The other side is gone: the bodies that have not ended break off. */
  end(): void {
    for (const { controller, taken } of this.#bodies.values()) {
      controller.error(brokenOff());
      taken();
    }
    this.#bodies.clear();
  }
}

const brokenOff = (): Error => new Error('the answer broke off');
