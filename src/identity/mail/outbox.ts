// Emails as files: DATA/outbox/*.eml, readable only by their owner, with any mail program. An email
// appears complete or not at all. Names begin with the time, so they sort by age.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_DIRECTORY, writePrivateFile } from '../storage/private-file.ts';

export interface Mail {
  /** An email address, or `Name <address>`. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
}

export interface StoredMail extends Mail {
  /** File name inside the outbox. */
  readonly file: string;
  /** Epoch ms; null where the file has no readable Date. */
  readonly date: number | null;
}

/** RFC 2047 allows 75 characters for an encoded word; 42 bytes become 56 with 12 around them. */
const ENCODED_WORD_BYTES = 42;
/** The longest line of RFC 5322; a longer paragraph is sent in base64. */
const MAX_LINE = 998;

export class Outbox {
  readonly directory: string;
  readonly #now: () => number;
  #written = 0;

  constructor(dataDir: string, now: () => number) {
    this.directory = join(dataDir, 'outbox');
    this.#now = now;
  }

  /** Writes an email, durable on return; returns its file name. */
  write(mail: Mail): string {
    const now = this.#now();
    this.#written += 1;
    const order = `${String(now).padStart(14, '0')}-${String(this.#written).padStart(6, '0')}`;
    const file = `${order}-${randomBytes(4).toString('hex')}.eml`;
    this.#make();
    writePrivateFile(join(this.directory, file), composeMail(mail, now));
    return file;
  }

  /**
   * Does the work of `write` and deletes the file, so that both take the same time. It is never
   * listed.
   */
  discard(mail: Mail): void {
    this.#make();
    const path = join(this.directory, 'discarded');
    writePrivateFile(path, composeMail(mail, this.#now()));
    rmSync(path);
  }

  /** Called with the first mail, since a start on a full disk creates no directory. */
  #make(): void {
    mkdirSync(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  }

  /** The newest emails, newest first. */
  async list(limit = 100): Promise<StoredMail[]> {
    if (!existsSync(this.directory)) return [];
    const names = (await readdir(this.directory)).filter((name) => name.endsWith('.eml'));
    const newest = names.sort().reverse().slice(0, limit);
    return Promise.all(
      newest.map(async (file) => ({
        file,
        ...parseMail(await readFile(join(this.directory, file), 'utf8')),
      })),
    );
  }
}

/** The email in Internet message format (RFC 5322), UTF-8, plain text. */
export function composeMail(mail: Mail, date: number): string {
  const body = mail.body.replace(/\r\n?|\n/g, '\r\n');
  const long = body.split('\r\n').some((line) => Buffer.byteLength(line) > MAX_LINE);
  const headers = [
    `From: ${addressLine(mail.from)}`,
    `To: ${addressLine(mail.to)}`,
    `Subject: ${encodeWords(mail.subject.replace(/\s+/g, ' '))}`,
    `Date: ${new Date(date).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomBytes(16).toString('hex')}@agio.invalid>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Transfer-Encoding: ${long ? 'base64' : '8bit'}`,
  ];
  const content = long ? wrapBase64(body) : body;
  return `${headers.join('\r\n')}\r\n\r\n${content}\r\n`;
}

/** The parts of an email of composeMail; a missing header is empty. */
export function parseMail(text: string): Omit<StoredMail, 'file'> {
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const content = end === -1 ? '' : text.slice(end + 4).replace(/\r\n$/, '');
  const encoded = headers.get('content-transfer-encoding') === 'base64';
  const body = encoded ? Buffer.from(content, 'base64').toString('utf8') : content;
  const date = Date.parse(headers.get('date') ?? '');
  return {
    from: headers.get('from') ?? '',
    to: headers.get('to') ?? '',
    subject: decodeWords(headers.get('subject') ?? ''),
    date: Number.isNaN(date) ? null : date,
    body: body.replaceAll('\r\n', '\n'),
  };
}

/** A line break in an address could add headers. */
function addressLine(address: string): string {
  if (!/^[\x20-\x7e]{3,320}$/.test(address)) {
    throw new TypeError('A mail address is one line of printable ASCII.');
  }
  return address;
}

function encodeWords(text: string): string {
  // A reader would decode "=?" as an encoded word, so such text is encoded too.
  if (/^[\x20-\x7e]{0,900}$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let chunk = '';
  for (const character of text) {
    if (Buffer.byteLength(chunk + character) > ENCODED_WORD_BYTES) {
      words.push(chunk);
      chunk = '';
    }
    chunk += character;
  }
  words.push(chunk);
  return words
    .map((word) => `=?utf-8?B?${Buffer.from(word, 'utf8').toString('base64')}?=`)
    .join('\r\n ');
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?B\?([A-Za-z0-9+/=]*)\?=/gi, (_, word: string) =>
      Buffer.from(word, 'base64').toString('utf8'),
    );
}

function wrapBase64(text: string): string {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  return encoded.replace(/.{76}(?=.)/g, '$&\r\n');
}
