import { randomInt } from 'node:crypto';

// Files of tests that share a service run in processes of their own, so that each begins elsewhere.
let issued = randomInt(100_000_000, 900_000_000);

/** A valid CPF that nothing else has: nine digits and two that check them, modulo 11. */
export function newCpf(): string {
  issued += 1;
  const digits = [...String(issued)].map(Number);
  for (let round = 0; round < 2; round++) {
    const sum = digits.reduce((total, digit, i) => total + digit * (digits.length + 1 - i), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
