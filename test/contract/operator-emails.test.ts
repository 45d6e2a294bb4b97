// A customer gets an email about each act of the operator on the account, once, and no email fails
// or delays the call.
import { expect, spyOn, test } from 'bun:test';
import { TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);

/** The subjects and texts of the emails to a user, oldest first. */
async function mailsTo(uid: number): Promise<[subject: string, body: string][]> {
  const { outbox, users } = node.services.identity;
  const { email } = users.find(uid)!;
  const mails = (await outbox.list(1000)).filter(({ to }) => to === email);
  return mails.map(({ subject, body }): [string, string] => [subject, body]).reverse();
}

test('a key, with its name and privileges', async () => {
  const uid = await node.user({});
  expectOk(await operator.post(`users/${uid}/keys`, { alias: 'bot', moduleIds: [5, 6] }));
  const [[subject, body] = ['', '']] = await mailsTo(uid);
  expect(subject).toBe('The operator created an API key for your account');
  expect(body).toContain('created the API key bot for your account, with the\nprivileges 5, 6.');
  expect(body).toMatch(/^ {4}Time: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m);
  expectError(
    await operator.post(`users/${uid}/keys`, { alias: 'x', moduleIds: [99] }),
    400,
    100200,
  );
  expect(await mailsTo(uid)).toHaveLength(1);
});

test('a suspension and its end, each once', async () => {
  const uid = await node.user({});
  for (const status of ['suspended', 'suspended', 'active', 'active']) {
    expectOk(await operator.patch(`users/${uid}`, { status }));
  }
  expectOk(await operator.patch(`users/${uid}`, { kyc: true }));
  expect((await mailsTo(uid)).map(([subject]) => subject)).toEqual([
    'Your account is suspended',
    'Your account is active again',
  ]);
});

test('credits and debits, not their repetitions and rejections', async () => {
  const uid = await node.user({});
  const credit = { uid, asset: 'USDT', amount: '1000.50', reference: 'mail-1 https://x.example' };
  for (let n = 0; n < 2; n++) expectOk(await operator.post('ledger/credit', credit));
  const debit = { uid, asset: 'USDT', amount: '0.5', reference: 'mail-2' };
  expectOk(await operator.post('ledger/debit', debit));
  const tooMuch = { ...debit, amount: '5000', reference: 'mail-3' };
  expectError(await operator.post('ledger/debit', tooMuch), 400, 100206);
  const [credited, debited, ...more] = await mailsTo(uid);
  expect(more).toEqual([]);
  expect(credited![1]).toContain('credited 1000.5 USDT to your account.');
  // Nothing in an email is a link.
  expect(credited![1]).toContain('Reference: mail-1 https: //x.example.');
  expect(debited![0]).toBe('Money was debited from your account');
  expect(debited![1]).toContain('debited 0.5 USDT from your account. Reference: mail-2.');
});

test('an email that cannot be written fails no call', async () => {
  const uid = await node.user({});
  const { outbox } = node.services.identity;
  const write = spyOn(outbox, 'write').mockImplementation(() => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  });
  try {
    const credit = { uid, asset: 'USDT', amount: '1', reference: 'mail-full' };
    expectOk(await operator.post('ledger/credit', credit));
    expectOk(await operator.patch(`users/${uid}`, { status: 'suspended' }));
  } finally {
    write.mockRestore();
  }
});
