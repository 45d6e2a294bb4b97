// A node of a cluster: it finds out who leads and follows that node, or leads itself. It changes
// its role without a restart, since every state that it has had was one of the shared journal.
import { Problem } from '../contract/problem.ts';
import { noLeader } from '../engine/command-port.ts';
import type {
  ClusterControl,
  ClusterRole,
  ClusterStatus,
  ClusterUpgrade,
} from '../gateway/cluster-control.ts';
import { BoundedEntries } from '../gateway/limits/bounded-entries.ts';
import { genesisHash, sameBytes } from '../journal/record.ts';
import { adoptSetAside, catchUp, type EachCommand, requireHarmless } from './catch-up.ts';
import { accepted, Following, type FollowingOptions } from './following.ts';
import { Leading, type LeadingOptions, type TermEnd } from './leading.ts';
import { exchangeHello, type Hello, helloFrame, type PeerHello } from './link/hello.ts';
import { downFrame } from './link/messages.ts';
import { requireReachable } from './link/probe.ts';
import {
  type Channel,
  LinkError,
  type Listener,
  NameTakenError,
  type Transport,
} from './link/transport.ts';
import { accessRejection } from './live-access.ts';
import { readsRules } from './members.ts';
import type { OwnMembership } from './own-membership.ts';
import { HOLD_MS, HoldingPort, NO_LEADER } from './ports.ts';
import { FREE, type Leader, StoreError } from './store.ts';
import { UncertainCommands } from './uncertain-commands.ts';

/** Oscillators differ by some milliseconds in this time. */
const TIME_CHECK_MS = 10_000;
/** A leader that begins needs less than this. */
const ALONE_MS = 3000;
const STOPS = 'this node stops';
/** A node that stops waits so long for answers of the leader. */
const DRAIN_MS = 3000;
/** Between two looks at the lease while nobody leads; each node waits up to twice as long. */
const LOOK_MS = 100;
/** Between two attempts to reach a leader that was just appointed. */
const AGAIN_MS = 10;

export interface MemberOptions
  extends Omit<LeadingOptions, 'rules'>,
    Pick<FollowingOptions, 'onFailure'> {
  readonly membership: OwnMembership;
  /** Where it listens, which differs where a network translates addresses. */
  readonly listenAddress: string;
  readonly transport: Transport;
  /** Called when this node has begun to lead. */
  readonly onLead: () => Promise<void>;
  readonly log: (sentence: string) => void;
}

const NOTHING: TermEnd = { next: null, held: null };

export class Member implements ClusterControl {
  readonly #options: MemberOptions;
  /** A node that is not accepted tries again several times a second. */
  readonly #closedChannels = new BoundedEntries();
  #role: ClusterRole = 'none';
  /** When the present leader's term began, as far as this node knows. */
  #since: number | null = null;
  #leader: Leader | null = null;
  /** The last term that this node knows. */
  #epoch = 0;
  #leading: Leading | null = null;
  #following: Following | null = null;
  readonly #uncertain = new UncertainCommands();
  #listener: Listener | null = null;
  /** The hash of the first record; zeros in an empty cluster. */
  #clusterId = genesisHash();
  #isStopping = false;
  /** Channels to its own link, which tell nobody anything. */
  #isProbing = false;
  #telling: ReturnType<typeof setImmediate> | null = null;
  /** The last trouble that the log has. */
  #reported: string | null = null;
  #timeCheck: ReturnType<typeof setInterval> | null = null;
  /** From then on a start waits for no role. */
  #aloneAt = 0;
  readonly #begun = Promise.withResolvers<void>();
  #hasBegun = false;
  #running: Promise<void> | null = null;
  /** Ends a pause, or a role. */
  #interrupt: () => void = () => {};

  constructor(options: MemberOptions) {
    this.#options = options;
  }

  /** A leader that stood still beyond its lease must not answer before it has looked. */
  get leads(): boolean {
    return this.#role === 'leader' && this.#leading?.holdsLease === true;
  }

  /**
   * Listens for the other nodes. Resolves with the first role, or where neither the leader nor the
   * store can be reached. Rejects with a LinkError, also where another node has its name.
   */
  async start(): Promise<void> {
    const { transport, listenAddress, engine, limits, membership, onFailure } = this.#options;
    membership.onLost = (error) => onFailure(error);
    this.#aloneAt = performance.now() + ALONE_MS;
    limits.share(() => this.#tellTakenSoon());
    engine.follow(NO_LEADER);
    this.#listener = transport.listen(listenAddress, (channel) => void this.#accept(channel));
    this.#running = this.#run();
    this.#timeCheck = setInterval(() => void this.#learnTime(), TIME_CHECK_MS);
    try {
      await this.#begun.promise;
    } catch (error) {
      clearInterval(this.#timeCheck);
      this.#listener.close();
      throw error;
    }
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#begun.resolve();
  }

  /** With what else passes in this turn of the event loop. */
  #tellTakenSoon(): void {
    this.#telling ??= setImmediate(() => {
      this.#telling = null;
      this.#leading?.tellTaken();
      this.#following?.tellTaken();
    });
  }

  async #run(): Promise<void> {
    const { engine, onFailure } = this.#options;
    let inherited = NOTHING;
    while (!this.#isStopping) {
      try {
        const lease = inherited.next ?? (await this.#findLeader());
        if (lease === null) await this.#pause(LOOK_MS);
        else inherited = await this.#serve(lease, inherited.held);
      } catch (error) {
        // The next leader may need some milliseconds to begin.
        if (error instanceof LinkError && inherited.held?.isOpen === true) {
          await this.#pause(AGAIN_MS);
          continue;
        }
        inherited = NOTHING;
        if (error instanceof NameTakenError && !this.#hasBegun) {
          this.#begun.reject(error);
          return;
        }
        if (!(error instanceof StoreError || error instanceof LinkError)) {
          this.#begin();
          onFailure(error);
          return;
        }
        // Neither the leader nor the store keeps a node with a state from serving reads.
        const hasState = error instanceof LinkError || engine.seq > 0;
        if (hasState && performance.now() > this.#aloneAt) this.#begin();
        this.#report(error.message);
        await this.#pause(LOOK_MS);
      } finally {
        this.#setRole('none', inherited.next);
        engine.follow(inherited.held ?? NO_LEADER);
      }
    }
  }

  /** The holder of the lease, which is this node where nobody else holds it; null if unknown. */
  async #findLeader(): Promise<Leader | null> {
    const { clock, store, engine, transport, membership } = this.#options;
    const { lease } = await clock.ask(() => store.readLease());
    // A process before this one may have had it; the store knows that it has ended.
    const isOwn = lease?.node === membership.own.node && lease.address === membership.own.address;
    const renewal = lease?.renewal ?? FREE;
    if (!membership.leaseWatch.see(renewal) && !isOwn) return lease;
    await requireHarmless(store, lease, engine.seq);
    this.#isProbing = true;
    await requireReachable(transport, membership.own).finally(() => {
      this.#isProbing = false;
    });
    const { lease: next } = await clock.ask(() => store.acquire(membership.own, renewal));
    return next !== null && next.renewal !== renewal ? next : null;
  }

  /** Another process may have the name and the address of this node. */
  #isOwn({ node, address, instance }: Leader): boolean {
    const { own } = this.#options.membership;
    return node === own.node && address === own.address && instance === own.instance;
  }

  #serve(lease: Leader, held: HoldingPort | null): Promise<TermEnd> {
    return this.#isOwn(lease) ? this.#lead(lease, held) : this.#follow(lease, held);
  }

  async #lead(lease: Leader, held: HoldingPort | null): Promise<TermEnd> {
    const { clock, store, engine, identity, onLead, log } = this.#options;
    const grantedAt = performance.now();
    const { rules } = await clock.ask(() => store.renew(lease.epoch));
    await this.#catchUp();
    // A stop in between found no role that it could end.
    if (this.#isStopping) return NOTHING;
    const leading = new Leading({ ...this.#options, rules: rules ?? 0 }, lease, grantedAt);
    this.#leading = leading;
    this.#setRole('leader', lease);
    this.#uncertain.reject();
    await onLead();
    log(`This node leads from seq ${engine.seq} on, in term ${lease.epoch}.`);
    held?.passOn(engine, (access) => accessRejection(identity, access, engine.wall()));
    const end = await leading.ended;
    this.#leading = null;
    return end;
  }

  async #follow(lease: Leader, held: HoldingPort | null): Promise<TermEnd> {
    const { engine, log, queueLimit, membership } = this.#options;
    await this.#requireLeading(lease);
    await this.#catchUp();
    const channel = await this.#dialLeader(lease);
    await accepted(channel);
    if (this.#isStopping) {
      channel.close(STOPS);
      return NOTHING;
    }
    const following = new Following({
      ...this.#options,
      channel,
      rules: () => membership.rules,
      each: this.#each,
    });
    this.#following = following;
    this.#setRole('follower', lease);
    held?.passOn(engine);
    this.#uncertain.rejectAfter(following.settle());
    const { reason, next } = await following.ended;
    this.#following = null;
    const nextHeld = next === null ? null : new HoldingPort(queueLimit, HOLD_MS);
    engine.follow(nextHeld ?? NO_LEADER);
    this.#uncertain.add(following.leave(nextHeld));
    log(next === null ? `The leader ${lease.node} is lost: ${reason}.` : `${next.node} leads now.`);
    return { next, held: nextHeld };
  }

  /**
   * Rejects with a LinkError where this node lacks records, and the holder of the lease has not
   * shown that it leads: applying the same records may have ended it.
   */
  async #requireLeading(lease: Leader): Promise<void> {
    const { store, engine } = this.#options;
    if ((await store.head()).seq <= engine.seq) return;
    const channel = await this.#dialLeader(lease);
    channel.close('this node reads the database first');
  }

  /** A channel to a node that leads. Rejects with a LinkError. */
  async #dialLeader({ address }: Leader): Promise<Channel> {
    const channel = await this.#options.transport.dial(address);
    const peer: PeerHello = await exchangeHello(channel, await this.#hello());
    if (peer.leads) return channel;
    channel.close('it does not lead');
    throw new LinkError(`Node ${peer.node} does not lead.`);
  }

  /** Brings files, state and identity to the end of the store. */
  async #catchUp(): Promise<void> {
    const { store, local, engine, identity } = this.#options;
    const replication = identity.replication!;
    await adoptSetAside(store, local, engine.seq);
    await catchUp(store, local, { engine, each: this.#each });
    const version = await store.identityVersion();
    if (!identity.store.differs && version === replication.version) return;
    replication.reload(await store.readIdentity((head) => identity.store.newCopy(head)));
  }

  /** Sessions and keys of a suspended user end on every node. */
  readonly #each: EachCommand = (command, outcome) => {
    if (command.type !== 'amendUser' || command.suspended !== true || !outcome.ok) return;
    this.#options.identity.revocations.emit({ type: 'userSuspended', uid: command.uid });
  };

  /** Another node opened a channel: it follows this one, or learns that it has to look again. */
  async #accept(channel: Channel): Promise<void> {
    try {
      // A node that was just appointed begins in a moment: the others try again until then.
      const own = await this.#hello();
      if (!own.leads) {
        channel.send(helloFrame(own));
        throw new LinkError(`${own.node} does not lead`);
      }
      const hello = await exchangeHello(channel, own);
      const leading = this.#leading;
      if (leading === null) throw new LinkError(`${own.node} does not lead`);
      try {
        leading.accept(channel, hello);
      } catch (error) {
        const { message: reason } = error as Error;
        const isNameTaken = error instanceof NameTakenError;
        channel.send(downFrame('rejected', { reason, isNameTaken }));
        throw error;
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const omitted = this.#isProbing ? null : this.#closedChannels.next();
      if (omitted !== null) {
        const more = omitted === 0 ? '' : ` ${omitted} closed before are not in the log.`;
        this.#options.log(`The channel of ${channel.peer} was closed: ${reason}.${more}`);
      }
      channel.close(reason);
    }
  }

  async #hello(): Promise<Hello> {
    const { membership, store, local, identity } = this.#options;
    const { node, address, instance } = membership.own;
    if (sameBytes(this.#clusterId, genesisHash())) {
      const [first] = await store.read(1, 1);
      if (first !== undefined) this.#clusterId = first.chainHash;
    }
    return {
      node,
      address,
      instance,
      leads: this.#leading !== null,
      epoch: this.#leader?.epoch ?? 0,
      ...local.head,
      clusterId: this.#clusterId,
      identityVersion: identity.replication!.version,
    };
  }

  /** Once, however often it is tried again. */
  #report(trouble: string): void {
    if (trouble === this.#reported) return;
    this.#reported = trouble;
    this.#options.warn(trouble);
  }

  /** The leader learns the time with each renewal of its lease; other nodes ask for it. */
  async #learnTime(): Promise<void> {
    const { clock, store } = this.#options;
    // Without an answer the node goes on by its own oscillator.
    if (!this.leads) await clock.ask(() => store.readLease()).catch(() => undefined);
  }

  #setRole(role: ClusterRole, leader: Leader | null): void {
    if (leader !== null && leader.epoch !== this.#epoch) {
      this.#since = this.#options.clock.now();
    }
    this.#leader = leader;
    this.#epoch = leader?.epoch ?? this.#epoch;
    this.#role = role;
    if (role === 'none') return;
    this.#reported = null;
    // The limits have refilled what passed while there was nobody to tell.
    this.#options.limits.takeNews();
    this.#begin();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms + Math.random() * ms);
      this.#interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  relay(request: Request, peer: string): Promise<Response> {
    const following = this.#following;
    return following === null ? Promise.reject(noLeader()) : following.relay(request, peer);
  }

  syncIdentity(): Promise<void> {
    if (this.leads) return Promise.resolve();
    return this.#following?.syncIdentity() ?? Promise.reject(noLeader());
  }

  async settle(): Promise<void> {
    await ((this.#leading ?? this.#following)?.settle() ?? Promise.reject(noLeader()));
  }

  /** The engine has applied the journal up to `seq`, which ends a record. */
  applied(seq: number): void {
    this.#leading?.applied(seq);
  }

  status(): ClusterStatus {
    const { engine, membership } = this.#options;
    const { node, address } = membership.own;
    const leader = this.#leader;
    const role = this.leads ? 'leader' : 'follower';
    const own = { node, address, role, seq: engine.seq, connectedSince: null } as const;
    const others = this.#leading?.feeds.map((feed) => feed.status()) ?? [];
    return {
      node,
      role: this.#role,
      epoch: this.#epoch,
      leader: leader === null ? null : { node: leader.node, address: leader.address },
      since: this.#since,
      nodes: [own, ...others],
      members: membership.members,
      seesStore: membership.seesStore,
      trouble: this.#role === 'none' ? this.#reported : null,
      rules: membership.rules,
      standbys: membership.standbys,
      otherTokens: membership.otherTokens,
    };
  }

  async handOver(node: string): Promise<void> {
    const leading = this.#leading;
    if (leading === null) throw noLeader();
    const feed = leading.feeds.find((one) => one.node === node && one.isLive);
    if (feed === undefined) throw new Problem('nodeUnknown');
    await requireReachable(this.#options.transport, feed);
    await leading.handOver(feed);
  }

  /** See ClusterControl.upgrade. */
  async upgrade(isTrial: boolean): Promise<ClusterUpgrade> {
    const leading = this.#leading;
    if (leading === null) throw noLeader();
    const { store, membership } = this.#options;
    await membership.refresh();
    const from = membership.rules;
    const to = Math.max(...membership.members.map(({ newestRules }) => newestRules));
    const older = membership.members.filter((member) => !readsRules(member, to));
    if (isTrial || older.length > 0) return { from, to, older };
    const { rules } = await store.raiseRules(leading.epoch, to);
    leading.raise(rules ?? 0);
    await membership.refresh();
    // A node of the older release may have registered in between.
    const blocking = membership.members.filter((member) => !readsRules(member, to));
    return { from, to, older: (rules ?? 0) < to ? blocking : [] };
  }

  /** See ClusterControl.forget. */
  async forget(node: string): Promise<void> {
    const leading = this.#leading;
    if (leading === null) throw noLeader();
    const { store, membership } = this.#options;
    await membership.refresh();
    const member = membership.members.find((each) => each.node === node);
    if (member === undefined) throw new Problem('memberUnknown');
    const isConnected = leading.feeds.some((feed) => feed.node === node);
    const isSelf = node === membership.own.node;
    if (isSelf || isConnected || member.isRunning) throw new Problem('nodeRuns');
    await store.forget(leading.epoch, node);
    await membership.refresh();
  }

  /** Gives the lead to another node if there is one, and leaves the cluster. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#begin();
    this.#interrupt();
    if (this.#timeCheck !== null) clearInterval(this.#timeCheck);
    this.#listener?.close();
    const leading = this.#leading;
    const [next] = (leading?.feeds ?? [])
      .filter(({ isLive }) => isLive)
      .sort((a, b) => b.ackedSeq - a.ackedSeq);
    if (leading !== null && next !== undefined) await leading.handOver(next).catch(() => undefined);
    else await leading?.resign();
    await this.#following?.drain(DRAIN_MS);
    this.#following?.close(STOPS);
    await this.#running;
    this.#uncertain.reject();
  }
}
