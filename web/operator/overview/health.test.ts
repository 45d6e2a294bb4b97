// The notices for the operator, from the figures alone.
import { expect, test } from 'bun:test';
import type { ListedInstrument, OfferedPlan, TrialBalance } from '../../../src/sdk/index.ts';
import { alarmOf, duration, noticesOf, planAlarmsOf, samplesOf, serverErrorsOf } from './health.ts';

const TEXT = `# HELP agio_journal_seq Last command.
# TYPE agio_journal_seq gauge
agio_journal_seq 1278
agio_follower_lag 6000
agio_http_responses_total{status="200"} 10
agio_http_responses_total{status="500"} 1
agio_http_responses_total{status="503"} 2
agio_plan_interest_overdue{plan="1"} 0
`;

test('metrics are read by name', () => {
  const samples = samplesOf(TEXT);
  expect(samples.get('agio_journal_seq')).toBe('1278');
  expect(samples.size).toBe(6);
  expect(serverErrorsOf(samples)).toEqual([
    ['500', 1],
    ['503', 2],
  ]);
});

const plan = (reserve: Partial<OfferedPlan['reserve']>) =>
  ({
    planId: '3',
    planName: 'USDT Flexible',
    coin: 'USDT',
    reserve: { balance: '5', daysOfCover: '100', overdue: false, alarm: false, ...reserve },
  }) as OfferedPlan;
const instrument = (symbol: string, instrumentStatus: ListedInstrument['instrumentStatus']) =>
  ({ symbol, instrumentStatus }) as ListedInstrument;
const books = (sum: string): TrialBalance => ({
  seq: 1,
  assets: [{ asset: 'BTC', sum, accounts: [] }],
});

test('a healthy installation has no notices', () => {
  const notices = noticesOf({
    samples: samplesOf('agio_follower_lag 3\n'),
    trialBalance: books('0'),
    plans: [plan({})],
    instruments: [instrument('BTC-USDT', 'LIVE')],
  });
  expect(notices).toEqual([]);
});

test('the worst notice comes first, each with the page to act on it', () => {
  const notices = noticesOf({
    samples: samplesOf(TEXT),
    trialBalance: books('0.00000001'),
    plans: [plan({ alarm: true, daysOfCover: '1' }), plan({ alarm: true, overdue: true })],
    instruments: [instrument('BTC-USDT', 'HALTED')],
  });
  expect(notices.map(({ tone }) => tone)).toEqual(['bad', 'bad', 'warn', 'warn', 'warn', 'warn']);
  expect(notices[0]).toEqual({
    tone: 'bad',
    text: 'The accounts of BTC do not sum to zero.',
    href: '/operator/ledger',
  });
  expect(notices.map(({ text }) => text)).toContain('BTC-USDT is halted.');
  expect(notices.map(({ text }) => text)).toContain(
    'The reserve of USDT Flexible covers 1 day of interest.',
  );
});

test('an open plan with an empty reserve is an alarm, and its text says so', () => {
  expect(alarmOf(plan({ alarm: true, balance: '0', daysOfCover: null }))).toBe(
    'USDT Flexible is open, and its reserve is empty. Fund it.',
  );
});

test('the alarms of plans are compared by their samples alone', () => {
  const alarms = (value: number) =>
    planAlarmsOf(samplesOf(`agio_plan_reserve_alarm{plan="3"} ${value}\nagio_journal_seq 5\n`));
  expect(alarms(0)).not.toBe(alarms(1));
  expect(planAlarmsOf(samplesOf('agio_journal_seq 5\n'))).toBe('');
});

test('unknown figures give no notice', () => {
  const nothing = { samples: undefined, trialBalance: undefined };
  expect(noticesOf({ ...nothing, plans: undefined, instruments: undefined })).toEqual([]);
  expect(alarmOf(plan({}))).toBeNull();
});

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [3_600, '1 h'],
  [93_784, '1 d 2 h'],
])('%p seconds are %p', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});
