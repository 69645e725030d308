/** New valid tax numbers. Used by tests and the benchmark. */
import { randomInt } from 'node:crypto';

// Test files that share a service run in separate processes, so each begins at a random number.
let issued = randomInt(100_000_000, 900_000_000);

/** Returns a valid CPF that is used only once: nine digits and two check digits, modulo 11. */
export function newCpf(): string {
  issued += 1;
  const digits = [...String(issued)].map(Number);
  for (let round = 0; round < 2; round++) {
    const sum = digits.reduce((total, digit, i) => total + digit * (digits.length + 1 - i), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
