/**
 * Register number of the Brazilian driving licence (CNH): nine digits and two check digits (CONTRAN 886/2021, art. 4).
 */

/** What the check digits of a register number say. */
export interface CheckedCnh {
  readonly isValid: boolean;
  /**
   * Whether a widely copied calculation gives other digits for this number, about one in forty. A wrong digit of such a
   * number is a warning, and never a failure.
   */
  readonly isDisputed: boolean;
}

/** Checks the digits of a register number. */
export function checkCnh(value: string): CheckedCnh {
  if (!/^\d{11}$/.test(value)) return { isValid: false, isDisputed: false };
  const digits = [...value].map(Number);
  const rest = (weightOf: (place: number) => number): number =>
    digits.slice(0, 9).reduce((sum, digit, index) => sum + digit * weightOf(index + 1), 0) % 11;
  const first = rest((place) => 10 - place);
  const second = rest((place) => place);
  // Both remainders are below 11; a first remainder of 10 lowers the second by 2.
  const lowered = first === 10 ? (second + 9) % 11 : second;
  const isDisputed = first === 10 && [0, 1, 10].includes(second);
  const isValid = digits[9] === first % 10 && digits[10] === lowered % 10 && !/^(\d)\1{10}$/.test(value);
  return { isValid, isDisputed };
}
