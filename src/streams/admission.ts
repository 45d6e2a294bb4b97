// Checks before the server admits a connection or a request: a place, a channel, a privilege.
import { invalidField, Problem } from '../contract/problem.ts';
import type { ChannelName } from '../contract/streams/requests.ts';
import { Module, type ModuleId } from '../identity/live-key.ts';
import type { Payer } from './budget.ts';
import type { Connection, Login } from './connection.ts';
import { MAX_CHANNELS, MAX_CHANNELS_OF_PAYER } from './limits.ts';

/** Throws Problem tooManyConnections. */
export function requirePlace({ kind, connections }: Payer, limit: number): void {
  if (connections < limit) return;
  const whose = kind === 'account' ? 'of this account' : 'from this address';
  throw new Problem('tooManyConnections', {
    userMsg: `Too many websockets are open ${whose}. Close some first.`,
    details: { rule: 'connections', limit, value: kind },
  });
}

/** Throws Problem tooManyChannels. */
export function requireChannel({ subscriptions, payer }: Connection): void {
  if (subscriptions.size >= MAX_CHANNELS) {
    throw new Problem('tooManyChannels', { details: { rule: 'channels', limit: MAX_CHANNELS } });
  }
  if (payer.channels < MAX_CHANNELS_OF_PAYER) return;
  throw new Problem('tooManyChannels', {
    userMsg:
      `The websockets of this ${payer.kind} have as many channels as they may have. ` +
      'Unsubscribe from some.',
    details: { rule: 'channels', limit: MAX_CHANNELS_OF_PAYER, value: payer.kind },
  });
}

/** Throws Problem privilegeMissing where the login can subscribe to nothing at this endpoint. */
export function requireUse(endpoint: Connection['endpoint'], login: Login): void {
  if (endpoint !== 'account' || !login.allows(Module.earnRead)) {
    requireModule(login, Module.tradingRead);
  }
}

/** The privilege that a channel of an account needs. */
export const moduleOf = (channel: ChannelName): ModuleId =>
  channel === 'subscriptions' || channel === 'interest' ? Module.earnRead : Module.tradingRead;

/** Throws Problem invalidField where the journal, which is at `seq`, has no such position. */
export function requirePast(resumeFrom: number | undefined, seq: number): void {
  if (resumeFrom === undefined || resumeFrom <= seq) return;
  const details = { rule: 'maximum', limit: seq, value: resumeFrom };
  throw invalidField('resumeFrom', `be at most ${seq}, where the journal is`, details);
}

export function requireModule(login: Login, module: ModuleId): void {
  if (login.allows(module)) return;
  throw new Problem('privilegeMissing', {
    userMsg: `The API key lacks the privilege for this channel: module ${module}.`,
    details: { field: 'moduleIds', rule: 'privilege', limit: module },
  });
}
