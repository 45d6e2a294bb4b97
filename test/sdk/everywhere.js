// One program for every runtime: what it finds is the same in Node, in Bun and in a browser. Run by built.test.ts with the built SDK.

/** Trades a little and listens to it; answers with what it saw. */
export async function tour(sdk, { url, apiKey, secretKey }) {
  const { AgioClient, InvalidRequest, InvalidArgument, decimal } = sdk;
  const client = new AgioClient({ url, apiKey, secretKey });
  const pair = { symbol: 'BTC-USDT' };
  const bid = { ...pair, side: 1, ordType: 2, price: '60000.01', orderQty: '0.5' };
  const seen = {};

  const { orderId } = await client.createOrder(bid);
  const { data } = await client.orders({ type: 'SINGLE', orderId });
  seen.order = [data[0].price, data[0].orderQty, data[0].orderId === orderId];
  const held = (await client.balances()).find(({ asset }) => asset === 'USDT').held;
  seen.held = [held, decimal.multiply('60000.01', '0.5')];
  const refused = await client.createOrder({ ...bid, price: '1.005' }).catch((error) => error);
  seen.refused = [refused instanceof InvalidRequest, refused.code, refused.nearest];
  const inexact = await client.createOrder({ ...bid, orderQty: 0.1 }).catch((error) => error);
  seen.inexact = inexact instanceof InvalidArgument;
  seen.text = (await client.createOrder({ ...bid, clOrdId: "it's (1+1)*2" })).clOrdId;
  seen.found = (await client.orders({ type: 'OPEN', clOrdId: seen.text })).data.length;

  if (typeof WebSocket === 'undefined') {
    const ended = await client.streams.orders().done.catch((error) => error);
    seen.streams = ended instanceof InvalidArgument;
    await client.massCancel(pair);
    return seen;
  }
  const orders = client.streams.orders();
  const book = client.streams.orderbook(pair);
  await Promise.all([orders.ready, book.ready]);
  const statuses = [];
  const gone = new Promise((resolve) => {
    orders.on(({ data: reports }) => {
      for (const { ordStatus } of reports) statuses.push(ordStatus);
      if (statuses.filter((status) => status === 4).length === 2) resolve();
    });
  });
  await client.massCancel(pair);
  await gone;
  while (book.bids.some(([price]) => price === '60000.01')) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  seen.streams = statuses.filter((status) => status === 4).length;
  client.streams.close();
  return seen;
}
