/** Tests of the threat model, docs/security.md: every threat has an answer, and tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface Threat {
  readonly boundary: string;
  readonly cells: readonly string[];
}

/** Returns the rows of the tables of the threat model, each with its trust boundary. */
function threats(): readonly Threat[] {
  let boundary = '';
  const rows: Threat[] = [];
  for (const line of readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) boundary = line.slice(3);
    const isRow = line.startsWith('| ') && !line.startsWith('| Threat |');
    if (isRow)
      rows.push({
        boundary,
        cells: line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      });
  }
  return rows;
}

describe('The threat model', () => {
  it.each([
    'From the network to the service',
    'From a request to the validator',
    'From a credential to its rights',
    'From a stranger to an account',
    'From an uploaded file to its reader',
    'From the service to its database, and between replicas',
  ])('has threats at the boundary "%s"', (boundary) => {
    expect(threats().filter((threat) => threat.boundary === boundary)).not.toEqual([]);
  });

  it('gives each threat its STRIDE letters, an answer and the tests that show the answer', () => {
    const incomplete = threats().filter(
      ({ cells: [threat, stride, answer, tests] }) =>
        !threat || !/^[STRIDE](, ?[STRIDE])*$/.test(stride ?? '') || !answer || !/`[^`]+`/.test(tests ?? ''),
    );
    expect(incomplete).toEqual([]);
  });

  it('names only tests that exist', () => {
    const named = threats().flatMap(({ cells }) =>
      [...(cells[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path as string),
    );
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
