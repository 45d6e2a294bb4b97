// A server that is asked to stop says so in /ready first, and serves until load balancers know it.
import { expect, spyOn, test } from 'bun:test';
import { ORDER, signedHeaders, TestNode } from '../support/node.ts';

const DELAY_SECONDS = 60;

test('a server that stops serves on while /ready answers 503', async () => {
  const node = await TestNode.start({ flags: ['--stop-delay', String(DELAY_SECONDS)] });
  const { url } = node;
  const client = await node.client();
  const body = JSON.stringify({ symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 });
  const over = Promise.withResolvers<void>();
  const sleep = Bun.sleep;
  const waiting = spyOn(Bun, 'sleep').mockImplementation((ms) =>
    ms === DELAY_SECONDS * 1000 ? over.promise : sleep(ms),
  );
  try {
    const stopping = node.stop();
    const ready = await fetch(`${url}/ready`);
    expect([ready.status, (await ready.json()).code]).toEqual([503, '100503']);
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ ready: true });
    const signed = { method: 'POST', path: ORDER, body, timestamp: client.timestamp() };
    const json = { 'Content-Type': 'application/json' };
    const headers = { ...json, ...signedHeaders(client.credentials, signed) };
    expect((await fetch(url + ORDER, { method: 'POST', body, headers })).status).toBe(200);
    over.resolve();
    await stopping;
    expect(fetch(`${url}/health`)).rejects.toThrow();
  } finally {
    over.resolve();
    waiting.mockRestore();
  }
});
