// Mails survive the way to a file and back, also with content that tries to break out of it.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeMail, Outbox, parseMail } from './outbox.ts';

const T0 = Date.UTC(2030, 0, 2, 3, 4, 5);
const mail = {
  from: 'agio <no-reply@agio.example>',
  to: 'ann@example.com',
  subject: 'Your code',
  body: 'Your code is 123456.\n\nIt is valid for ten minutes.',
};

let dataDir: string;
let now = T0;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-outbox-'));
  now = T0;
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('outbox', () => {
  test('keeps nothing of a mail that is only pretended', async () => {
    const outbox = new Outbox(dataDir, () => now);
    outbox.write(mail);
    const before = readdirSync(outbox.directory);
    outbox.discard({ ...mail, to: 'bob@example.com' });
    expect(readdirSync(outbox.directory)).toEqual(before);
    expect(() => outbox.discard({ ...mail, to: 'a\r\nb' })).toThrow(TypeError);
  });

  test('lists what was written, newest first, from 0600 files', async () => {
    const outbox = new Outbox(dataDir, () => now);
    const first = outbox.write(mail);
    const second = outbox.write({ ...mail, to: 'bob@example.com' });
    now += 1_000;
    outbox.write({ ...mail, to: 'cy@example.com' });
    const listed = await outbox.list();
    expect(listed.map((item) => item.to)).toEqual([
      'cy@example.com',
      'bob@example.com',
      'ann@example.com',
    ]);
    expect(listed[2]).toEqual({ ...mail, file: first, date: T0 });
    expect((await outbox.list(2))[1]?.file).toBe(second);
    for (const name of readdirSync(outbox.directory)) {
      expect(name).toEndWith('.eml');
      expect(statSync(join(outbox.directory, name)).mode & 0o777).toBe(0o600);
    }
  });

  test('a foreign or damaged file does not hide the others', async () => {
    const outbox = new Outbox(dataDir, () => now);
    outbox.write(mail);
    writeFileSync(join(outbox.directory, 'x.eml'), 'no headers here');
    writeFileSync(join(outbox.directory, 'half-written.eml.tmp'), '');
    const listed = await outbox.list();
    expect(listed.map((item) => item.subject)).toEqual(['', 'Your code']);
    expect(listed[0]?.date).toBeNull();
  });

  test('the file is a mail: header lines, an empty line, the text', () => {
    const text = composeMail(mail, T0);
    expect(text).toContain('Date: Wed, 02 Jan 2030 03:04:05 +0000\r\n');
    expect(text).toContain('\r\n\r\nYour code is 123456.\r\n\r\nIt is valid');
  });

  test.each([
    'Übertragung für „Zoë“ – angekommen und von uns bestätigt, mit vielen Zeichen 🔑🔑🔑🔑',
    'looks =?utf-8?B?like?= an encoded word',
    'two\r\nBcc: everyone@example.com',
    '',
  ])('subject %p', (subject) => {
    const text = composeMail({ ...mail, subject }, T0);
    const head = text.slice(0, text.indexOf('\r\n\r\n'));
    expect(head).toMatch(/^[\x20-\x7e\r\n]+$/);
    expect(head).not.toContain('\r\nBcc');
    for (const line of head.split('\r\n')) expect(line.length).toBeLessThan(100);
    expect(parseMail(text).subject).toBe(subject.replace(/\s+/g, ' '));
  });

  test('a body with very long lines, or with headers in it, stays a body', () => {
    for (const body of ['é'.repeat(3_000), 'To: x\n\nSubject: y\n', '', 'ends\n\n']) {
      expect(parseMail(composeMail({ ...mail, body }, T0))).toMatchObject({ ...mail, body });
    }
  });

  test('an address cannot carry a line break', () => {
    const to = 'ann@example.com\r\nBcc: everyone@example.com';
    expect(() => composeMail({ ...mail, to }, T0)).toThrow(TypeError);
  });

  test('another process reads the same files', async () => {
    const name = new Outbox(dataDir, () => now).write(mail);
    expect(readFileSync(join(dataDir, 'outbox', name), 'utf8')).toContain('123456');
    expect(await new Outbox(dataDir, () => now).list()).toHaveLength(1);
  });
});
