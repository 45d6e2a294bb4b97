// The binary form of commands, in the journal, in snapshots and on the link. A form that a release
// wrote never changes: a new version of a command gets a new tag.
import { assert } from './assert.ts';
import type { BinaryReader, BinaryWriter } from './binary.ts';
import { type Codec, constant, type Fields, record, transported } from './codec.ts';
import { COMMANDS, type Command, type CommandType } from './command.ts';

interface CommandForm {
  readonly type: CommandType;
  readonly tag: number;
  readonly codec: Codec<Command>;
}

const FORMS: readonly CommandForm[] = Object.entries(COMMANDS).map(([type, { tag, fields }]) => ({
  type: type as CommandType,
  tag,
  codec: record({ type: constant(type), ...(fields as Fields) }) as unknown as Codec<Command>,
}));
const BY_TYPE = new Map(FORMS.map((form) => [form.type, form]));
const BY_TAG: readonly (CommandForm | undefined)[] = Array.from({ length: 256 }, (_, tag) =>
  FORMS.find((form) => form.tag === tag),
);

export function encodeCommand(out: BinaryWriter, command: Command): void {
  const { tag, codec } = BY_TYPE.get(command.type)!;
  out.byte(tag);
  codec.write(out, command);
}

export function decodeCommand(input: BinaryReader): Command {
  const form = BY_TAG[input.byte()];
  assert(form !== undefined, 'a command has a known tag');
  return form.codec.read(input);
}

export const COMMAND = transported<Command>({ write: encodeCommand, read: decodeCommand });
