/** Check digits of machine-readable zones (ICAO Doc 9303-3, section 4.9). */

/** Alphabet of machine-readable zones: digits, capital letters and the filler. */
export const MRZ_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';

const WEIGHTS = [7, 3, 1] as const;

/** Returns the value of a character: a digit counts as itself, A as 10 to Z as 35, and the filler as 0. */
function valueOf(character: string): number {
  const value = MRZ_ALPHABET.indexOf(character);
  return value === 36 ? 0 : value;
}

/** Returns the check digit of a text: its values with the weights 7, 3 and 1 in turn, modulo 10. */
export function checkDigit(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += valueOf(text[i]!) * WEIGHTS[i % 3]!;
  return String(sum % 10);
}

/**
 * Digits that are commonly printed or read as a letter. A letter is replaced only where the standard allows digits
 * alone, and a check that depends on the replacement is a warning.
 */
const CONFUSED: Readonly<Record<string, string>> = {
  O: '0',
  I: '1',
  B: '8',
  S: '5',
  Z: '2',
};

/** Returns the digit for which a letter is commonly mistaken; null for other characters. */
export function digitFor(letter: string): string | null {
  return CONFUSED[letter] ?? null;
}
