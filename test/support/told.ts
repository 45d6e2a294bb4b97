// Whether docs/openapi.json tells of an answer: its call, its status, its code, every field.
import Ajv2020 from 'ajv/dist/2020';
import { openapi } from '../../docs/reference/openapi.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

const document = openapi() as { readonly paths: Record<string, Record<string, Operation>> };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...document, $id: 'agio' });
const validators = new Map<Response, (value: unknown) => boolean>();

function validatorOf(told: Response): (value: unknown) => boolean {
  let validate = validators.get(told);
  if (validate === undefined) {
    const schema =
      told.$ref === undefined
        ? told.content!['application/json']!.schema
        : { $ref: `agio${told.$ref}/content/application~1json/schema` };
    // References lead into the document.
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"agio#/')));
    validators.set(told, validate);
  }
  return validate;
}

export interface ToldAnswer {
  readonly method: string;
  /** As the document has it, with its parts in braces. */
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/**
 * The parts of an answer that the document lacks; null where it has all, or the answer is no JSON.
 */
export function untold({ method, path, status, text }: ToldAnswer): string | null {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const shown = `${method} ${path} ${status}: ${text.slice(0, 300)}`;
  const told = operation?.responses[status];
  if (told === undefined) return shown;
  if (!/^[[{]/.test(text)) return null;
  return validatorOf(told)(JSON.parse(text)) ? null : shown;
}
