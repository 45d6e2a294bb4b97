// agio config: the effective settings, without a start.
import { describeConfig, loadConfig } from '../config.ts';
import { SETTINGS } from '../config-settings.ts';
import { stringify } from '../contract/json.ts';
import { IpRanges } from '../identity/ip.ts';
import { rawCommand } from './command.ts';
import { print, table } from './output.ts';
import { configHelp } from './start.ts';

export const configCommand = rawCommand({
  name: 'config',
  summary: 'Shows the effective settings of flags, environment and file, or their errors',
  examples: [
    'agio config',
    'agio config --production --host 0.0.0.0      lists all that production still needs',
    'agio config --config /etc/agio.json --json',
  ],
  notes: configHelp(),
  run(rawArgs) {
    const config = loadConfig({
      argv: rawArgs.filter((argument) => argument !== '--json'),
      env: process.env,
    });
    const values = new Map<string, unknown>(Object.entries(config));
    const rows = describeConfig().map(({ name, flag, env }) => ({
      setting: name,
      value: SETTINGS[name].secret ? secretText(values.get(name)) : valueText(values.get(name)),
      flag: flag ?? '',
      env,
    }));
    if (rawArgs.includes('--json')) {
      print(stringify(Object.fromEntries(rows.map(({ setting, value }) => [setting, value]))));
      return;
    }
    print(
      table(
        ['setting', 'value', 'flag', 'environment'],
        rows.map(({ setting, value, flag, env }) => [setting, value, flag, env]),
      ),
    );
  },
});

const secretText = (value: unknown): string => (typeof value === 'string' ? '(set)' : 'none');

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (value instanceof IpRanges) return value.isEmpty ? 'none' : value.texts.join(',');
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',');
  return typeof value === 'object' ? limitsText(value) : String(value);
}

/** Rate limits in the form of their setting. */
function limitsText(limits: object): string {
  return Object.entries(limits as Record<string, Record<string, number> | null>)
    .map(([name, limit]) =>
      limit === null ? `${name}=off` : `${name}=${limit.quota}/${limit.window}/${limit.burst}`,
    )
    .join(',');
}
