/** An exact number. The denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Returns an exact number in lowest terms. */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/**
 * Returns a negative number, zero or a positive number, as the first is less than, equal to or more than the second.
 */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Returns the nearest integer of a number that is not negative, and of two that are as near the even one. */
export function roundHalfEven({ numerator, denominator }: Fraction): bigint {
  const [quotient, rest] = [numerator / denominator, (numerator % denominator) * 2n];
  if (rest === denominator) return quotient + (quotient % 2n);
  return rest > denominator ? quotient + 1n : quotient;
}

/**
 * Returns the fraction that equals a residue modulo a modulus, where both its parts are at most the bound. There is no
 * second one if the modulus is more than twice the square of the bound (rational reconstruction by Euclid's algorithm).
 */
export function reconstruct(residue: bigint, modulus: bigint, bound: bigint): Fraction | null {
  let [previous, rest] = [modulus, residue];
  let [previousFactor, factor] = [0n, 1n];
  while (rest > bound) {
    const quotient = previous / rest;
    [previous, rest] = [rest, previous - quotient * rest];
    [previousFactor, factor] = [factor, previousFactor - quotient * factor];
  }
  if (factor === 0n || (factor < 0n ? -factor : factor) > bound) return null;
  return factor < 0n ? fraction(-rest, -factor) : fraction(rest, factor);
}
