// docs/websocket.md agrees with the program: the worked checksum, the bounds, every operation and
// channel, and examples in the form that the server sends.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { REJECTIONS } from '../../src/contract/rejections.ts';
import {
  MAX_AHEAD_MS,
  MAX_RECV_WINDOW_MS,
  RECV_WINDOW_MS,
} from '../../src/contract/streams/orders.ts';
import {
  MAX_STREAM_MESSAGE,
  STREAM_PATHS,
  SUBSCRIBE,
} from '../../src/contract/streams/requests.ts';
import { MAX_BATCH } from '../../src/contract/trading/orders.ts';
import * as limits from '../../src/streams/limits.ts';
import { StreamBook } from '../support/stream-book.ts';

const text = readFileSync(join(import.meta.dir, '../../docs/websocket.md'), 'utf8');

test('the worked example of the checksum', () => {
  const [, json, written] =
    /<!-- example: checksum -->\n```json\n(.+)\n```\n```text\n(.+)\n```/.exec(text)!;
  const book = new StreamBook();
  const sum = Bun.hash.crc32(written!);
  const { bids, asks } = JSON.parse(json!);
  const frame = { type: 'snapshot', seq: 1, lastUpdateId: 1, bids, asks, checksum: sum };
  book.take(frame as unknown as Parameters<StreamBook['take']>[0]);
  expect(book.checksumText()).toBe(written!);
  expect(text).toContain(`The checksum is \`${sum}\`.`);
  expect(text).toContain(`the checksum \`${Bun.hash.crc32('|')}\``);
});

test('every path, channel and operation has its section', () => {
  for (const [path, endpoint] of Object.entries(STREAM_PATHS)) {
    expect(text).toContain(`\`${path}\``);
    for (const channel of Object.keys(SUBSCRIBE[endpoint]))
      expect(text).toContain(`### ${channel}\n`);
  }
  for (const op of ['subscribe', 'unsubscribe', 'ping', 'login', 'serverShutdown', 'error']) {
    expect(text).toContain(`{"op":"${op}"`);
  }
});

test('examples are messages', () => {
  const blocks = [...text.matchAll(/```json\n([\s\S]+?)\n```/g)].map(([, block]) => block!);
  const messages = blocks.flatMap((block) => block.split('\n')).map((line) => JSON.parse(line));
  expect(messages.length).toBeGreaterThan(8);
  for (const message of messages.filter(({ type }) => type !== undefined)) {
    expect(['snapshot', 'update']).toContain(message.type);
    expect(message.prevSeq === null).toBe(message.type === 'snapshot');
    expect(message.seq).toBeGreaterThan(0);
  }
});

test('the bounds are those of the program', () => {
  const thousands = (n: number): string => n.toLocaleString('en');
  const payerTime = limits.PAYER_TIME;
  const { streamsPerAccount, streamBytes } = loadConfig({ argv: [], env: {} });
  const expected = [
    `${limits.INBOUND_BURST} in a burst, ${limits.INBOUND_PER_SECOND} a second`,
    `| channels of a connection | ${limits.MAX_CHANNELS} |`,
    `| connections of the server | ${thousands(limits.MAX_CONNECTIONS)} |`,
    `${MAX_STREAM_MESSAGE.public} bytes, ${thousands(MAX_STREAM_MESSAGE.orders)} on`,
    `Up to ${MAX_BATCH} entries`,
    `${thousands(RECV_WINDOW_MS)} unless given, ${thousands(MAX_RECV_WINDOW_MS)} at most`,
    `${thousands(MAX_AHEAD_MS)} ms ahead`,
    `| time to log in | ${limits.LOGIN_DEADLINE_MS / 1000} s |`,
    `Every ${limits.HEARTBEAT_SECONDS} s`,
    `every ${limits.PING_SECONDS} s`,
    `for ${limits.SILENCE_MS / 1000} s`,
    `"withinMs":${limits.SHUTDOWN_NOTICE_MS}`,
    `every ${limits.BOOK_INTERVAL_MS} ms at most`,
    `every ${limits.MAX_REST_MS} ms at the least`,
    `all books rest for ${limits.FAN_OUT_REST_MS} ms, ${limits.MAX_REST_MS} ms at most`,
    `${limits.SLOW_BYTES >> 20} MiB`,
    `1013 after ${limits.SLOW_MS / 1000} s`,
    `${limits.MAX_BUFFERED_BYTES >> 20} MiB`,
    `over all connections | ${limits.MAX_BUFFERED_OF_PAYER >> 20} MiB |`,
    `of the server | ${limits.MAX_BUFFERED_IN_ALL >> 20} MiB |`,
    `1013 after ${limits.STALL_MS / 1000} s`,
    `over all connections | ${thousands(limits.MAX_CHANNELS_OF_PAYER)} |`,
    `wait for their turn | ${thousands(limits.MAX_INBOX)} |`,
    `\`--streams-per-account\`, ${streamsPerAccount}`,
    `\`--stream-bytes\` in a second, ${streamBytes >> 20} MiB`,
    `${limits.BURST_SECONDS} seconds of it`,
    `| ${payerTime.perSecond} ms of the order thread in a second | ${payerTime.burst} ms |`,
    `\`${REJECTIONS.rateLimited.code}\``,
    `newest ${limits.SNAPSHOT_TRADES} trades`,
    `newest ${limits.SNAPSHOT_CANDLES}, oldest`,
    `at most ${thousands(limits.MAX_REPLAYED_COMMANDS)} commands`,
    `${limits.MAX_REPLAYED_TEXT >> 20} MiB sent`,
    `\`${REJECTIONS.resumeTooOld.code}\``,
    `\`${REJECTIONS.tooManyChannels.code}\``,
    `\`${REJECTIONS.tooManyConnections.code}\``,
  ];
  expect(expected.filter((phrase) => !text.includes(phrase))).toEqual([]);
});
