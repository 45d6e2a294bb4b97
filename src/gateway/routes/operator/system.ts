// The operator's calls about the installation itself: journal, snapshots, audit log, outbox and
// clock.

import { integer, optional } from '../../../contract/fields.ts';
import { object } from '../../../contract/object.ts';
import { emptyBody, pageQuery, truncationBody, writePage } from '../../../contract/operator.ts';
import { invalidField, Problem } from '../../../contract/problem.ts';
import { DAY_MS } from '../../../core/earn/plan.ts';
import { ViewsUnavailable } from '../../../views/views.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { answerable } from '../../operations/operator-audit.ts';
import type { Services } from '../../services.ts';
import { historyUnavailable } from '../../unavailable.ts';
import { OPERATOR } from './call.ts';

/** More than a year of interest days in one call, and still an end to how long it may work. */
const MAX_ADVANCE_MS = 400 * DAY_MS;
/** Dates keep four digits for the year. */
const END_OF_TIME = Date.UTC(9999, 11, 31);
/**
 * The journal's head moves one step ahead of the state; a few turns of the event loop bring them
 * together.
 */
const HEAD_TRIES = 100;

const journalHead = route({
  method: 'GET',
  path: `${OPERATOR}/journal/head`,
  access: 'operator',
  audit: { action: 'journal.head' },
  summary: 'The end of the journal: its position, its hash, and the hash of the state there.',
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

const truncateJournal = route({
  method: 'POST',
  path: `${OPERATOR}/journal/truncate`,
  access: 'operator',
  audit: { action: 'journal.truncate', object: (_, body) => (body ? `seq:${body.seq}` : null) },
  summary:
    'Removes journal files up to `seq`, whose chain hash shows that they were archived; keeps what ' +
    'both snapshots need. `agio journal archive` calls it.',
  body: truncationBody,
  async handle({ engine, node }, { body }) {
    const archived = {
      nextSeq: body.seq + 1,
      chainHash: new Uint8Array(Buffer.from(body.chainHash, 'hex')),
    };
    const done = await node.truncateJournal(archived);
    if ('firstSeq' in done) return ok({ firstSeq: done.firstSeq }, engine.seq);
    throw new Problem('truncationRefused', { userMsg: done.refused });
  },
});

const snapshot = route({
  method: 'POST',
  path: `${OPERATOR}/snapshot`,
  access: 'operator',
  audit: { action: 'snapshot.create' },
  summary: 'Takes a snapshot now; answers when it is on disk.',
  body: emptyBody,
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

const audit = route({
  method: 'GET',
  path: `${OPERATOR}/audit`,
  access: 'operator',
  audit: { action: 'audit.list' },
  summary: 'The audit log, newest first. `head`, noted elsewhere, proves that nothing was cut.',
  query: pageQuery,
  handle({ identity, engine }, { query }) {
    const page = writePage(identity.audit.list(query), query, (entry) => ({
      ...entry,
      details: answerable(entry.details),
    }));
    return ok({ ...page, head: identity.audit.head() }, engine.seq);
  },
});

const outbox = route({
  method: 'GET',
  path: `${OPERATOR}/outbox`,
  access: 'operator',
  audit: { action: 'outbox.list' },
  summary: 'The newest mails of the outbox directory, newest first.',
  query: object({ limit: optional(integer({ min: 1, max: 100 }), 20) }),
  async handle({ identity, engine }, { query }) {
    const mails = await identity.outbox.list(query.limit);
    return ok({ items: mails }, engine.seq);
  },
});

/** Business time, wall clock, and how far the sandbox moved the first ahead of the second. */
function clockOf({ engine }: Services): { now: number; wall: number; offset: number } {
  return { now: engine.now, wall: engine.wall(), offset: engine.exchange.state.clockOffset };
}

const clock = route({
  method: 'GET',
  path: `${OPERATOR}/clock`,
  access: 'operator',
  audit: { action: 'clock.read' },
  summary: 'Business time, wall clock, and what the sandbox moved the one ahead of the other.',
  handle: (services) => ok(clockOf(services), services.engine.seq),
});

const advanceClock = route({
  method: 'POST',
  path: `${OPERATOR}/clock/advance`,
  access: 'operator',
  audit: { action: 'clock.advance' },
  summary: 'Sandbox only: moves business time forward; answers when all that became due is done.',
  body: object({
    ms: integer({ min: 1, max: MAX_ADVANCE_MS, lenient: true, about: 'At most 400 days.' }),
  }),
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
  audit,
  outbox,
  clock,
  advanceClock,
];
