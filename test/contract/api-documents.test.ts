// The descriptions of the API where tools look for them: served as they are in the repository, with
// a tag, to any origin.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestNode } from '../support/node.ts';

const node = TestNode.forFile();

test.each(['openapi.json', 'asyncapi.json'])('GET /docs/%s', async (name) => {
  const written = readFileSync(join(import.meta.dir, '../../docs', name), 'utf8');
  const plain = await node.request(`/docs/${name}`, { headers: { 'Accept-Encoding': 'identity' } });
  expect({ status: plain.status, same: plain.text === written }).toEqual({
    status: 200,
    same: true,
  });
  expect(plain.headers.get('access-control-allow-origin')).toBe('*');
  const etag = plain.headers.get('etag')!;
  const again = await node.request(`/docs/${name}`, { headers: { 'If-None-Match': etag } });
  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
  const zipped = await node.request(`/docs/${name}`, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(zipped.text === written).toBe(true);
});

test('other paths beside them are pages, and signed requests are calls', async () => {
  expect((await node.request('/docs/other.json')).headers.get('content-type')).toContain('html');
  const signed = { headers: { 'EXCHANGE-API-SIGN': 'x' } };
  expect((await node.request('/docs/openapi.json', signed)).status).toBe(404);
  expect((await node.request('/docs/openapi.json', { method: 'POST' })).status).toBe(404);
});
