// How clients write a double: the shortest digits that name it, in the form of each language.

/** A form of the same number. */
export type NumberForm = (value: number) => string;

/** The shortest digits and the exponent of the first one. */
function partsOf(value: number): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', exponent] = value.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

const scientific = ({ digits, exponent }: ReturnType<typeof partsOf>) => ({
  mantissa: digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`,
  exponent,
});

/** Without an exponent, and with a point: 5 is 5.0. */
function plain({ digits, exponent }: ReturnType<typeof partsOf>): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${whole}.${digits.slice(exponent + 1) || '0'}`;
}

/** JSON.stringify of JavaScript. */
export const javaScript: NumberForm = (value) => JSON.stringify(value);

/** repr and json.dumps of a float in Python: 1e-05, 1e+16, 5.0. */
export function python(value: number): string {
  const parts = partsOf(value);
  if (parts.exponent >= -4 && parts.exponent < 16) return plain(parts);
  const { mantissa, exponent } = scientific(parts);
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Double.toString of Java: 1.0E-5, 1.0E7, 5.0. */
export function java(value: number): string {
  const parts = partsOf(value);
  if (parts.exponent >= -3 && parts.exponent < 7) return plain(parts);
  const { mantissa, exponent } = scientific(parts);
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent}`;
}
