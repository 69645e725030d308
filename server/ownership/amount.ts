import { compareFractions, type Fraction, roundHalfEven } from './fraction.ts';
import { WHOLE } from './graph.ts';

/**
 * A share of the whole, from 0 to 1: a double with a proven bound of its error, and a way to the exact number. The
 * exact number is computed when the bound does not decide a comparison or a rounding, and at most once.
 */
export class Amount {
  readonly #near: number;
  readonly #error: number;
  readonly #solve: () => Fraction;
  #exact: Fraction | null = null;

  constructor(near: number, error: number, solve: () => Fraction) {
    this.#near = near;
    this.#error = Number.isFinite(near) && Number.isFinite(error) ? error : Infinity;
    this.#solve = solve;
  }

  /** The exact number. */
  exact(): Fraction {
    this.#exact ??= this.#solve();
    return this.#exact;
  }

  /** Returns the sign of the difference to a number of millionths of a percent. */
  compare(millionths: number): number {
    const bound = millionths / WHOLE;
    if (Math.abs(this.#near - bound) > this.#error + 1e-15) return this.#near < bound ? -1 : 1;
    return compareFractions(this.exact(), { numerator: BigInt(millionths), denominator: BigInt(WHOLE) });
  }

  /** Tells whether another amount is less. */
  exceeds(other: Amount): boolean {
    const difference = this.#near - other.#near;
    if (Math.abs(difference) > this.#error + other.#error + 1e-15) return difference > 0;
    return compareFractions(this.exact(), other.exact()) > 0;
  }

  /** Returns the nearest number of millionths of a percent, and of two that are as near the even one. */
  millionths(): number {
    const scaled = this.#near * WHOLE;
    const nearest = Math.round(scaled);
    const toBoundary = 0.5 - Math.abs(scaled - nearest);
    if (toBoundary > this.#error * WHOLE + 1e-6) return nearest;
    const { numerator, denominator } = this.exact();
    return Number(roundHalfEven({ numerator: numerator * BigInt(WHOLE), denominator }));
  }
}
