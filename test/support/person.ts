// A user of the user center of a test node: registers with the emailed code, logs in, enrolls an
// authenticator, all over HTTP, and reads the emails.
import type { StoredMail } from '../../src/identity/mail/outbox.ts';
import { stepAt, totpCode } from '../../src/identity/proofs/totp-code.ts';
import type { Answer, TestNode } from './node.ts';
import { expectOk } from './shape.ts';

export const CENTER = '/user-center/v1';
export const SEND_CODE = '/user-center/common/sendEmailAuthCode';
const CHANGES_TOKEN: ReadonlySet<string> = new Set([
  'password/change',
  'totp/activate',
  'totp/disable',
]);
export const PASSWORD = 'quiet lantern over snow';

let people = 0;

export class Person {
  readonly node: TestNode;
  readonly email: string;
  uid = 0;
  token = '';
  secret = '';
  recoveryCodes: string[] = [];

  constructor(node: TestNode, email = `person${++people}@example.com`) {
    this.node = node;
    this.email = email;
  }

  /** Registered and logged in; with `totp`, with an authenticator too. */
  static async join(node: TestNode, { totp = false } = {}): Promise<Person> {
    const person = new Person(node);
    const { ticket } = expectOk(await person.register());
    const confirmed = await person.confirm(String(ticket), await person.code());
    person.uid = Number(expectOk(confirmed).uid);
    person.token = String(expectOk(await person.login()).token);
    if (totp) await person.enroll();
    return person;
  }

  register(password = PASSWORD): Promise<Answer> {
    return this.node.post(`${CENTER}/register`, { email: this.email, password });
  }

  confirm(ticket: string, emailAuthCode: string): Promise<Answer> {
    const { email } = this;
    return this.node.post(`${CENTER}/register/confirm`, { email, emailAuthCode, ticket });
  }

  login(more: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const body = { email: this.email, password: PASSWORD, ...more };
    return this.node.post(`${CENTER}/login`, body, headers);
  }

  async enroll(): Promise<void> {
    this.secret = String(expectOk(await this.post('totp/enroll')).secret);
    const activated = await this.post('totp/activate', { googleAuthCode: this.totp() });
    this.recoveryCodes = expectOk(activated).recoveryCodes as unknown as string[];
  }

  /** The code of the authenticator, `ahead` steps from now. */
  totp(ahead = 0): string {
    return totpCode(fromBase32(this.secret), stepAt(Date.now()) + ahead);
  }

  /** A recovery code that was not given yet. */
  spare(): string {
    return this.recoveryCodes.pop()!;
  }

  /** Asks for a code to create a key, and reads it. */
  async keyCode(): Promise<string> {
    expectOk(await this.node.post(SEND_CODE, { operationType: 7 }, this.headers));
    return this.code();
  }

  get headers(): Record<string, string> {
    return { 'exchange-token': this.token };
  }

  /** Goes on with the token that the answer tells, where what protects the account was changed. */
  async post(path: string, body: object = {}): Promise<Answer> {
    const answer = await this.node.post(`${CENTER}/${path}`, body, this.headers);
    const { token } = answer.body;
    if (CHANGES_TOKEN.has(path) && token !== undefined) this.token = String(token);
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.node.request(`${CENTER}/${path}`, { headers: this.headers });
  }

  /** The mails to this person, newest first. */
  async mails(): Promise<StoredMail[]> {
    const all = await this.node.services.identity.outbox.list(1000);
    return all.filter(({ to }) => to === this.email);
  }

  /** The code in the newest mail that has one. */
  async code(): Promise<string> {
    for (const { body } of await this.mails()) {
      const code = codeIn(body);
      if (code !== undefined) return code;
    }
    throw new Error('no code was mailed');
  }
}

/** The code in an email, if it has one. */
export const codeIn = (body: string): string | undefined =>
  /^ {4}(\d{6}|[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})$/m.exec(body)?.[1];

/** Changes the identity of a node as agio would have: time passes, say. */
export function tamper({ services }: TestNode, sql: string): void {
  const { store } = services.identity;
  store.write(() => store.query(sql).run());
}

/** A code of the same form that is not this one. */
export const otherThan = (code: string): string =>
  code.replace(/^./, (first) => (first === '2' ? '3' : '2'));

export function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) {
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  }
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
