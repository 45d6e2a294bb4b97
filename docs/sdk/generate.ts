// Writes the files of the SDK, the ccxt class and the console's forms that repeat the contract,
// into folders `generated`, which git ignores. `npm run build` and `npm run gen` run it.
import { join } from 'node:path';
import { replaceFile } from '../../build-files.ts';
import { answerTypes, integerFields, TYPES, wireCodes } from './answers.ts';
import { ccxtCalls, ccxtExceptions } from './ccxt.ts';
import { rejectionClasses, rejectionCodes } from './codes.ts';
import { callTable, methods } from './methods.ts';
import { operatorFields } from './operator-fields.ts';
import { requestTypes } from './requests.ts';
import { head, Imports } from './source.ts';

const SRC = join(import.meta.dir, '../../src');

export function writeClientCode(): void {
  const files = [
    ...sdkFiles().map(([name, text]) => [join(SRC, 'sdk/generated', name), text] as const),
    [join(SRC, 'ccxt/generated/exceptions.ts'), ccxtExceptions()] as const,
    [join(SRC, 'ccxt/generated/calls.ts'), ccxtCalls()] as const,
    [join(SRC, 'contract/generated/operator-fields.ts'), operatorFields()] as const,
  ];
  for (const [path, text] of files) replaceFile(path, text);
}

function sdkFiles(): [name: string, text: string][] {
  return [
    ['types.ts', types()],
    ['codes.ts', head('The codes of the wire and of rejections.') + wireCodes() + rejectionCodes()],
    ['rejections.ts', head('The errors of rejections.') + rejectionClasses()],
    ['integer-fields.ts', head('The fields that the SDK reads as numbers.') + integerFields()],
    ['calls.ts', callTable()],
    ...methods(),
  ];
}

function types(): string {
  const imports = new Imports();
  const answers = answerTypes(imports);
  const about = head('The types of all requests, answers and messages.');
  return about + imports.text(TYPES) + answers + requestTypes();
}
