// Integer arithmetic of the demo market: prices and quantities are integers, and division says how
// it rounds.

/** a ÷ b towards zero, exactly; towards zero, so that neither direction is favoured. */
export function truncated(a: number, b: number): number {
  return (a - (a % b)) / b;
}

/** A natural number cut to its two leading digits: people like round figures. */
export function twoDigits(n: number): number {
  let step = 1;
  while (truncated(n, step) >= 100) step *= 10;
  return n - (n % step);
}
