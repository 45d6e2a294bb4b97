// The operator of a test node: calls of the operator API over HTTP. Each has to be in the audit log
// with its action and its result.
import { expect } from 'bun:test';
import { callOf } from '../../src/contract/answer-faults.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import type { AuditEntry } from '../../src/identity/audit.ts';
import type { Node } from '../../src/node.ts';
import { type Answer, answerOf } from './node.ts';

/** The newest entries to look through for that of one call: more than calls are under way. */
const RECENT = 200;

/** The parts of a node that it needs; a TestNode has them. */
export interface OperatedNode extends Pick<Node, 'url' | 'services'> {
  readonly operatorToken: string;
}

export class Operator {
  readonly #node: OperatedNode;
  readonly #authorization: { readonly Authorization: string };

  constructor(node: OperatedNode) {
    this.#node = node;
    this.#authorization = { Authorization: `Bearer ${node.operatorToken}` };
  }

  get = (path: string): Promise<Answer> => this.send('GET', path);
  post = (path: string, body: unknown = {}): Promise<Answer> => this.send('POST', path, body);
  patch = (path: string, body: unknown): Promise<Answer> => this.send('PATCH', path, body);

  /** A text is sent as it is, everything else as JSON. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = this.#authorization,
  ): Promise<Answer> {
    const init: RequestInit = { method, headers };
    if (body !== undefined) {
      init.body = typeof body === 'string' ? body : JSON.stringify(body);
      init.headers = { 'Content-Type': 'application/json', ...headers };
    }
    const response = await fetch(`${this.#node.url}/operator/v1/${path}`, init);
    const answer = await answerOf(response, method);
    this.#expectAudited(method, response.url, answer);
    return answer;
  }

  /** A call without the token is no call of the operator, and a full disk defers entries. */
  #expectAudited(method: string, url: string, { status, headers, body }: Answer): void {
    const { audit } = this.#node.services.identity;
    const route = callOf(routes, { method, path: new URL(url).pathname });
    if (route === undefined || [401, 429, 503].includes(status) || audit.deferred > 0) return;
    const requestId = headers.get('x-request-id');
    const entry = this.audited(RECENT).find((each) => each.requestId === requestId);
    const result = status === 200 ? 'ok' : String(body.code);
    expect(entry).toMatchObject({ actor: 'operator', action: route.audit!.action, result });
  }

  /** A new user with this address. */
  async user(email: string): Promise<number> {
    const { status, text, body } = await this.post('users', { email });
    if (status !== 200) throw new Error(`the user was rejected: ${text}`);
    return Number(body.uid);
  }

  /** The newest entries of the audit log, newest first. */
  audited(count = 1): readonly AuditEntry[] {
    return this.#node.services.identity.audit.list({ page: 1, pageSize: count }).items;
  }

  get auditCount(): number {
    return this.#node.services.identity.audit.head().id;
  }
}
