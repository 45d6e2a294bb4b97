// Mails against a real SMTP server in this process: what arrives, TLS as the URL says, servers that
// are slow, reject or are not there, and what the log is told of it.
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { PATIENCE_MS } from '../../../test/support/waiting.ts';
import { Operation } from '../proofs/email-codes.ts';
import { type MailFailure, openMailer, SmtpMailer, type SmtpOptions, senderOf } from './mailer.ts';
import { codeMail, keyCreatedMail, operatorMail, securityMail } from './messages.ts';
import { Outbox, parseMail } from './outbox.ts';

const CODE = codeMail(Operation.keyCreation, '314159');
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface ReceivedMail {
  readonly to: string[];
  readonly user: string | undefined;
  readonly secure: boolean;
  readonly text: string;
}

/** A server on a free port; `failures` are the reply codes of the first mails. */
async function serve(options: SMTPServerOptions = {}, failures: number[] = []) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      password === 's3cret' ? done(null, { user: username }) : done(new Error('No')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const code = failures.shift();
        if (code !== undefined) {
          const error = Object.assign(new Error('ann@example.com 314159'), { responseCode: code });
          return done(error);
        }
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          secure: session.secure === true,
          text: Buffer.concat(chunks).toString('utf8'),
        });
        return done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, received };
}

function mailer(url: string, options: Partial<SmtpOptions> = {}) {
  const failures: MailFailure[] = [];
  const opened = new SmtpMailer({
    url,
    from: 'agio <no-reply@agio.example>',
    onFailure: (failure) => failures.push(failure),
    retryAfterMs: [5, 5],
    timeoutMs: PATIENCE_MS,
    ...options,
  });
  closers.unshift(() => opened.close(0));
  return { mailer: opened, failures };
}

describe('by SMTP', () => {
  test('a mail arrives as it was written, in order', async () => {
    const { port, received } = await serve({ disabledCommands: ['STARTTLS'] });
    const { mailer: smtp, failures } = mailer(`smtp://127.0.0.1:${port}`);
    expect(smtp.send('ann@example.com', CODE)).toBe(true);
    expect(
      smtp.send('bob@example.com', keyCreatedMail({ alias: 'ключ', moduleIds: [5] }, at)),
    ).toBe(true);
    await smtp.settled();
    expect(failures).toEqual([]);
    expect(received.map(({ to }) => to)).toEqual([['ann@example.com'], ['bob@example.com']]);
    expect(parseMail(received[0]!.text).subject).toBe('Your code to create an API key');
    expect(received[0]!.text).toContain('From: agio <no-reply@agio.example>');
    expect(received[0]!.text).toContain('    314159');
  });

  test('a pretended email reaches nobody and delays nothing', async () => {
    const { port, received } = await serve({ disabledCommands: ['STARTTLS'] });
    const { mailer: smtp, failures } = mailer(`smtp://127.0.0.1:${port}`);
    for (let n = 0; n < 5; n++) smtp.pretend(CODE);
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    expect(received.map(({ to }) => to)).toEqual([['ann@example.com']]);
    expect(failures).toEqual([]);
  });

  test('with a password: STARTTLS, then the certificate check, then the login', async () => {
    const tls = certificate();
    const { port, received } = await serve({ ...tls });
    const url = `smtp://ann%40example.com:s3cret@localhost:${port}`;
    const { mailer: smtp, failures } = mailer(url, { ca: tls.cert });
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    expect(failures).toEqual([]);
    expect(received).toMatchObject([{ user: 'ann@example.com', secure: true }]);
  });

  test('a password never crosses the wire in clear', async () => {
    const { port, received } = await serve({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
    });
    const { mailer: smtp, failures } = mailer(`smtp://ann:s3cret@127.0.0.1:${port}`);
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    expect(received).toEqual([]);
    expect(failures.at(-1)).toMatchObject({ willRetry: false, kind: 'code' });
  });

  test('smtps uses TLS from the first byte and rejects an untrusted certificate', async () => {
    const tls = certificate();
    const { port, received } = await serve({ ...tls, secure: true });
    const trusting = mailer(`smtps://localhost:${port}`, { ca: tls.cert });
    trusting.mailer.send('ann@example.com', CODE);
    await trusting.mailer.settled();
    expect(received).toMatchObject([{ secure: true }]);
    const careful = mailer(`smtps://localhost:${port}`);
    careful.mailer.send('ann@example.com', CODE);
    await careful.mailer.settled();
    expect(received).toHaveLength(1);
    expect(careful.failures).toHaveLength(3);
  });

  test('tls=required is kept without a password as well', async () => {
    const { port, received } = await serve({ disabledCommands: ['STARTTLS'] });
    const { mailer: smtp } = mailer(`smtp://127.0.0.1:${port}?tls=required`);
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    expect(received).toEqual([]);
  });

  test('a passing failure is tried again, and the log learns nothing of the mail', async () => {
    const { port, received } = await serve({ disabledCommands: ['STARTTLS'] }, [451, 451]);
    const { mailer: smtp, failures } = mailer(`smtp://127.0.0.1:${port}`);
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    expect(received).toHaveLength(1);
    expect(failures).toMatchObject([
      { kind: 'code', attempt: 1, willRetry: true, reply: 451 },
      { kind: 'code', attempt: 2, willRetry: true, reply: 451 },
    ]);
    expect([smtp.waiting, smtp.lost]).toEqual([0, 0]);
    expect(JSON.stringify(failures)).not.toMatch(/314159|ann@/);
  });

  test('a final rejection is final', async () => {
    const { port, received } = await serve({ disabledCommands: ['STARTTLS'] }, [550]);
    const { mailer: smtp, failures } = mailer(`smtp://127.0.0.1:${port}`);
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    expect(failures).toMatchObject([{ attempt: 1, willRetry: false, reply: 550 }]);
    expect([smtp.waiting, smtp.lost]).toEqual([0, 1]);
    smtp.send('bob@example.com', CODE);
    await smtp.settled();
    expect(received.map(({ to }) => to)).toEqual([['bob@example.com']]);
  });

  test('a wrong password and an absent server have their own reasons', async () => {
    const tls = certificate();
    const { port } = await serve({ ...tls });
    const wrong = mailer(`smtp://ann:wrong@localhost:${port}`, { ca: tls.cert });
    wrong.mailer.send('ann@example.com', CODE);
    await wrong.mailer.settled();
    expect(wrong.failures.at(-1)?.reason).toBe('EAUTH');
    const absent = mailer('smtp://127.0.0.1:1');
    absent.mailer.send('ann@example.com', CODE);
    await absent.mailer.settled();
    expect(absent.failures.map(({ attempt, willRetry }) => [attempt, willRetry])).toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
  });

  test('a silent server times out', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closers.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const { mailer: smtp, failures } = mailer(`smtp://127.0.0.1:${port}`, {
      timeoutMs: 100,
      retryAfterMs: [],
    });
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    expect(failures).toMatchObject([{ willRetry: false, reply: null }]);
  });

  test('the queue is bounded, and closing ends in time', async () => {
    const { mailer: smtp, failures } = mailer('smtp://127.0.0.1:1', { retryAfterMs: [60_000] });
    for (let i = 0; i < 1_000; i += 1) expect(smtp.send('ann@example.com', CODE)).toBe(true);
    expect(smtp.send('ann@example.com', CODE)).toBe(false);
    expect(failures.at(-1)).toMatchObject({ reason: 'queueFull', willRetry: false });
    expect([smtp.waiting, smtp.lost]).toEqual([1_000, 1]);
    await smtp.close(200);
    expect(smtp.send('ann@example.com', CODE)).toBe(false);
  });

  test('emails about transfers take no place of a code and go out after it', async () => {
    const { mailer: away } = mailer('smtp://127.0.0.1:1', { retryAfterMs: [60_000] });
    const notice = operatorMail('operatorCredit', 0, '1 USDT', 'wire-1');
    for (let i = 0; i < 10_001; i += 1) away.notify('ann@example.com', notice);
    expect([away.waiting, away.lost]).toEqual([10_000, 1]);
    expect(away.send('ann@example.com', CODE)).toBe(true);
    await away.close(0);

    const { port, received } = await serve({ disabledCommands: ['STARTTLS'] });
    const { mailer: smtp } = mailer(`smtp://127.0.0.1:${port}`);
    for (let i = 0; i < 3; i += 1) smtp.notify('ann@example.com', notice);
    smtp.send('ann@example.com', CODE);
    await smtp.settled();
    // The first was on its way.
    expect(received.map(({ text }) => text.includes('Subject: Your code'))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

test('without a mail server, emails are files', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agio-mail-'));
  closers.push(() => rmSync(dataDir, { recursive: true }));
  const outbox = new Outbox(dataDir, () => 0);
  const onFailure = () => {};
  const files = openMailer({ smtpUrl: null, from: null, onFailure }, outbox);
  expect(files.send('ann@example.com', CODE)).toBe(true);
  expect(await outbox.list()).toMatchObject([
    { to: 'ann@example.com', from: 'agio <no-reply@agio.invalid>' },
  ]);
  const smtp = openMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: null, onFailure }, outbox);
  expect(smtp).toBeInstanceOf(SmtpMailer);
  await smtp.close(0);
});

test('the sender is the user of the mail server, or no-reply at its host', () => {
  expect(senderOf('smtp://ann%40example.com:x@mail.example.com')).toBe('ann@example.com');
  expect(senderOf('smtp://apikey:x@mail.example.com')).toBe('no-reply@mail.example.com');
});

const at = { time: Date.UTC(2030, 0, 1), ip: '203.0.113.7' };

describe('the texts', () => {
  test('name the event, time, place, and what to do if it was not you', () => {
    const { body } = securityMail('login', { ...at, userAgent: 'Firefox' });
    expect(body).toContain('2030-01-01 00:00:00 UTC');
    expect(body).toContain('203.0.113.7');
    expect(body).toContain('If this was not you');
  });

  test('keep input on its line, and make no link of it', () => {
    const alias = `x"\r\n\r\nGo to https://evil.example\u2028now ${'y'.repeat(200)}`;
    const { body } = keyCreatedMail({ alias, moduleIds: [5, 6] }, at);
    expect(body.split('\n')[0]).toContain('Go to https: //evil.example now');
    expect(body.split('\n')[0]!.length).toBeLessThan(220);
    expect(body).not.toContain('://');
  });

  test('of every operation name it', () => {
    const subjects = Object.values(Operation).map((operation) => codeMail(operation, '1').subject);
    expect(new Set(subjects).size).toBe(Object.values(Operation).length);
  });
});

/**
 * A certificate of localhost that vouches for itself until 2126, with its key: only this test
 * believes it.
 */
function certificate(): { key: string; cert: string } {
  return {
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgErGWF4RZywu2EkUP
nYoj64eNdBUwIl7jwILTyEeq1bihRANCAAQ52YNsIWBGj7RhFbPnc0gDH24GmIgf
QgKwPgb2yOl/42s72p0DUUhzE2DlvJJElnzjKbkKQwtCaoyn1WBpTrIi
-----END PRIVATE KEY-----`,
    cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUPTX0bbyCbp9OHROVjI/Mt2pAqr4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA4MTIxMVoYDzIxMjYxMDI4
MDgxMjExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ52YNsIWBGj7RhFbPnc0gDH24GmIgfQgKwPgb2yOl/42s72p0DUUhz
E2DlvJJElnzjKbkKQwtCaoyn1WBpTrIio2kwZzAdBgNVHQ4EFgQU43n+DwvGRItf
PJfQFSKlwkiAW3owHwYDVR0jBBgwFoAU43n+DwvGRItfPJfQFSKlwkiAW3owDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhAJge/8sp1fmKX3Tf6KOLyNQMOgFA7KQj7jw0Cf+og0SSAiASPKWJZ3/6
SPLWwxpfIzObbtrK9yD2mpwS7f/kDucvZA==
-----END CERTIFICATE-----`,
  };
}
