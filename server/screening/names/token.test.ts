/** Tests that reading the words of a name takes no longer for names that are made to take long. */
import { expect, it } from 'vitest';
import { ratioOf } from '../../../test/support/processor-time.ts';
import { tokensOf } from './token.ts';

const LENGTH = 1000;
const filled = (...parts: readonly string[]): string => parts.join('').repeat(LENGTH).slice(0, LENGTH);

let read = 0;
/** Reads names that differ in their ends, so that none of their last words is remembered. */
function readMany(name: string): void {
  for (let time = 0; time < 50; time++) tokensOf(`${name.slice(0, LENGTH - 6)} ${read++}`, 'organisation');
}

it.each([
  ['limited companies', `ob${'stv'.repeat(110)} s o${'ranie'.repeat(60)} ot${'a'.repeat(330)}`],
  ['stock companies', `${'pub'.repeat(80)} akts${'n'.repeat(240)} ob${'s'.repeat(500)}`],
  ['limited companies in short words', filled('obstvstvstvs s oraniranira otavenvev ')],
  ['stock companies in short words', filled('publpublpub aktsnnnnnnnn obssssssss ')],
  ['stock companies of the public', filled('open public ')],
  ['institutions', filled('federal state budgetary educationaleducational ')],
  ['words that begin like a form', filled('ob', 's'.repeat(27), ' ')],
  ['a name in Spanish', filled('sociedad anananmamama ')],
])('a name that resembles %s takes about as long to read as any other of its length', async (_, name) => {
  const harmless = filled('Aurora Ferramentas Navegacao ');
  expect(
    await ratioOf(
      () => readMany(name),
      () => readMany(harmless),
    ),
  ).toBeLessThan(10);
});
