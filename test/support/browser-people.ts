// A stage for browser tests: a sandbox with a customer, an operator, an authenticator and emails.
import { afterAll, beforeAll } from 'bun:test';
import type { Browser } from 'playwright-core';
import type { SandboxFile } from '../../src/cli/data-directory.ts';
import { stepAt, totpCode } from '../../src/identity/proofs/totp-code.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { CHROMIUM, openBrowser, Tab, type TabOptions } from './browser.ts';
import { Place, readSandbox, Server } from './cli.ts';
import { codeIn, fromBase32 } from './person.ts';
import { until } from './waiting.ts';

type View = Omit<TabOptions, 'url'>;
type Login = Readonly<Record<'email' | 'password', string>>;

interface StageOptions {
  /** True if the demo market trades. */
  readonly demo?: boolean;
}

/** A sandbox in a process of its own, a browser, and the keys to everything. */
export class Stage implements AsyncDisposable {
  server: Server;
  readonly sandbox: SandboxFile;
  readonly browser: Browser;
  /** The demo customer by the API. */
  readonly demo: AgioClient;
  readonly operator: OperatorClient;
  readonly #place: Place;
  readonly #read = new Set<string>();

  private constructor(place: Place, server: Server, browser: Browser) {
    this.#place = place;
    this.server = server;
    this.browser = browser;
    this.sandbox = readSandbox(place.path('data'));
    const { url } = server;
    this.demo = new AgioClient({ url, ...this.sandbox.demo! });
    this.operator = new OperatorClient({ url, operatorToken: this.sandbox.operatorToken });
  }

  static async set({ demo = false }: StageOptions = {}): Promise<Stage> {
    const place = new Place();
    const server = await Server.start(['--data', place.path('data')], {}, { demo });
    await server.caughtUp();
    return new Stage(place, server, await openBrowser());
  }

  /** Stops the server, does something while nothing answers, and starts it at the same address. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    const { port } = new URL(this.server.url);
    await this.server.end('SIGTERM');
    await meanwhile();
    this.server = await Server.start(['--data', this.#place.path('data'), '--port', port]);
    await this.server.caughtUp();
  }

  /** Another customer with money, by the API; no bot uses this account without a demo market. */
  get maker(): AgioClient {
    return new AgioClient({ url: this.server.url, ...this.sandbox.market![0]! });
  }

  tab(view: View = {}): Promise<Tab> {
    return Tab.open(this.browser, { url: this.server.url, ...view });
  }

  /** A tab of a customer who is logged in; the demo customer by default. */
  async customer(account: Login = this.sandbox.demo!, view: View = {}): Promise<Tab> {
    const tab = await this.tab(view);
    await tab.logIn(account.email, account.password);
    return tab;
  }

  /** A tab in which the operator is logged in. */
  async console(view: View = {}): Promise<Tab> {
    const tab = await this.tab(view);
    await tab.visit('/operator');
    await tab.page.getByLabel('Operator token').fill(this.sandbox.operatorToken);
    await tab.page.getByRole('main').getByRole('button', { name: 'Open console' }).click();
    await tab.page.getByRole('navigation', { name: 'Areas of the operator console' }).waitFor();
    return tab;
  }

  /** The code in the newest email to `address`; each email is read once. */
  async mailedCode(address: string): Promise<string> {
    let code: string | undefined;
    await until(async () => {
      const { items } = await this.operator.outbox({ limit: 50 });
      const unread = items.filter(({ file, to }) => to === address && !this.#read.has(file));
      const email = unread.find(({ body }) => codeIn(body) !== undefined);
      if (email === undefined) return false;
      this.#read.add(email.file);
      code = codeIn(email.body);
      return true;
    });
    return code!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.server.end('SIGTERM');
    this.#place[Symbol.dispose]();
  }
}

/** Sets the stage of a file before its tests; `prepare` adds what they share. */
export function withStage(
  prepare: (stage: Stage) => Promise<unknown>,
  options: StageOptions = {},
): void {
  let stage: Stage | null = null;
  beforeAll(async () => {
    if (CHROMIUM === null) return;
    stage = await Stage.set(options);
    await prepare(stage);
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
  });
}

/** An authenticator app, which gives out each code once. */
export class Authenticator {
  readonly #secret: Buffer;
  #used = 0;

  constructor(base32: string) {
    this.#secret = fromBase32(base32);
  }

  /** A code that was not given out yet; waits for the next time step if there is none. */
  async code(): Promise<string> {
    // The server takes the steps before and after the present one.
    await until(() => this.#used <= stepAt(Date.now()));
    this.#used = Math.max(stepAt(Date.now()) - 1, this.#used + 1);
    return totpCode(this.#secret, this.#used);
  }
}
