// The binary form of commands, in the journal, in snapshots and on the link. A form that a release
// wrote never changes: a new version of a command gets a new tag.
import { assert } from './assert.ts';
import type { BinaryReader, BinaryWriter } from './binary.ts';
import { type Codec, type Fields, fieldsForm, transported } from './codec.ts';
import { COMMANDS, type Command, type CommandType } from './command.ts';

interface CommandForm {
  readonly type: CommandType;
  readonly tag: number;
  readonly form: Pick<Codec<Command>, 'write' | 'read'>;
}

const FORMS: readonly CommandForm[] = Object.entries(COMMANDS).map(([type, { tag, fields }]) => ({
  type: type as CommandType,
  tag,
  form: fieldsForm(fields as Fields, { type }) as unknown as CommandForm['form'],
}));
const BY_TYPE = new Map(FORMS.map((form) => [form.type, form]));
const BY_TAG: readonly (CommandForm | undefined)[] = Array.from({ length: 256 }, (_, tag) =>
  FORMS.find((form) => form.tag === tag),
);

export function encodeCommand(out: BinaryWriter, command: Command): void {
  const { tag, form } = BY_TYPE.get(command.type)!;
  out.byte(tag);
  form.write(out, command);
}

export function decodeCommand(input: BinaryReader): Command {
  const known = BY_TAG[input.byte()];
  assert(known !== undefined, 'a command has a known tag');
  return known.form.read(input);
}

export const COMMAND = transported<Command>({ write: encodeCommand, read: decodeCommand });
