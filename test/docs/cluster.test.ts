// The ten minutes of docs/cluster.md work as printed: the test runs every command of the section
// with a real PostgreSQL, in folders and on ports of its own.
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { Place } from '../support/cli.ts';
import { freePort, NO_POSTGRES, postgresCommand } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';

const ROOT = join(import.meta.dir, '../..');
const TITLE = 'Ten minutes on one laptop';
const document = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');
const section = document.split(`\n## ${TITLE}\n`)[1]!.split('\n## ')[0]!;
/** In the order of the page; `kind` is terminal for a process that stays. */
const blocks = [...section.matchAll(/```sh (laptop|terminal|laptop stop)\n([\s\S]*?)```/g)].map(
  ([, kind, text]) => ({ kind: kind!, text: text! }),
);
const PORTS = ['5433', '7401', '7402', '7403', '8081', '8082', '8083'];

describe.skipIf(NO_POSTGRES)(TITLE, () => {
  const place = new Place();
  const folder = place.path('agio');
  const bin = place.path('bin');
  const ports = new Map(PORTS.map((port) => [port, String(freePort())]));
  const nodes: Subprocess<'ignore', 'pipe', 'pipe'>[] = [];
  afterAll(async () => {
    for (const node of nodes) stop(node, 'SIGKILL');
    // A test that failed has not come to the end of the section.
    const data = '/tmp/agio/db';
    await shell(`[ ! -d ${data} ] || pg_ctl -D ${data} -m immediate stop`).exited;
    place[Symbol.dispose]();
  });

  /** Ends the shell, npx and the node that they started: a process group of their own. */
  function stop({ pid }: (typeof nodes)[number], signal: 'SIGTERM' | 'SIGKILL'): void {
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // The group has ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Programs of PostgreSQL that run as a normal user also where the test is root. */
  function preparePrograms(): void {
    for (const directory of [folder, bin]) mkdirSync(directory);
    // The user of PostgreSQL needs a way in.
    for (const directory of [join(folder, '..'), folder]) chmodSync(directory, 0o777);
    for (const program of ['initdb', 'pg_ctl']) {
      const path = join(bin, program);
      writeFileSync(path, `#!/bin/sh\nexec ${postgresCommand(program).join(' ')} "$@"\n`);
      chmodSync(path, 0o755);
    }
  }

  const own = (text: string): string => {
    const withPorts = text.replace(/\b\d{4}\b/g, (port) => ports.get(port) ?? port);
    return withPorts.replaceAll('/tmp/agio', folder);
  };

  function shell(text: string): Subprocess<'ignore', 'pipe', 'pipe'> {
    const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('AGIO_'));
    const PATH = `${bin}:${process.env.PATH}`;
    const known = `[ ! -e ${folder}/env ] || . ${folder}/env\n`;
    return Bun.spawn(['bash', '-e', '-c', known + own(text)], {
      cwd: ROOT,
      env: { ...Object.fromEntries(clean), PATH } as Record<string, string>,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
  }

  async function runToEnd(text: string): Promise<string> {
    const child = shell(text);
    const [code, out, err] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ text, code, err: code === 0 ? '' : err }).toEqual({ text, code: 0, err: '' });
    return out;
  }

  async function listen(text: string): Promise<void> {
    const node = shell(text);
    nodes.push(node);
    const [, port] = /--port (\d+)/.exec(own(text))!;
    let output = '';
    let ready = '';
    for (const stream of [node.stdout, node.stderr]) {
      void (async () => {
        for await (const part of stream.pipeThrough(new TextDecoderStream())) output += part;
      })();
    }
    await until(
      async () => {
        if (node.exitCode !== null) throw new Error(`ended with ${node.exitCode}: ${output}`);
        const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
        ready = (await response?.text()) ?? 'nobody listens';
        return response?.status === 200;
      },
      () => ({ ready, output }),
    );
  }

  test('works as printed', async () => {
    preparePrograms();
    const printed: string[] = [];
    for (const { kind, text } of blocks) {
      if (kind === 'laptop stop') {
        for (const node of nodes) stop(node, 'SIGTERM');
        await Promise.all(nodes.map(({ exited }) => exited));
      }
      if (kind === 'terminal') await listen(text);
      else printed.push(await runToEnd(text));
    }
    const [migrated, , before, after, handedOver] = printed;
    expect(migrated).toContain('The schema agio has version 1, and nodes can use it as agio_node.');
    expect(before).toMatch(/^agio-1 leads since \S+, term 1\.$/m);
    expect(before).toMatch(/^agio-3 +follower +\d+ +\d+ /m);
    expect(before).toMatch(/^order \d+, placed at \S+, has status 0 at /m);
    expect(after).toMatch(/^order \d+, placed at \S+, has status 0 at /m);
    expect(after).toMatch(/^agio-[23] leads since \S+, term \d+\.$/m);
    expect(handedOver).toMatch(/^agio-1 leads since \S+, term \d+\.$/m);
  }, 120_000);
});
