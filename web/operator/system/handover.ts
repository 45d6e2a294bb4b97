// Waits for the end of a handover, which the server only begins with its answer.
import type { Cluster } from '../../../src/sdk/index.ts';
import { operator } from '../data.ts';

const LOOK_MS = 250;
/** A failover after a failed handover takes about three seconds. */
const LOOKS = 40;

/** The cluster in a later term than `epoch`. Rejects as the last look did. */
export async function laterTerm(epoch: number): Promise<Cluster> {
  for (let looks = 1; ; looks++) {
    try {
      const cluster = await operator.cluster();
      if (cluster.epoch > epoch || looks >= LOOKS) return cluster;
    } catch (error) {
      // Nobody leads for a moment.
      if (looks >= LOOKS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
