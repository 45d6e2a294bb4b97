// The operator's calls about the installation itself: journal, snapshots, audit log, outbox, clock
// and rate limits.
import { rateLimit } from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import { readPage, writePage } from '../../../contract/paging.ts';
import { invalidField, Problem } from '../../../contract/problem.ts';
import { ViewsUnavailable } from '../../../views/views.ts';
import { historyUnavailable } from '../../http/problem-of.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { answerable } from '../../operations/operator-audit.ts';
import { reads } from '../kinds.ts';

/** Dates keep four digits for the year. */
const END_OF_TIME = Date.UTC(9999, 11, 31);
/**
 * The journal's head moves one step ahead of the state; a few turns of the event loop bring them
 * together.
 */
const HEAD_TRIES = 100;

const STOP_FIRST =
  'A node of a cluster removes no files while it runs: stop it, then archive its journal.';

const journalHead = route(operatorCalls.journalHead, {
  audit: { action: 'journal.head' },
  async handle(services) {
    const { engine, node } = services;
    for (let tries = 0; tries < HEAD_TRIES; tries++) {
      const head = node.journalHead();
      if (head.seq === engine.seq) {
        const { state } = engine.exchange;
        const stateHash = state.stateHash();
        return ok(
          { seq: head.seq, time: state.time, chainHash: head.chainHash, stateHash },
          head.seq,
        );
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Problem('notReady', { headers: { 'Retry-After': '1' } });
  },
});

const truncateJournal = route(operatorCalls.truncateJournal, {
  audit: { action: 'journal.truncate', object: (_, body) => (body ? `seq:${body.seq}` : null) },
  async handle({ engine, node, cluster }, { body }) {
    // The files that were archived may be those of another node, which has passed this call on.
    if (cluster !== null) throw new Problem('truncationRejected', { userMsg: STOP_FIRST });
    const archived = {
      nextSeq: body.seq + 1,
      chainHash: new Uint8Array(Buffer.from(body.chainHash, 'hex')),
    };
    const done = await node.truncateJournal(archived);
    if ('firstSeq' in done) return ok({ firstSeq: done.firstSeq }, engine.seq);
    throw new Problem('truncationRejected', { userMsg: done.rejected });
  },
});

const snapshot = route(operatorCalls.snapshot, {
  audit: { action: 'snapshot.create' },
  async handle({ node }) {
    try {
      const { seq, stateHash } = await node.snapshot();
      return ok({ seq, stateHash }, seq);
    } catch (error) {
      if (!(error instanceof ViewsUnavailable)) throw error;
      throw historyUnavailable(error, `No snapshot was written (${error.reason}). `);
    }
  },
});

const advanceClock = route(operatorCalls.advanceClock, {
  audit: { action: 'clock.advance' },
  async handle({ config, engine }, { body }) {
    if (config.mode !== 'sandbox') {
      throw new Problem('privilegeMissing', {
        userMsg: 'The clock can be moved in the sandbox only; this is production.',
        details: { rule: 'sandboxOnly' },
      });
    }
    const room = END_OF_TIME - engine.now;
    if (body.ms > room) {
      const details = { rule: 'maximum', limit: room, value: body.ms };
      throw invalidField('ms', 'keep the clock within the year 9999', details);
    }
    const now = await engine.advanceClock(body.ms);
    return ok({ now }, engine.seq);
  },
});

export const operatorSystemRoutes: readonly Route[] = [
  journalHead,
  truncateJournal,
  snapshot,
  reads(
    operatorCalls.audit,
    (_, { query }, { identity: { audit } }) => {
      const page = readPage(query);
      const written = writePage(audit.list(page), page, (entry) => ({
        ...entry,
        details: answerable(entry.details) as typeof entry.details,
      }));
      return { ...written, head: audit.head() };
    },
    { action: 'audit.list' },
  ),
  reads(
    operatorCalls.outbox,
    async (_, { query }, { identity }) => ({ items: await identity.outbox.list(query.limit) }),
    { action: 'outbox.list' },
  ),
  reads(
    operatorCalls.clock,
    ({ clockOffset: offset }, _call, { engine }) => {
      const wall = engine.wall();
      const { now } = engine;
      return { now, wall, offset, ahead: Math.max(0, now - wall) };
    },
    { action: 'clock.read' },
  ),
  advanceClock,
  reads(
    operatorCalls.rateLimits,
    (_, _call, { limits }) => ({ items: limits.report().map((each) => rateLimit.write(each)) }),
    { action: 'limits.list' },
  ),
];
