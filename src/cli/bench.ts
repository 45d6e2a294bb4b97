// agio bench: what this machine can do, as one short table.
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type Measurements, measure, PROJECTED_CORES, projected } from './bench/measure.ts';
import { CliError, command } from './command.ts';
import { grouped, print, printError, table } from './output.ts';

const MAX_SECONDS = 3600;

export const benchCommand = command({
  name: 'bench',
  summary: 'Measures what this machine can do',
  examples: ['agio bench --data /var/lib', 'agio bench --seconds 60 --json'],
  notes:
    'Starts a temporary node in a process of its own, on the loopback address and without rate\n' +
    'limits, sends it signed orders and cancels over 64 connections, and removes it with its\n' +
    'data. The load comes from the same machine and shares its cores. The rate is a sustained\n' +
    'one: the clock stops when the history of the last order is written. Rows marked as\n' +
    'computed follow from the CPU time per order of each thread, without the load itself.',
  args: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      description:
        'An existing directory on the disk to measure; the node’s own is created in it and ' +
        'removed. Default: the directory for temporary files, which may be in memory.',
    },
    seconds: {
      type: 'string',
      valueHint: 'N',
      description: 'How long to measure.',
      default: '20',
    },
    json: { type: 'boolean', description: 'Print the results as JSON.' },
  },
  async run({ data = tmpdir(), seconds, json }) {
    const parent = resolve(data);
    if (statSync(parent, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new CliError(`${parent} is not a directory; name one on the disk to measure.`);
    }
    const time = Number(seconds);
    if (!/^\d{1,4}(\.\d+)?$/.test(seconds) || time === 0 || time > MAX_SECONDS) {
      throw new CliError(`--seconds is a number up to ${MAX_SECONDS}, not "${seconds}".`);
    }
    if (json !== true) printError(`Measuring for about ${time} seconds, on ${parent} …`);
    const result = resultOf(await measure(parent, time));
    print(json === true ? JSON.stringify(result, null, 2) : textOf(result));
  },
});

type Result = ReturnType<typeof resultOf>;

function resultOf(measured: Measurements) {
  const { machine, disk, load, connections, ordersPerSecond, cpuPerOrder } = measured;
  const { clientCpuPerOrder } = measured;
  return {
    machine,
    disk: { writesPerSecond: round(disk.perSecond), p50Ms: fine(disk.p50), p99Ms: fine(disk.p99) },
    orders: {
      connections,
      count: load.orders,
      perSecond: round(ordersPerSecond),
      p50Ms: fine(load.p50),
      p99Ms: fine(load.p99),
    },
    cpuMicrosecondsPerOrder: Object.fromEntries(
      Object.entries({ ...cpuPerOrder, client: clientCpuPerOrder }).map(([thread, time]) => [
        thread,
        fine(time),
      ]),
    ),
    computed: PROJECTED_CORES.map((cores) => {
      const { ordersPerSecond: rate, limit } = projected(cpuPerOrder, cores);
      return { cores, ordersPerSecond: round(rate), limit };
    }),
  };
}

function textOf({ machine, disk, orders, cpuMicrosecondsPerOrder, computed }: Result): string {
  const cpu = Object.entries(cpuMicrosecondsPerOrder).map(([thread, time]) => `${thread} ${time}`);
  const rows = [
    ['durable disk writes', `${grouped(disk.writesPerSecond)}/s`, times(disk)],
    ['signed orders and cancels', `${grouped(orders.perSecond)}/s`, times(orders)],
    ...computed.map(({ cores, ordersPerSecond, limit }) => [
      `computed: ${cores} cores`,
      `${grouped(ordersPerSecond)}/s`,
      `limited by ${limit}`,
    ]),
  ];
  return [
    `${machine.cores} cores, ${machine.model}, ${Math.round(machine.memory / 2 ** 30)} GiB`,
    table(['', 'rate', ''], rows),
    `CPU per order, µs: ${cpu.join(', ')}`,
  ].join('\n\n');
}

const times = ({ p50Ms, p99Ms }: { readonly p50Ms: number; readonly p99Ms: number }): string =>
  `p50 ${p50Ms} ms, p99 ${p99Ms} ms`;

const round = (value: number): number => Math.round(value);
const fine = (value: number): number => Math.round(value * 100) / 100;
