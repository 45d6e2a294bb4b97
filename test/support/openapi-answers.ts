// Checks answers against docs/openapi.json: the call, the status, the code and every field.
import { openapi } from '../../docs/reference/openapi.ts';
import { schemaCheckOf } from './schemas.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

const document = openapi() as { readonly paths: Record<string, Record<string, Operation>> };
const check = schemaCheckOf(document);

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
  const schema =
    response.$ref === undefined
      ? response.content!['application/json']!.schema
      : { $ref: `${response.$ref}/content/application~1json/schema` };
  return check(schema, JSON.parse(text)).length === 0 ? null : summary;
}
