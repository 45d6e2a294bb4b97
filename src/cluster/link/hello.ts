// The first frame of both sides of a link: who they are and how far they have come. Both sides
// judge it by the same rules, so both can say why a link was rejected.
//
// The mark and the protocol version stay the first fields in every version. A release speaks its
// own version and the one before, and so runs beside releases that are one version apart.
import { assert } from '../../core/assert.ts';
import { BinaryReader, BinaryWriter } from '../../core/binary.ts';
import { boolean, bytes32, integer, record, text, type ValueOf } from '../../core/codec.ts';
import { RULES } from '../../core/rules.ts';
import { sameBytes } from '../../journal/record.ts';
import { type Channel, firstFrame, LinkError, NameTakenError } from './transport.ts';

const MARK = 'agio link';
/** The version of the messages. Raise it when a release changes one. */
const PROTOCOL = 1;
/** The versions that this release speaks. */
export const LINK_VERSIONS = { oldest: Math.max(0, PROTOCOL - 1), newest: PROTOCOL } as const;
/** Until the other side must have sent it. */
const HELLO_MS = 2000;

const HELLO = record({
  /** The version of the core's rules that the release writes. */
  rules: integer,
  node: text,
  /** Where other nodes reach it, as host:port. */
  address: text,
  /** Its process: see NodeProcess in cluster/members.ts. */
  instance: text,
  /** False on a node that does not lead, which closes the channel. */
  leads: boolean,
  /** The same on all nodes of a cluster. */
  clusterId: bytes32,
  /** The term that the node knows. */
  epoch: integer,
  /** The end of its copy of the journal. */
  seq: integer,
  chainHash: bytes32,
  identityVersion: integer,
});

export type Hello = Omit<ValueOf<typeof HELLO>, 'rules'>;

export interface PeerHello extends ValueOf<typeof HELLO> {
  /** The version of the messages for this channel: the older of both. */
  readonly protocol: number;
}

/**
 * Sends the own hello and resolves with the other side's. Then the caller attaches to the channel.
 * Rejects with a LinkError where they do not belong together; the channel is then closed.
 */
export async function exchangeHello(channel: Channel, own: Hello): Promise<PeerHello> {
  const first = helloOf(channel);
  channel.send(helloFrame(own));
  let peer: PeerHello;
  try {
    peer = await first;
    requireSameCluster(own, peer);
  } catch (error) {
    const reason = (error as Error).message;
    channel.close(reason);
    throw new LinkError(`The link with ${channel.peer} was rejected: ${reason}.`);
  }
  if (own.node !== peer.node) return peer;
  channel.close('both nodes have one name');
  throw NameTakenError.of(peer);
}

/** The hello of the other side, which sends it without being asked. Rejects with a LinkError. */
export function firstHello(channel: Channel): Promise<PeerHello> {
  return helloOf(channel).catch((error: Error) => {
    throw new LinkError(`${error.message}.`);
  });
}

/** The other side's hello, after which nobody receives its frames. Rejects with the reason. */
async function helloOf(channel: Channel): Promise<PeerHello> {
  const peer = readHello(await firstFrame(channel, HELLO_MS, 'the peer sent no hello within 2 s'));
  if (typeof peer === 'string') throw new Error(peer);
  return peer;
}

export function helloFrame(own: Hello, { protocol = PROTOCOL, rules = RULES } = {}): Uint8Array {
  const out = new BinaryWriter();
  out.text(MARK);
  out.integer(protocol);
  HELLO.write(out, { ...own, rules });
  return out.view();
}

/** The hello in a frame, or why it cannot be read. */
function readHello(frame: Uint8Array): PeerHello | string {
  try {
    const input = new BinaryReader(frame);
    if (input.text() !== MARK) return 'the peer is not a node of agio';
    const protocol = input.integer();
    if (Math.abs(protocol - PROTOCOL) > 1) {
      return (
        `the peer speaks version ${protocol} of the link and this node version ${PROTOCOL}; ` +
        'upgrade the older node, one release at a time'
      );
    }
    const hello = HELLO.read(input);
    assert(input.atEnd, 'nothing follows a hello');
    return { ...hello, protocol: Math.min(protocol, PROTOCOL) };
  } catch (error) {
    return `the peer sent a malformed hello: ${(error as Error).message}`;
  }
}

/** Throws where two nodes cannot be linked. */
function requireSameCluster(own: Hello, peer: PeerHello): void {
  if (sameBytes(own.clusterId, peer.clusterId)) return;
  throw new Error(
    `node ${peer.node} belongs to another cluster; check --database-url on both nodes`,
  );
}
