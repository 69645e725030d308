/**
 * Exact decimals: whole numbers of ten-thousandths (10⁻⁴), and their ratios in BigInt. A number of JSON with at most
 * four decimals is taken for the decimal that its text shows: 0.1 is one tenth.
 */

const PER_ONE = 10_000;

/** Returns whether a number has at most four decimals, so that `unitsOf` is exact. */
export function hasFourDecimals(value: number): boolean {
  return Math.round(value * PER_ONE) / PER_ONE === value;
}

/** Returns a number in ten-thousandths. */
export function unitsOf(value: number): bigint {
  return BigInt(Math.round(value * PER_ONE));
}

/** Returns ten-thousandths as a text with four decimals, such as `23.3333`. */
export function decimalText(units: bigint): string {
  const digits = String(units).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** Returns a ratio that is not negative as a whole number; halves become the even neighbour. */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/**
 * Splits the rounded sum of ratios with one denominator into whole numbers that add up to it: each ratio is rounded
 * down, and the units that are missing go to the largest remainders, to the earlier ratio where two are equal.
 */
export function splitExactly(numerators: readonly bigint[], denominator: bigint): bigint[] {
  const parts = numerators.map((numerator) => numerator / denominator);
  const sum = numerators.reduce((total, numerator) => total + numerator, 0n);
  const missing = halfEven(sum, denominator) - parts.reduce((total, part) => total + part, 0n);
  const byRemainder = numerators
    .map((numerator, index) => ({ index, remainder: numerator % denominator }))
    .sort((one, other) => Number(other.remainder - one.remainder) || one.index - other.index);
  for (const { index } of byRemainder.slice(0, Number(missing))) parts[index]! += 1n;
  return parts;
}
