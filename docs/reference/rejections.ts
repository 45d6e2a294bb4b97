// The rejections of each call: those that follow from its description (who may call, whether it has
// a body, whether it writes), and its own, which the description lists.
import type { ApiCall } from '../../src/contract/call.ts';
import { isLegacy } from '../../src/contract/codes.ts';
import { REJECTIONS, type Rejection, type RejectionName } from '../../src/contract/rejections.ts';

const WITH_BODY: readonly RejectionName[] = ['invalidBody', 'bodyTooLarge', 'notJson'];
const WITH_KEY: readonly RejectionName[] = [
  'headersMissing',
  'signatureInvalid',
  'sessionInvalid',
  'timestampOutside',
  'privilegeMissing',
  'addressRejected',
  'rateLimited',
];
const WRITE: readonly RejectionName[] = [
  'signatureUsed',
  'signatureTooOld',
  'idempotencyKeyReused',
  'overloaded',
];
const ALWAYS: readonly RejectionName[] = ['invalidField', 'invalidHeader', 'internal', 'notReady'];
/** A restart announces itself with one of several codes. */
const STOPPING: readonly RejectionName[] = ['stopping'];

/** The rejections that follow from the description of a call. */
function byRule(call: ApiCall): RejectionName[] {
  const { access, method, query, body, write, envelope, stepUp } = call;
  const names: RejectionName[] = [...ALWAYS, ...STOPPING];
  if (body !== undefined) names.push(...WITH_BODY);
  if (query.fields.has('account') || body?.fields.has('account')) names.push('unsupported');
  if (method !== 'GET' || access === 'operator') names.push('noLeader');
  if (method !== 'GET') names.push('storageFull', 'outcomeUnknown');
  if (envelope !== undefined) names.push('earnField');
  if (write) names.push(...WRITE);
  if (write && envelope !== undefined) names.push('transactionFailed');
  if (stepUp === true) names.push('stepUpNeeded');
  if (access === 'public') return [...names, 'rateLimited'];
  if (access === 'operator') return [...names, 'sessionInvalid', 'rateLimited'];
  if (method !== 'GET') names.push('crossOrigin');
  if (access === 'session') return [...names, 'sessionInvalid', 'rateLimited'];
  return [...names, ...WITH_KEY];
}

/** Every rejection of a call, by status and code. */
export function rejectionsOf(call: ApiCall): Rejection[] {
  const names = new Set([...byRule(call), ...(call.rejections ?? [])]);
  return [...names]
    .map((name) => REJECTIONS[name])
    .sort((a, b) => a.http - b.http || a.code - b.code);
}

/** True if it is a legacy error of the earn area, with status 200. */
export const comesAsLegacy = ({ code }: Rejection): boolean => isLegacy(code);
