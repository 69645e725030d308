/** CPFs of which registers show the six digits in the middle: `***982247**` or `***.982.247-**`. */
import { isCpf } from './tax-numbers.ts';

/** Result of a comparison. Equal digits alone never identify a person, because thousands of people share them. */
export type MaskComparison = 'equal' | 'different' | 'not_comparable';

/** Returns the masked form of a CPF in its stored form. */
export function maskedCpf(cpf: string): string {
  return `***${cpf.slice(3, 9)}**`;
}

/** Compares a masked CPF with a CPF whose check digits are right, or with another masked CPF. */
export function compareMaskedCpf(masked: string, other: string): MaskComparison {
  const [ofMasked, ofOther] = [middleOf(masked), middleOf(other)];
  if (ofMasked === null || ofOther === null) return 'not_comparable';
  return ofMasked === ofOther ? 'equal' : 'different';
}

function middleOf(value: string): string | null {
  const plain = value.replaceAll(/[./\s-]/g, '');
  const middle = /^\*{3}(\d{6})\*{2}$/.exec(plain)?.[1];
  return middle ?? (isCpf(plain) ? plain.slice(3, 9) : null);
}
