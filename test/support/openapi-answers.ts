// Checks answers against docs/openapi.json: the call, the status, the code and every field.
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

function validatorOf(response: Response): (value: unknown) => boolean {
  let validate = validators.get(response);
  if (validate === undefined) {
    const schema =
      response.$ref === undefined
        ? response.content!['application/json']!.schema
        : { $ref: `agio${response.$ref}/content/application~1json/schema` };
    // References lead into the document.
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"agio#/')));
    validators.set(response, validate);
  }
  return validate;
}

interface ReceivedAnswer {
  readonly method: string;
  /** The form of the document, with its parts in braces. */
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/** The answer if the document lacks a part of it; null otherwise, and for answers without JSON. */
export function undocumented({ method, path, status, text }: ReceivedAnswer): string | null {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const summary = `${method} ${path} ${status}: ${text.slice(0, 300)}`;
  const response = operation?.responses[status];
  if (response === undefined) return summary;
  if (!/^[[{]/.test(text)) return null;
  return validatorOf(response)(JSON.parse(text)) ? null : summary;
}
