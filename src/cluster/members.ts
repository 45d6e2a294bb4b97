// The nodes of a cluster as the store keeps them, and the rule for who may be one: a node that can
// talk to every other member and can read the journal. Only a member gets the lease.
import { OLDEST_RULES, RULES } from '../core/rules.ts';
import { LINK_VERSIONS } from './link/hello.ts';

/** A process of a node: its name, how others reach it, and what its release can do. */
export interface NodeProcess {
  readonly node: string;
  /** Where the other nodes reach its link, as host:port. */
  readonly address: string;
  /** Random: a second process with the same name has another. */
  readonly instance: string;
  readonly release: string;
  /** The versions of the core's rules that it reads. */
  readonly oldestRules: number;
  readonly newestRules: number;
  /** The versions of the link that it speaks. */
  readonly oldestLink: number;
  readonly newestLink: number;
  /** Fingerprints of its operator token, one for each master key: see token-fingerprint.ts. */
  readonly token: string;
}

export interface MemberRow extends NodeProcess {
  /** Rises while the process runs. Clocks of two servers may differ; a count does not. */
  readonly beats: number;
  /** The last beat, by the store's clock, ms since 1970. */
  readonly seenAt: number;
  /** It stopped in order. */
  readonly isStopped: boolean;
}

/** The members of a cluster, and what its journal may have. */
export interface Membership {
  readonly members: readonly MemberRow[];
  /** The rules of the next record; null before the first term. */
  readonly rules: number | null;
  /** See Lease. */
  readonly renewal: string;
  /** The standbys that the database sends its changes to. */
  readonly standbys: number;
}

/** The abilities of this release. */
export const THIS_RELEASE = {
  oldestRules: OLDEST_RULES,
  newestRules: RULES,
  oldestLink: LINK_VERSIONS.oldest,
  newestLink: LINK_VERSIONS.newest,
} as const;

export const readsRules = (process: NodeProcess, rules: number): boolean =>
  process.oldestRules <= rules && rules <= process.newestRules;

/** The process of this node that is a member, and that another process would replace. */
export const otherProcess = (
  own: NodeProcess,
  members: readonly MemberRow[],
): MemberRow | undefined =>
  members.find(
    ({ node, instance, isStopped }) => node === own.node && instance !== own.instance && !isStopped,
  );

/** Why a node cannot be a member beside the others; null where it can. */
export function membershipProblem(
  own: NodeProcess,
  rules: number | null,
  members: readonly MemberRow[],
): string | null {
  if (rules !== null && !readsRules(own, rules)) {
    return (
      `The journal of this cluster has version ${rules} of the rules, and agio ${own.release} ` +
      `reads ${rangeText(own.oldestRules, own.newestRules)}. Start the release of the other nodes.`
    );
  }
  for (const other of members) {
    if (other.node === own.node) continue;
    if (overlap(own.oldestLink, own.newestLink, other.oldestLink, other.newestLink)) continue;
    return (
      `Node ${own.node} cannot talk to node ${other.node}: agio ${own.release} speaks ` +
      `${rangeText(own.oldestLink, own.newestLink)} of the link, and agio ${other.release} ` +
      `${rangeText(other.oldestLink, other.newestLink)}. Upgrade one release at a time. If ` +
      `${other.node} is gone, run "agio cluster forget ${other.node}".`
    );
  }
  const apart = members.find(
    (other) =>
      rules === null &&
      other.node !== own.node &&
      !overlap(own.oldestRules, own.newestRules, other.oldestRules, other.newestRules),
  );
  if (apart === undefined) return null;
  return `Nodes ${own.node} and ${apart.node} read no common version of the rules.`;
}

const overlap = (aFrom: number, aTo: number, bFrom: number, bTo: number): boolean =>
  aFrom <= bTo && bFrom <= aTo;

const rangeText = (from: number, to: number): string =>
  from === to ? `version ${from}` : `versions ${from} to ${to}`;
