// agio start: a node from its start to its end. Exit codes: 0 stopped by a signal, 1 not started
// for a stated reason, 65 a command ended the last three starts, 70 a failure that needs a restart.
import pino, { type Logger } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import { type Config, loadConfig } from '../config.ts';
import { SETTINGS } from '../config-settings.ts';
import { EngineError } from '../engine/command-port.ts';
import { generateOperatorToken } from '../gateway/auth/authenticate.ts';
import { type Node, startNode } from '../node.ts';
import { type DemoMarket, startDemoMarket } from '../sandbox/demo-market.ts';
import { type SandboxAccess, seedSandbox } from '../sandbox/seed.ts';
import { CliError, rawCommand } from './command.ts';
import { readSandboxFile, type SandboxFile, writeSandboxFile } from './data-directory.ts';
import { expectedSentence, isSystemError } from './expected-errors.ts';
import { Progress, print, printError, wrapped } from './output.ts';

/** EX_SOFTWARE of sysexits.h. */
const FAULT = 70;
/** Supervisors kill after ten seconds; this leaves time for a last line in the log. */
const STOP_LIMIT_MS = 9_500;
const STDERR = 2;
/** Names of fields that could hold a secret by mistake. */
const SECRETS = ['password', 'secretKey', 'token', 'authorization', 'operatorToken', 'masterKey'];

/** The settings, for the help of every command that takes them. */
export function configHelp(): string {
  const settings = SETTINGS.map(({ usage, env, defaultText, sentence }) => {
    const name = usage === null ? env : `${usage}, ${env}`;
    return `  ${name}\n${wrapped(`${sentence} Default: ${defaultText}.`, '      ')}`;
  });
  return `SETTINGS\n\n${settings.join('\n')}`;
}

export const startCommand = rawCommand({
  name: 'start',
  summary: 'Starts the server; a sandbox unless --production is given',
  examples: [
    'agio start',
    'agio start --port 9000 --data /tmp/venue --no-demo',
    'agio start --production --host 0.0.0.0      with the secrets in the environment',
  ],
  notes: configHelp(),
  run: (rawArgs) => new Start(loadConfig({ argv: rawArgs, env: process.env })).run(),
});

class Start {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #ended = Promise.withResolvers<number>();
  #node: Node | null = null;
  #market: DemoMarket | null = null;
  #stopping = false;

  constructor(config: Config) {
    this.#config = config;
    this.#log = createLogger(config);
  }

  /** Resolves to the exit code when the node has stopped. */
  async run(): Promise<number> {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => this.#stop(signal));
    }
    process.on('uncaughtException', (error) => this.#fail(error));
    process.on('unhandledRejection', (error) => this.#fail(error));
    const { mode, data } = this.#config;
    const noted = mode === 'sandbox' ? readSandboxFile(data) : undefined;
    const operatorToken =
      this.#config.operatorToken ?? noted?.operatorToken ?? generateOperatorToken();
    const node = await this.#startNode(operatorToken);
    this.#node = node;
    // Only the process with the lock may write to the directory.
    if (mode === 'sandbox')
      await this.#openSandbox(node, { ...noted, operatorToken, url: node.url });
    if (!this.#stopping) print(`agio listening on ${node.url}`);
    return this.#ended.promise;
  }

  async #startNode(operatorToken: string): Promise<Node> {
    const { host, port } = this.#config;
    try {
      return await startNode({
        config: this.#config,
        operatorToken,
        log: this.#log,
        onFailure: (error) => this.#fail(error),
      });
    } catch (error) {
      if (!isSystemError(error) || error.syscall !== 'listen') throw error;
      const { code } = error;
      // Port 0 is any free port, so it is the host that cannot be used.
      if (code === 'EADDRINUSE' && port !== 0) {
        throw new CliError(`Port ${port} of ${host} is in use; choose another one with --port.`);
      }
      if (code === 'EACCES') {
        throw new CliError(
          `Port ${port} is for root only; choose one above 1023 with --port, behind a proxy.`,
        );
      }
      throw new CliError(`${host} is not an address of this machine; choose another with --host.`);
    }
  }

  /** Fills a new sandbox, and prints its credentials. */
  async #openSandbox(node: Node, access: SandboxFile): Promise<void> {
    const { data, host } = this.#config;
    let file = access;
    this.#keep(data, file);
    const { cluster, engine } = node.services;
    if (engine.seq === 0 && cluster?.leads !== false) {
      try {
        file = { ...access, ...(await this.#fill(node)) };
      } catch (error) {
        if (!this.#stopping) throw error;
        return;
      }
      writeSandboxFile(data, file);
    }
    if (!['127.0.0.1', '::1', 'localhost'].includes(host)) {
      this.#log.warn({ host }, 'everybody who reaches a sandbox can use its faucet and its clock');
    }
    print(banner(file, data, cluster !== null));
    if (this.#config.demo && file.market !== undefined && !this.#stopping) {
      this.#market = startDemoMarket({ url: node.url, users: file.market, log: this.#log });
    }
  }

  async #fill({ services }: Node): Promise<SandboxAccess> {
    using progress = new Progress();
    const onProgress = (done: number) =>
      progress.update(() => `filling the sandbox: ${Math.floor(done * 100)} %`);
    onProgress(0);
    try {
      return await seedSandbox(services, { history: this.#config.demo, onProgress });
    } catch (error) {
      // A fault of the engine has ended the process; any other error passes, such as a full disk.
      if (!(error instanceof EngineError) || error.kind === 'failed') throw error;
      const why = error.message.replace(/\.$/, '');
      throw new CliError(
        `The sandbox was not filled (${why}): mend that, empty ${this.#config.data}, start again.`,
      );
    }
  }

  /** A start on a full disk continues with the file of the last one, which has the same keys. */
  #keep(data: string, file: SandboxFile): void {
    try {
      writeSandboxFile(data, file);
    } catch (error) {
      if (readSandboxFile(data)?.operatorToken !== file.operatorToken) throw error;
      const why = error instanceof Error ? error.message : String(error);
      this.#log.warn({ why }, 'sandbox.json could not be written and is as it was');
    }
  }

  #stop(signal: string): void {
    if (this.#stopping) return;
    this.#stopping = true;
    // Before the node is up it has acknowledged nothing, so this is as safe as a crash.
    if (this.#node === null) process.exit(0);
    this.#log.info({ signal }, 'stopping');
    const limitMs = STOP_LIMIT_MS + this.#config.stopDelay * 1000;
    setTimeout(() => {
      this.#log.fatal(`not stopped within ${limitMs} ms; what was acknowledged is safe`);
      process.exit(FAULT);
    }, limitMs).unref();
    this.#stopAll(this.#node).then(
      () => {
        this.#log.info('stopped');
        this.#ended.resolve(0);
      },
      (error) => this.#fail(error),
    );
  }

  /** Stops the market first, so its requests are not rejected. */
  async #stopAll(node: Node): Promise<void> {
    await this.#market?.stop();
    await node.stop();
  }

  /** Logs the position and the state hash, and exits; the next start recovers. */
  #fail(error: unknown): void {
    const state = this.#node?.services.engine.exchange.state;
    const why = expectedSentence(error);
    this.#log.fatal(
      {
        ...(why === null ? { err: error } : { why }),
        seq: state?.seq ?? null,
        stateHash: state?.stateHash() ?? null,
      },
      'agio has to stop',
    );
    process.exit(FAULT);
  }
}

function banner(
  { url, operatorToken, demo, enterprise }: SandboxFile,
  data: string,
  isNode: boolean,
): string {
  const lines: [string, string][] = [
    ['URL', url],
    ['data', data],
    ['operator token', operatorToken],
  ];
  if (demo === undefined) {
    const why = isNode
      ? 'in sandbox.json of the node that started first'
      : 'none in sandbox.json: a restored backup, or filling was interrupted';
    lines.push(['demo user', why]);
  } else {
    lines.push(['demo user', `uid ${demo.uid}, ${demo.email}, password ${demo.password}`]);
    lines.push(['API key', demo.apiKey], ['API secret', demo.secretKey]);
  }
  if (enterprise !== undefined) {
    const { uid, email, password } = enterprise.admin;
    const admin = `admin uid ${uid}, ${email}, password ${password}, keys in sandbox.json`;
    lines.push(['enterprise', admin]);
  }
  const width = Math.max(...lines.map(([name]) => name.length));
  const body = lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
  const title = `agio ${packageJson.version} sandbox, for tests and integration`;
  return `\n${title}\n\n${body}\n\n  Press Ctrl-C to stop.\n`;
}

/**
 * The log on standard error: JSON lines in production, readable lines in the sandbox. Writes are
 * synchronous, so the last line of a process that ends is not lost.
 */
function createLogger({ mode, logLevel }: Pick<Config, 'mode' | 'logLevel'>): Logger {
  const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' };
  if (mode === 'production') {
    return pino({ level: logLevel, redact }, pino.destination({ fd: STDERR, sync: true }));
  }
  return pino({ level: logLevel, redact, base: null }, { write: writeReadable });
}

/** `12:01:02.123 info  state recovered  seq=120 replayed=20` */
function writeReadable(line: string): void {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as {
    readonly level: number;
    readonly time: number;
    readonly msg?: string;
    readonly err?: { readonly message?: string; readonly stack?: string };
  };
  const clock = new Date(time).toISOString().slice(11, 23);
  const name = (pino.levels.labels[level] ?? String(level)).padEnd(5);
  const words = Object.entries(fields).map(([key, value]) => `${key}=${valueText(value)}`);
  const cause = err === undefined ? [] : [`\n${err.stack ?? err.message ?? ''}`];
  const parts = [clock, name, msg ?? '', ...(words.length > 0 ? ['', ...words] : []), ...cause];
  printError(parts.join(' '));
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
