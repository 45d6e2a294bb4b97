// Sends emails, as files of the sandbox's outbox or by SMTP. `send` does not wait for the mail
// server, whose time must neither delay an answer nor show whether an account exists. A failed
// email is retried a few times and then dropped; the log has its kind and the server's reply code,
// never its text or recipient. The queue is in memory: after a restart, users request a new code.
import { createTransport } from 'nodemailer';
import type { MailKind, MailText } from './messages.ts';
import type { Mail, Outbox } from './outbox.ts';

export interface Mailer {
  /** Queues the email; false where the queue is full and the email is dropped. */
  send(to: string, text: MailText): boolean;
  /**
   * Queues an email about an act of the operator behind all others, so that codes do not wait for
   * the emails of many transfers. It never throws.
   */
  notify(to: string, text: MailText): void;
  /** Does the work of `send` without sending, so that the time is the same for no account. */
  pretend(text: MailText): void;
  /** The number of emails that are not delivered yet. */
  readonly waiting: number;
  /** The number of emails that were dropped since the start. */
  readonly lost: number;
  /** Resolves when every mail is delivered or dropped. */
  settled(): Promise<void>;
  /** Tries the waiting emails once more for `withinMs`, then closes the connection. */
  close(withinMs?: number): Promise<void>;
}

/** The loggable facts of an email that was not delivered. */
export interface MailFailure {
  readonly kind: MailKind;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** True if there is a retry. */
  readonly willRetry: boolean;
  /** The reply code of the server (550); null for none. */
  readonly reply: number | null;
  /** The kind of failure (`ECONNECTION`, `EAUTH`, `queueFull`). */
  readonly reason: string;
}

export interface MailOptions {
  /** AGIO_SMTP_URL; null for the outbox. */
  readonly smtpUrl: string | null;
  /** AGIO_MAIL_FROM; null to derive it from the URL. */
  readonly from: string | null;
  readonly onFailure: (failure: MailFailure) => void;
}

/** The sender of the sandbox, in a domain that can never exist (RFC 6761). */
const SANDBOX_FROM = 'agio <no-reply@agio.invalid>';

/** The recipient of emails that are not sent. */
const NOBODY = 'nobody@agio.invalid';

/** The mailer of these options: SMTP, or the outbox where there is no mail server. */
export function openMailer(options: MailOptions, outbox: Outbox): Mailer {
  const { smtpUrl, from, onFailure } = options;
  if (smtpUrl === null) return new OutboxMailer(outbox, from ?? SANDBOX_FROM);
  return new SmtpMailer({ url: smtpUrl, from: from ?? senderOf(smtpUrl), onFailure });
}

/** The user of the mail server where that is an email address, else no-reply at its host. */
export function senderOf(smtpUrl: string): string {
  const { username, hostname } = new URL(smtpUrl);
  const user = decodeURIComponent(username);
  return /^[^\s@<>]+@[^\s@<>]+$/.test(user) ? user : `no-reply@${hostname}`;
}

/** Emails as files, which exist when `send` returns. */
class OutboxMailer implements Mailer {
  readonly waiting = 0;
  readonly lost = 0;
  readonly #outbox: Outbox;
  readonly #from: string;

  constructor(outbox: Outbox, from: string = SANDBOX_FROM) {
    this.#outbox = outbox;
    this.#from = from;
  }

  send(to: string, { subject, body }: MailText): boolean {
    this.#outbox.write({ from: this.#from, to, subject, body });
    return true;
  }

  notify(to: string, text: MailText): void {
    try {
      this.send(to, text);
    } catch {
      // The disk is full, which the log has; the act of the operator is done.
    }
  }

  pretend({ subject, body }: MailText): void {
    this.#outbox.discard({ from: this.#from, to: NOBODY, subject, body });
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {}
}

export interface SmtpOptions {
  /**
   * `smtps://` is TLS from the first byte. `smtp://` uses STARTTLS where the server offers it, and
   * requires it with a password or `?tls=required`. Certificates are always checked.
   */
  readonly url: string;
  readonly from: string;
  readonly onFailure: (failure: MailFailure) => void;
  /** Pauses before the second, third, … attempt; by default 2 s, 10 s and 60 s. */
  readonly retryAfterMs?: readonly number[];
  /** For the connection, the greeting, and silence in between; by default 10 s. */
  readonly timeoutMs?: number;
  /** A certificate authority in PEM that replaces those of the system. */
  readonly ca?: string;
}

interface Waiting {
  readonly mail: Mail;
  readonly kind: MailKind;
  attempts: number;
  notBefore: number;
}

const RETRY_AFTER_MS = [2_000, 10_000, 60_000] as const;
const TIMEOUT_MS = 10_000;
/** Ordinary use never has more. */
const MAX_WAITING = 1_000;
/** A batch of transfers has many; one takes about a kilobyte. */
const MAX_NOTICES = 10_000;
const CLOSE_WITHIN_MS = 3_000;

/** Sends emails by SMTP, in order, over one connection. */
export class SmtpMailer implements Mailer {
  readonly #from: string;
  readonly #onFailure: (failure: MailFailure) => void;
  readonly #retryAfterMs: readonly number[];
  readonly #transport: ReturnType<typeof transportOf>;
  readonly #composer = createTransport({ streamTransport: true, buffer: true });
  readonly #waiting = new Set<Waiting>();
  /** Emails that go out while no other one is due. */
  readonly #notices = new Set<Waiting>();
  readonly #idle: (() => void)[] = [];
  #lost = 0;
  #busy = false;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SmtpOptions) {
    this.#from = options.from;
    this.#onFailure = options.onFailure;
    this.#retryAfterMs = options.retryAfterMs ?? RETRY_AFTER_MS;
    this.#transport = transportOf(options);
  }

  send(to: string, text: MailText): boolean {
    return this.#queue(this.#waiting, MAX_WAITING, to, text);
  }

  notify(to: string, text: MailText): void {
    this.#queue(this.#notices, MAX_NOTICES, to, text);
  }

  #queue(
    queue: Set<Waiting>,
    limit: number,
    to: string,
    { kind, subject, body }: MailText,
  ): boolean {
    if (this.#closed || queue.size >= limit) {
      const reason = this.#closed ? 'closed' : 'queueFull';
      this.#fail({ kind, attempt: 0, willRetry: false, reply: null, reason });
      return false;
    }
    const mail: Mail = { from: this.#from, to, subject, body };
    queue.add({ mail, kind, attempts: 0, notBefore: 0 });
    void this.#work();
    return true;
  }

  pretend({ subject, body }: MailText): void {
    // The network's part of the work is spread over turns of the event loop.
    void this.#composer.sendMail({ from: this.#from, to: NOBODY, subject, text: body });
  }

  get waiting(): number {
    return this.#waiting.size + this.#notices.size;
  }

  get lost(): number {
    return this.#lost;
  }

  settled(): Promise<void> {
    if (this.waiting === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async close(withinMs: number = CLOSE_WITHIN_MS): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    // There are no retries from now on, so this ends.
    for (const waiting of this.#all()) waiting.notBefore = 0;
    void this.#work();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([this.settled(), late]);
    clearTimeout(timer);
    this.#transport.close();
  }

  /** Delivers what is due, one by one, and sets the clock for what is due later. */
  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let due = this.#nextDue(); due !== undefined; due = this.#nextDue()) {
      await this.#deliver(due);
    }
    this.#busy = false;
    if (this.waiting === 0) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { notBefore } of this.#all()) next = Math.min(next, notBefore);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#work(), Math.max(1, next - performance.now()));
    this.#timer.unref();
  }

  #nextDue(): Waiting | undefined {
    const now = performance.now();
    for (const waiting of this.#all()) if (waiting.notBefore <= now) return waiting;
    return undefined;
  }

  *#all(): Generator<Waiting> {
    yield* this.#waiting;
    yield* this.#notices;
  }

  #remove(waiting: Waiting): void {
    if (!this.#waiting.delete(waiting)) this.#notices.delete(waiting);
  }

  async #deliver(waiting: Waiting): Promise<void> {
    const { mail, kind } = waiting;
    waiting.attempts += 1;
    try {
      const { from, to, subject, body } = mail;
      await this.#transport.sendMail({ from, to, subject, text: body });
      this.#remove(waiting);
    } catch (error) {
      const { reply, reason } = failureOf(error);
      const pause = this.#retryAfterMs[waiting.attempts - 1];
      // 5xx is a permanent rejection of this email.
      const willRetry = pause !== undefined && !this.#closed && (reply === null || reply < 500);
      if (willRetry) waiting.notBefore = performance.now() + pause;
      else this.#remove(waiting);
      this.#fail({ kind, attempt: waiting.attempts, willRetry, reply, reason });
    }
  }

  #fail(failure: MailFailure): void {
    if (!failure.willRetry) this.#lost++;
    this.#onFailure(failure);
  }
}

function transportOf({ url, timeoutMs = TIMEOUT_MS, ca }: SmtpOptions) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const hasPassword = password !== '';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && (hasPassword || searchParams.get('tls') === 'required'),
    ...(username === '' ? {} : { auth }),
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A text must not make the library read a file or a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Numbers and names only: a server's sentence may quote the address or the text. */
function failureOf(error: unknown): { reply: number | null; reason: string } {
  if (typeof error !== 'object' || error === null) return { reply: null, reason: 'unknown' };
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  return {
    reply: typeof responseCode === 'number' ? responseCode : null,
    reason: typeof code === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(code) ? code : 'unknown',
  };
}
