// Checks values by the schemas of a generated document, whose references lead into it.
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';

export type SchemaCheck = (schema: object, value: unknown) => readonly ErrorObject[];

/** The check returns the faults of a value. */
export function schemaCheckOf(document: object): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'agio' });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"agio#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? [] : validate.errors!;
  };
}
