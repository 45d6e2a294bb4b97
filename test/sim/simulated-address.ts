// The address of a simulated server: its clients call the gateway itself.
import type { Gateway } from '../../src/gateway/http/server.ts';
import type { Address } from '../../src/node.ts';

export const simulatedAddress = (handTo: (gateway: Gateway) => void): Address => ({
  url: 'http://simulated',
  reason: 'starting',
  handTo,
  close: () => undefined,
});
