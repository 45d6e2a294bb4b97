// The part of a store's contract that is about members: what two nodes do at the same time has the
// result of one after the other.
import { expect, test } from 'bun:test';
import type { Membership, NodeProcess } from '../../src/cluster/members.ts';
import { type ClusterStore, StoreError } from '../../src/cluster/store.ts';
import { candidate, processOf } from './members.ts';

/** Each round is another moment of a race. */
const ROUNDS = 25;
/** The rules of the journal before the first round. */
const FIRST_RULES = 100;

/** A process of a release that reads the rules up to `newestRules`. */
const releaseOf = (node: string, newestRules: number, instance = `${node} at ${node}:1`) =>
  processOf(node, `${node}:1`, { newestRules, instance });

const instanceOf = ({ members }: Membership, name: string): string | undefined =>
  members.find(({ node }) => node === name)?.instance;

/** The membership, or null where the process was rejected. */
async function registered(store: ClusterStore, process: NodeProcess): Promise<Membership | null> {
  try {
    return await store.register(process, null);
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).kind).toBe('rejected');
    return null;
  }
}

type Stores = () => readonly [ClusterStore, ClusterStore];

export function membershipContract(stores: Stores): void {
  registering(stores);
  raisingRules(stores);
}

function registering(stores: Stores): void {
  test('of two processes with one name that register together one is a member', async () => {
    const [a, b] = stores();
    for (let round = 0; round < ROUNDS; round++) {
      const node = `n${round}`;
      const seen = await Promise.all([
        a.register(releaseOf(node, FIRST_RULES, 'one'), null),
        b.register(releaseOf(node, FIRST_RULES, 'two'), null),
      ]);
      const instances = seen.map((membership) => instanceOf(membership, node));
      const winner = instanceOf(await a.members(), node);
      expect(instances).toEqual([winner, winner]);
    }
  });

  test('of two processes that replace a silent one at the same time one does', async () => {
    const [a, b] = stores();
    await a.register(releaseOf('n', FIRST_RULES, 'first'), null);
    for (let round = 0; round < ROUNDS; round++) {
      const [silent] = (await a.members()).members;
      const seen = await Promise.all([
        a.register(releaseOf('n', FIRST_RULES, `one ${round}`), silent!),
        b.register(releaseOf('n', FIRST_RULES, `two ${round}`), silent!),
      ]);
      const winner = instanceOf(await a.members(), 'n');
      expect(winner).toEndWith(` ${round}`);
      expect(seen.map((membership) => instanceOf(membership, 'n'))).toEqual([winner, winner]);
    }
  });

  test('a process that beats at the same time is not replaced, or has lost its place', async () => {
    const [a, b] = stores();
    await a.register(releaseOf('n', FIRST_RULES, 'first'), null);
    for (let round = 0; round < ROUNDS; round++) {
      const [silent] = (await a.members()).members;
      const own = silent!.instance;
      await Promise.all([
        a.beat({ node: 'n', instance: own }),
        b.register(releaseOf('n', FIRST_RULES, `next ${round}`), silent!),
      ]);
      const [now] = (await a.members()).members;
      const isReplaced = now!.instance === `next ${round}`;
      expect(isReplaced || now!.instance === own).toBe(true);
      // A beat that came first keeps the place; one that came later counts for nobody.
      expect(now!.beats).toBe(silent!.beats + 1);
      expect(instanceOf(await a.beat({ node: 'n', instance: own }), 'n')).toBe(now!.instance);
    }
  });
}

function raisingRules(stores: Stores): void {
  test('the rules rise, or a node of the older release registers, and never both', async () => {
    const [a, b] = stores();
    const newest = FIRST_RULES + ROUNDS;
    await a.register(releaseOf('old', FIRST_RULES), null);
    await a.register(releaseOf('new', newest), null);
    expect(await a.acquire(candidate('new', 'new:1'))).toMatchObject({ rules: FIRST_RULES });
    await a.forget(1, 'old');
    for (let rules = FIRST_RULES + 1; rules <= newest; rules++) {
      const [raised, late] = await Promise.all([
        a.raiseRules(1, rules),
        registered(b, releaseOf('late', rules - 1)),
      ]);
      const now = await a.members();
      const isMember = instanceOf(now, 'late') !== undefined;
      expect(now.rules).toBe(isMember ? rules - 1 : rules);
      expect(raised.rules).toBe(now.rules);
      expect(late === null).toBe(!isMember);
      await a.forget(1, 'late');
      expect((await a.raiseRules(1, rules)).rules).toBe(rules);
    }
  });

  test('the rules only rise, and only in the term that raises them', async () => {
    const [a, b] = stores();
    await a.register(releaseOf('old', FIRST_RULES), null);
    await a.register(releaseOf('new', FIRST_RULES + 9), null);
    await a.acquire(candidate('new', 'new:1'));
    await a.forget(1, 'old');
    const [handedOver, ...raised] = await Promise.allSettled([
      b.handOver(1, candidate('other', 'other:1')),
      a.raiseRules(1, FIRST_RULES + 2),
      b.raiseRules(1, FIRST_RULES + 1),
    ]);
    expect(handedOver!.status).toBe('fulfilled');
    for (const one of raised) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ kind: 'fenced' });
    }
    const [two, one] = raised.map(({ status }) => status === 'fulfilled');
    const expected = two ? FIRST_RULES + 2 : one ? FIRST_RULES + 1 : FIRST_RULES;
    expect((await a.members()).rules).toBe(expected);
    await expect(a.raiseRules(1, FIRST_RULES + 9)).rejects.toMatchObject({ kind: 'fenced' });
    expect((await a.raiseRules(2, FIRST_RULES)).rules).toBe(expected);
  });
}
