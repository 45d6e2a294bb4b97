// Proof that an address leads to a process: the leader must be reachable there. Every node begins
// a channel with its hello, so the first frame says which process it is.
import { firstHello } from './hello.ts';
import { LinkError, type Transport } from './transport.ts';

/** Rejects with a LinkError unless the link at this address is that of the process. */
export async function requireReachable(
  transport: Transport,
  { node, address, instance }: { readonly [name in 'node' | 'address' | 'instance']: string },
): Promise<void> {
  const problem = await problemOf(transport, address, instance);
  if (problem === null) return;
  throw new LinkError(
    `Node ${node} does not lead, since its link cannot be reached at ${address}: ${problem}. ` +
      'Check --link, --link-listen and the network: a node must reach its own link, too.',
  );
}

async function problemOf(
  transport: Transport,
  address: string,
  instance: string,
): Promise<string | null> {
  try {
    const channel = await transport.dial(address);
    try {
      const found = await firstHello(channel);
      return found.instance === instance ? null : `another process of node ${found.node} answers`;
    } finally {
      channel.close('it was a test of the link');
    }
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    return error.message.replace(/\.$/, '');
  }
}
