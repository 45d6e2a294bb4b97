// The load of agio bench: customers with a keep-alive connection each, who send the next signed
// order or cancel as soon as the last one is answered.
import { CliError } from '../command.ts';
import { Connection } from './connection.ts';
import { type Latencies, latenciesOf } from './latencies.ts';
import { type ApiKey, OrderScript } from './order-script.ts';

export interface Load extends Latencies {
  readonly orders: number;
  /** From the first order to the last answer. */
  readonly seconds: number;
}

interface Lane {
  readonly connection: Connection;
  readonly script: OrderScript;
  sentAt: number;
}

export class LoadClient {
  readonly #lanes: Lane[] = [];
  #onAnswer: (lane: Lane) => void = () => undefined;
  #onFailure: (error: Error) => void = () => undefined;

  /** Opens a connection for each key. */
  static async connect(url: string, keys: readonly ApiKey[]): Promise<LoadClient> {
    const client = new LoadClient();
    for (const [index, key] of keys.entries()) {
      const connection = await Connection.open(
        index,
        Number(new URL(url).port),
        (_connection, status, body) => client.#receive(index, status, body),
        (error) => client.#onFailure(error),
      );
      const script = new OrderScript(`b${index}`, key);
      client.#lanes.push({ connection, script, sentAt: 0 });
    }
    return client;
  }

  /** Rejects at the first answer that is not 200. */
  run(seconds: number): Promise<Load> {
    const times: number[] = [];
    const start = performance.now();
    let busy = this.#lanes.length;
    return new Promise((resolve, reject) => {
      this.#onFailure = reject;
      this.#onAnswer = (lane) => {
        const now = performance.now();
        times.push(now - lane.sentAt);
        if (now - start < seconds * 1000) return send(lane, now);
        if (--busy > 0) return;
        const load = { orders: times.length, seconds: (now - start) / 1000 };
        resolve({ ...load, ...latenciesOf(Float64Array.from(times)) });
      };
      for (const lane of this.#lanes) send(lane, start);
    });
  }

  close(): void {
    this.#onFailure = () => undefined;
    for (const { connection } of this.#lanes) connection.close();
  }

  #receive(index: number, status: number, body: () => string): void {
    if (status === 200) this.#onAnswer(this.#lanes[index]!);
    else this.#onFailure(new CliError(`An order was answered ${status}: ${body()}`));
  }
}

function send(lane: Lane, now: number): void {
  const request = Buffer.from(lane.script.request(lane.script.next()), 'latin1');
  lane.sentAt = now;
  lane.connection.send(request, 0, request.length);
}
