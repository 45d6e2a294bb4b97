// Money on the wire without a float: a number in an answer that is not an integer of a double's
// range stays the text that was sent.

export const parseExact = (text: string): unknown => JSON.parse(text, keepDecimals);

function keepDecimals(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? context!.source! : value;
}

/** The value of a JSON text, with the text of each number. */
export const exactNumbers = (text: string): unknown =>
  JSON.parse(text, (_name, value, context?: { readonly source: string }) =>
    typeof value === 'number' ? { source: context!.source } : value,
  );
