import { type Fraction, reconstruct } from './fraction.ts';
import { type System, groupsOf, isClosed, sharesOf } from './flow.ts';
import { WHOLE } from './graph.ts';

/** Thrown when the answer about a graph would keep the service busy for too long. */
export class TooIntricate extends Error {}

/** Work that the exact solutions and the worst cases of one graph may take, in multiplications modulo a prime. */
export class Work {
  #left: number;
  constructor(most: number) {
    this.#left = most;
  }
  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new TooIntricate();
  }
}

/** Primes below 2 to the 25, so that products and the sums of a row are exact in doubles. */
const PRIMES = [33_554_393, 33_554_383, 33_554_371, 33_554_347, 33_554_341, 33_554_317];

/**
 * Solves a system exactly. The value of a company is the share of it that ends with a person, so it is between 0 and 1.
 * The equations are solved modulo a prime, then modulo its powers digit by digit (Dixon), until only one fraction fits.
 */
export class ExactSystem {
  readonly #positions: readonly number[];
  readonly #rows: readonly (readonly (readonly [column: number, share: number])[])[];
  readonly #lower: Float64Array[];
  readonly #prime: number;
  readonly #work: Work;
  readonly #system: System;

  constructor(system: System, starts: readonly number[], work: Work) {
    this.#system = system;
    this.#work = work;
    // Owners come first, so that the elimination of chains does not fill the rows.
    this.#positions = groupsOf(system, starts)
      .filter((group) => !isClosed(system, group))
      .flat()
      .reverse();
    const columns = new Map(this.#positions.map((position, column) => [position, column]));
    this.#rows = this.#positions.map((position) =>
      sharesOf(system, position).flatMap(([owner, share]) => {
        const column = columns.get(owner);
        return column === undefined ? [] : [[column, share] as const];
      }),
    );
    for (const prime of PRIMES) {
      const lower = this.#eliminate(prime);
      if (lower === null) continue;
      this.#lower = lower;
      this.#prime = prime;
      return;
    }
    throw new TooIntricate();
  }

  /** Factors the matrix modulo a prime, without pivoting; returns null if that meets a zero. */
  #eliminate(prime: number): Float64Array[] | null {
    const size = this.#rows.length;
    const matrix = this.#rows.map((row, index) => {
      const dense = new Float64Array(size);
      dense[index] = WHOLE % prime;
      for (const [column, share] of row) dense[column] = modulo(dense[column]! - (share % prime), prime);
      return dense;
    });
    let work = size * size;
    for (let pivot = 0; pivot < size; pivot++) {
      const row = matrix[pivot]!;
      if (row[pivot] === 0) return null;
      row[pivot] = inverse(row[pivot]!, prime);
      for (let below = pivot + 1; below < size; below++) {
        const other = matrix[below]!;
        if (other[pivot] === 0) continue;
        const factor = multiply(other[pivot]!, row[pivot]!, prime);
        other[pivot] = factor;
        for (let column = pivot + 1; column < size; column++)
          if (row[column] !== 0) other[column] = modulo(other[column]! - multiply(factor, row[column]!, prime), prime);
        work += size - pivot;
      }
    }
    this.#work.spend(work);
    return matrix;
  }

  /** Returns the values of the positions, where some owners are the person's own; others are not in the map. */
  solve(isHers: (owner: number) => boolean, wanted: readonly number[]): Map<number, Fraction> {
    const size = this.#positions.length;
    // Both parts of every value are at most the product of the diagonal (Hadamard, the rows being dominated by it).
    const bound = BigInt(WHOLE) ** BigInt(size);
    const modulus = BigInt(this.#prime);
    let residual: Float64Array = Float64Array.from(this.#positions, (position) => this.#herShare(position, isHers));
    const digits: Float64Array[] = [];
    let power = 1n;
    const limit = 2n * bound * bound;
    this.#work.spend(((size * size) / 2) * Math.ceil((2 * size * 26.6) / 25));
    while (power <= limit) {
      const digit = this.#solveModulo(residual);
      digits.push(digit);
      power *= modulus;
      residual = this.#rest(residual, digit);
    }
    const columns = new Map(this.#positions.map((position, column) => [position, column]));
    const values = new Map<number, Fraction>();
    for (const position of wanted) {
      const column = columns.get(position);
      if (column === undefined) continue;
      this.#work.spend((size * 53) ** 2 / 16);
      let residue = 0n;
      for (let index = digits.length - 1; index >= 0; index--)
        residue = residue * modulus + BigInt(digits[index]![column]!);
      const value = reconstruct(residue, power, bound);
      if (value === null) throw new TooIntricate();
      values.set(position, value);
    }
    return values;
  }

  /** Returns what the person holds directly, and what is hers of the rest, in the company at a position. */
  #herShare(position: number, isHers: (owner: number) => boolean): number {
    const { owners, isOpen, receivers } = this.#system;
    let sum = receivers[position] === 'her' ? owners[position]!.rest : 0;
    for (const [owner, share] of sharesOf(this.#system, position)) if (!isOpen[owner]! && isHers(owner)) sum += share;
    return sum;
  }

  #solveModulo(residual: Float64Array): Float64Array {
    const prime = this.#prime;
    const size = residual.length;
    const digit = Float64Array.from(residual, (value) => modulo(value % prime, prime));
    for (let index = 0; index < size; index++) {
      const row = this.#lower[index]!;
      let value = digit[index]!;
      for (let column = 0; column < index; column++)
        if (row[column] !== 0) value = modulo(value - multiply(row[column]!, digit[column]!, prime), prime);
      digit[index] = value;
    }
    for (let index = size - 1; index >= 0; index--) {
      const row = this.#lower[index]!;
      let value = digit[index]!;
      for (let column = index + 1; column < size; column++)
        if (row[column] !== 0) value = modulo(value - multiply(row[column]!, digit[column]!, prime), prime);
      digit[index] = multiply(value, row[index]!, prime);
    }
    return digit;
  }

  /** Takes a digit off the right side; the rest is divisible by the prime. All numbers stay below 2 to the 53. */
  #rest(residual: Float64Array, digit: Float64Array): Float64Array {
    return residual.map((value, index) => {
      let rest = value - WHOLE * digit[index]!;
      for (const [column, share] of this.#rows[index]!) rest += share * digit[column]!;
      return rest / this.#prime;
    });
  }
}

/** Brings a number within a prime of the range into it. */
function modulo(value: number, prime: number): number {
  return value < 0 ? value + prime : value;
}

function multiply(a: number, b: number, prime: number): number {
  const product = a * b;
  const rest = product - Math.floor(product / prime) * prime;
  // The quotient may have been rounded to the integer beside it.
  if (rest < 0) return rest + prime;
  return rest >= prime ? rest - prime : rest;
}

/** Returns the inverse modulo a prime, by Fermat's theorem. */
function inverse(value: number, prime: number): number {
  let [result, base] = [1, value];
  for (let exponent = prime - 2; exponent > 0; exponent = Math.floor(exponent / 2)) {
    if (exponent % 2 === 1) result = multiply(result, base, prime);
    base = multiply(base, base, prime);
  }
  return result;
}
