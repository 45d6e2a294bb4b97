// agio config: the effective settings, without a start.
import { loadConfig } from '../config.ts';
import { SETTINGS, valueText } from '../config-settings.ts';
import { stringify } from '../contract/json.ts';
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
    const rows = SETTINGS.map(({ name, usage, env, secret }) => ({
      setting: name,
      value: secret && config[name] !== null ? '(set)' : valueText(config[name]),
      flag: usage ?? '',
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
