// The answers to browsers: the page at each of its paths, its files and their headers; never a page
// in place of an answer of the API.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAGE_PATHS } from '../../src/contract/pages.ts';
import { ApiDocuments } from '../../src/gateway/http/api-documents.ts';
import { readAssetIcons } from '../../src/gateway/http/asset-icons.ts';
import { WebPages } from '../../src/gateway/http/web-pages.ts';
import { TestNode } from '../support/node.ts';

const node = TestNode.forFile();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(node.url + path, { headers });

describe('pages', () => {
  test.each(['/', ...PAGE_PATHS.map((path) => `/${path}`), '/trade/BTC-USDT', '/docs/rest'])(
    '%s is the page',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  test('loads nothing from elsewhere, runs nothing inline, and is framed by nobody', async () => {
    const [first, second] = await Promise.all([get('/trade'), get('/trade')]);
    const policy = first.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    expect(await first.text()).toContain(`content="${nonce}"`);
    expect(second.headers.get('content-security-policy')).not.toContain(nonce);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('shows whether the server is a sandbox', async () => {
    expect(await (await get('/')).text()).toContain('data-mode="sandbox"');
  });

  test('have the links of the operator, as the value of an attribute', async () => {
    expect(await (await get('/')).text()).toContain('data-links="{&quot;terms&quot;:null');
    const pages = new WebPages({
      directory: join(import.meta.dir, '../../dist/web'),
      mode: 'production',
      documents: new ApiDocuments(''),
      links: { terms: 'https://example.com/$&?a="<' },
    });
    const page = await pages.respond(new Request('http://localhost/'), '/')!.text();
    const links = '{&quot;terms&quot;:&quot;https://example.com/$&amp;?a=\\&quot;&lt;&quot;}';
    expect(page).toContain(`data-links="${links}"`);
  });

  test('show the icons of the operator as images that run nothing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agio-icons-'));
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
    write('BTC.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    write('read.me', 'x');
    const pages = new WebPages({
      directory: join(import.meta.dir, '../../dist/web'),
      mode: 'production',
      documents: new ApiDocuments(''),
      icons: readAssetIcons(directory),
    });
    const answer = (path: string) => pages.respond(new Request('http://localhost/'), path);
    expect(await answer('/')!.text()).toContain('data-icons="BTC"');
    const { headers } = answer('/assets/icons/BTC.svg')!;
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const name of ['ETH.svg', 'read.me', 'BTC']) {
      expect(answer(`/assets/icons/${name}`)).toBeNull();
    }
    write('ETH.svg', '<html>');
    expect(() => readAssetIcons(directory)).toThrow('ETH.svg is not an SVG image');
    write('ETH.svg', `<svg>${'x'.repeat(32_768)}`);
    expect(() => readAssetIcons(directory)).toThrow('at most 32768');
    rmSync(directory, { recursive: true });
  });

  test('each page preloads its own code', async () => {
    const preloads = async (path: string) => {
      const page = await (await get(path, { Accept: 'text/html' })).text();
      return page.match(/(?<=modulepreload" href=")[^"]+/g)!;
    };
    const [nowhere, trade] = [await preloads('/nowhere'), await preloads('/trade/BTC-USDT')];
    expect(trade).toEqual(expect.arrayContaining(nowhere));
    expect(trade.length).toBeGreaterThan(nowhere.length);
    expect(await preloads('/')).toEqual(await preloads('/home'));
    expect(await preloads('/')).not.toEqual(trade);
    expect(await preloads('/login')).not.toEqual(trade);
    for (const path of trade) expect((await get(path)).status).toBe(200);
  });

  test('an unknown address is a page for a browser and an error body for a program', async () => {
    const person = await get('/nowhere', { Accept: 'text/html,*/*' });
    expect(person.status).toBe(404);
    expect(person.headers.get('content-type')).toContain('text/html');
    const program = await get('/nowhere');
    expect(program.status).toBe(404);
    expect((await program.json()).code).toBe('100404');
  });

  test('calls that begin like a page are calls', async () => {
    const response = await get('/operator/v1/users');
    expect(response.status).toBe(401);
    expect((await response.json()).code).toBe('100401');
  });

  test('a signed request never gets a page', async () => {
    const response = await get('/', { 'EXCHANGE-API-SIGN': '00' });
    expect(response.status).toBe(404);
  });
});

describe('files', () => {
  const scriptOf = async () =>
    /src="(\/assets\/main-[^"]+\.js)"/.exec(await (await get('/')).text())![1]!;

  test('are compressed as the browser accepts, and cached permanently', async () => {
    const path = await scriptOf();
    const plain = await get(path, { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBe(null);
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('cache-control')).toContain('immutable');
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
    const text = await plain.text();
    for (const encoding of ['br', 'gzip']) {
      const compressed = await get(path, { 'Accept-Encoding': encoding });
      expect(compressed.headers.get('content-encoding')).toBe(encoding);
      expect(await compressed.text()).toBe(text);
    }
  });

  test.each(['/assets/nothing.js', '/assets/../index.html', '/assets/%2e%2e/index.html'])(
    '%s is not there',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
    },
  );

  test('the compressed form has no address of its own', async () => {
    expect((await get(`${await scriptOf()}.br`)).status).toBe(404);
  });

  test('no other method is answered', async () => {
    const response = await fetch(node.url + (await scriptOf()), { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
  });
});

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
