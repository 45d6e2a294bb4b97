// Keeps the digits of JSON numbers: they become strings before the text is parsed, so that no decimal of an answer or a
// message ever was a double. ccxt's own reader does this for large integers only.

/** A string, or a number outside of strings. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The same JSON text with every number as a string of its digits. */
export const quoteNumbers = (json: string): string =>
  json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`));
