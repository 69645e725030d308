/**
 * Cadastro de Pessoas Físicas: nine digits and two check digits, each modulo 11 over all digits before it with
 * weights that fall to 2 (Receita Federal).
 */
export function isCpf(value: string): boolean {
  return /^\d{11}$/.test(value) && checkDigit(value.slice(0, 9)) === value[9] && checkDigit(value.slice(0, 10)) === value[10];
}

function checkDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (digits.length + 1 - i);
  const rest = (sum * 10) % 11;
  return String(rest === 10 ? 0 : rest);
}
