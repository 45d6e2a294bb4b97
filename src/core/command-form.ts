// The binary form of commands, in the journal, in snapshots and on the link. A form that a release
// wrote never changes: a new version of a command gets a new tag.
import { assert } from './assert.ts';
import type { BinaryReader, BinaryWriter } from './binary.ts';
import { type Codec, transported } from './codec.ts';
import { COMMANDS, type Command, type CommandType } from './command.ts';

interface CommandForm {
  readonly type: CommandType;
  readonly tag: number;
  readonly names: readonly string[];
  readonly codecs: readonly Codec<unknown>[];
}

const FORMS: readonly CommandForm[] = Object.entries(COMMANDS).map(([type, { tag, fields }]) => ({
  type: type as CommandType,
  tag,
  names: Object.keys(fields),
  codecs: Object.values(fields) as Codec<unknown>[],
}));
const BY_TYPE = new Map(FORMS.map((form) => [form.type, form]));
const BY_TAG: readonly (CommandForm | undefined)[] = Array.from({ length: 256 }, (_, tag) =>
  FORMS.find((form) => form.tag === tag),
);

export function encodeCommand(out: BinaryWriter, command: Command): void {
  const { tag, names, codecs } = BY_TYPE.get(command.type)!;
  out.byte(tag);
  const fields = command as unknown as Record<string, unknown>;
  for (let i = 0; i < names.length; i++) codecs[i].write(out, fields[names[i]]);
}

export function decodeCommand(input: BinaryReader): Command {
  const form = BY_TAG[input.byte()];
  assert(form !== undefined, 'a command has a known tag');
  const { names, codecs } = form;
  const fields: Record<string, unknown> = { type: form.type };
  for (let i = 0; i < names.length; i++) fields[names[i]] = codecs[i].read(input);
  return fields as unknown as Command;
}

export const COMMAND = transported<Command>({ write: encodeCommand, read: decodeCommand });
