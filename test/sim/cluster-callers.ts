// The callers of a simulated cluster: customers who trade through any node, repeat what was not
// answered, and read their own writes, and an operator who moves money and gives and takes keys.
import type { Revocation } from '../harness/history.ts';
import { type Answer, type Key, operatorPost, type World } from '../harness/sender.ts';
import type { Session } from '../harness/session.ts';
import { TRADING } from '../support/node.ts';
import type { Prng } from '../support/prng.ts';
import { Callers } from './callers.ts';
import { type ClusterNode, OPERATOR_TOKEN } from './cluster-node.ts';
import { MARKET, PLANS } from './foundation.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { SimulatedTime } from './simulated-time.ts';

const HABITS = {
  ...{ market: MARKET, plans: PLANS },
  weights: { order: 12, cancel: 3, amend: 3, balances: 6, lookup: 1 },
  ...{ keyedOneIn: 3, tries: 4, creditOnceOneIn: 3, maxOpen: Number.POSITIVE_INFINITY },
};
/** The rejections of a node that has not passed a command on. */
const NOTHING_DONE = /no node of the cluster leads|did not (accept|carry out)|is starting/i;

export class ClusterCallers {
  readonly counts = { unanswered: 0, rejected503: 0, unknown503: 0 };
  readonly callers: Callers<ClusterNode>;
  readonly #random: Prng;
  readonly #cluster: SimulatedCluster;
  readonly #keys: readonly Key[];
  /** New keys that nobody has revoked. */
  readonly #live: Session<ClusterNode>[] = [];
  #made = 0;
  revoked = 0;

  constructor(time: SimulatedTime, random: Prng, cluster: SimulatedCluster, keys: readonly Key[]) {
    this.#random = random;
    this.#cluster = cluster;
    this.#keys = keys;
    // In some seeds hardly anybody calls.
    const longest = random.pick([120, 120, 120, 120, 1500, 15_000]);
    const world: World<ClusterNode> = {
      nodes: cluster.nodes,
      operatorToken: OPERATOR_TOKEN,
      send: (node, target, init) => this.#send(node, target, init),
      isRejection: ({ status, text }) =>
        status < 500 || (status === 503 && NOTHING_DONE.test(text)),
      hasLateCopies: true,
      // Clocks of callers are a little off.
      timestamp: () => Date.now() + random.between(-1000, 1000),
    };
    const pause = () => random.below(random.oneIn(3) ? 1500 : longest);
    const startSeq = cluster.shared.head.seq;
    this.callers = new Callers({
      ...{ time, random, world, keys, pause, startSeq },
      habits: HABITS,
    });
  }

  /** Everybody calls while `go` holds. */
  call(go: () => boolean): Promise<void> {
    return this.callers.call(Number.POSITIVE_INFINITY, go, () => this.#operate());
  }

  get #anyNode(): ClusterNode {
    return this.#random.pick(this.#cluster.nodes);
  }

  /** Tries again after each `goOn` until this node has credited some money. */
  async untilServing(node: ClusterNode, goOn: () => Promise<void>): Promise<void> {
    const session = this.callers.session(`at-${node.name}`, this.#keys[0]!);
    while ((await session.credit(() => node)).outcome !== 'acknowledged') await goOn();
  }

  async #operate(): Promise<void> {
    const what = this.#random.below(6);
    if (what < 3) await this.callers.operator.credit();
    else if (what < 5) await this.#createKey();
    else await this.#revokeKey();
  }

  /** A new key works immediately, through any node. */
  async #createKey(): Promise<void> {
    const { uid } = this.#random.pick(this.#keys);
    const body = { alias: 'new', moduleIds: TRADING };
    const answer = await this.#operator(`users/${uid}/keys`, body);
    if (answer?.status !== 200) return;
    const key: Key = { uid, ...JSON.parse(answer.text) };
    const session = this.callers.session(`k${++this.#made}`, key);
    this.#live.push(session);
    await session.order();
  }

  /** After the answer, no write of the key is accepted, through any node. */
  async #revokeKey(): Promise<void> {
    if (this.#live.length === 0) return;
    const session = this.#random.pick(this.#live);
    this.#live.splice(this.#live.indexOf(session), 1);
    const { uid, apiKey } = session.sender.key;
    const revocation: Revocation = { apiKey, sentAt: performance.now(), answeredAt: Infinity };
    this.callers.revocations.push(revocation);
    const earlier = session.order(() => this.#anyNode, false);
    const answer = await this.#operator(`users/${uid}/keys/${apiKey}/revoke`, {});
    if (answer?.status === 200) {
      revocation.answeredAt = performance.now();
      this.revoked++;
      await Promise.all(this.#cluster.nodes.map((node) => session.order(() => node, false)));
    }
    await earlier;
  }

  #operator(path: string, body: object): Promise<Answer | null> {
    const init = operatorPost(OPERATOR_TOKEN, body);
    return this.#send(this.#anyNode, `/operator/v1/${path}`, init);
  }

  async #send(node: ClusterNode, target: string, init: RequestInit): Promise<Answer | null> {
    const answer = await this.#cluster.send(node, target, init);
    if (answer === null) this.counts.unanswered++;
    else if (answer.status === 503 && answer.text.includes('100504')) this.counts.unknown503++;
    else if (answer.status === 503) this.counts.rejected503++;
    return answer;
  }
}
