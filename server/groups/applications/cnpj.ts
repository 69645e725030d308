/**
 * Cadastro Nacional da Pessoa Jurídica, numeric and alphanumeric (Instrução Normativa RFB 2.229/2024): twelve digits or
 * capital letters and two check digits. A character counts as its ASCII code less 48, so digits count as before.
 */
export function isCnpj(value: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(value) || value === '0'.repeat(14)) return false;
  return checkDigit(value.slice(0, 12)) === value[12] && checkDigit(value.slice(0, 13)) === value[13];
}

/** Modulo 11 with the weights 2 to 9 from the right, again and again. */
function checkDigit(characters: string): string {
  let sum = 0;
  for (let i = 0; i < characters.length; i++) {
    const weight = 2 + ((characters.length - 1 - i) % 8);
    sum += (characters.charCodeAt(i) - 48) * weight;
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
