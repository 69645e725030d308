/** Check digits of Brazilian tax numbers: of people (CPF) and of organisations (CNPJ). */

/**
 * Checks a number of the Cadastro de Pessoas Físicas: nine digits and two check digits, each modulo 11 over all digits
 * before it with weights that fall to 2 (Receita Federal).
 */
export function isCpf(value: string): boolean {
  return (
    /^\d{11}$/.test(value) &&
    cpfCheckDigit(value.slice(0, 9)) === value[9] &&
    cpfCheckDigit(value.slice(0, 10)) === value[10]
  );
}

function cpfCheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (digits.length + 1 - i);
  const rest = (sum * 10) % 11;
  return String(rest === 10 ? 0 : rest);
}

/**
 * Checks a number of the Cadastro Nacional da Pessoa Jurídica, numeric or alphanumeric (Instrução Normativa RFB
 * 2.229/2024): twelve digits or capital letters and two check digits. A character counts as its ASCII code minus 48, so
 * digits count as before.
 */
export function isCnpj(value: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(value) || value === '0'.repeat(14)) return false;
  return cnpjCheckDigit(value.slice(0, 12)) === value[12] && cnpjCheckDigit(value.slice(0, 13)) === value[13];
}

/** Order of a head office, after the root that it shares with its branches; branches have other orders. */
const HEAD_OFFICE = '0001';
const HEAD_OFFICE_AT = 8;

/** Returns the first eight characters of a CNPJ, which a company shares with its branches. */
export function rootOf(cnpj: string): string {
  return cnpj.slice(0, HEAD_OFFICE_AT);
}

/** Tells whether a CNPJ is that of a branch. */
export function isBranch(cnpj: string): boolean {
  return !cnpj.startsWith(HEAD_OFFICE, HEAD_OFFICE_AT);
}

/** Returns the CNPJ of the head office of a branch: the same root, and the order of head offices. */
export function headOfficeOf(cnpj: string): string {
  const characters = `${rootOf(cnpj)}${HEAD_OFFICE}`;
  const first = cnpjCheckDigit(characters);
  return `${characters}${first}${cnpjCheckDigit(characters + first)}`;
}

/** Returns the check digit: modulo 11 with the weights 2 to 9 from the right, repeated. */
function cnpjCheckDigit(characters: string): string {
  let sum = 0;
  for (let i = 0; i < characters.length; i++) {
    const weight = 2 + ((characters.length - 1 - i) % 8);
    sum += (characters.charCodeAt(i) - 48) * weight;
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
