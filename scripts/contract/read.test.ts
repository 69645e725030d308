/** Tests of references in the contract without a target. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContract } from './read.ts';

const CONTRACT = `openapi: 3.1.1
info: { title: Things, version: 1.0.0 }
paths:
  /v1/things/{id}:
    get:
      responses:
        '200': { $ref: '#/components/responses/Thing' }
components:
  schemas:
    Thing:
      type: object
      properties:
        address: { $ref: '#/components/schemas/Address' }
    Address: { type: string }
  responses:
    Thing:
      description: A thing.
      content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
    NotFound: { description: None. }
`;

/** Returns the error for the contract after replacing one text by another. */
function complaint(from: string, to: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'references-'));
  try {
    writeFileSync(join(folder, 'openapi.yaml'), CONTRACT.replaceAll(from, to));
    readContract(join(folder, 'openapi.yaml'));
    return '';
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .map((line) => line.slice(line.indexOf('openapi.yaml')))
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a reference without a target', () => {
  it.each([
    [
      '#/components/schemas/Address',
      '#/components/schemas/Adress',
      'openapi.yaml:13:26 there is no #/components/schemas/Adress; did you mean #/components/schemas/Address?',
    ],
    [
      '#/components/schemas/Address',
      '#/components/schemas/address',
      'openapi.yaml:13:26 there is no #/components/schemas/address; did you mean #/components/schemas/Address?',
    ],
    [
      '#/components/schemas/Address',
      '#/components/schema/Address',
      'openapi.yaml:13:26 there is no #/components/schema/Address; did you mean #/components/schemas/Address?',
    ],
    [
      '#/components/schemas/Address',
      '#/components/schemas/NotFound',
      'openapi.yaml:13:26 there is no #/components/schemas/NotFound; did you mean #/components/responses/NotFound?',
    ],
    [
      '#/components/schemas/Address',
      '#/components/schemas/Whatever',
      'openapi.yaml:13:26 there is no #/components/schemas/Whatever',
    ],
    [
      '#/components/schemas/Address',
      '#/paths/~1v1~1things/get',
      'openapi.yaml:13:26 there is no #/paths/~1v1~1things/get',
    ],
    [
      '#/components/schemas/Address',
      'other.yaml#/Address',
      'openapi.yaml:13:26 other.yaml#/Address leads to another file, but the contract is one file',
    ],
  ])('%s → %s is told with its place and what was probably meant', (from, to, expected) => {
    expect(complaint(from, to)).toBe(expected);
  });

  it('is reported together with all others', () => {
    expect(complaint('schemas/Thing', 'schemas/Thong').split('\n')).toEqual([
      'openapi.yaml:18:54 there is no #/components/schemas/Thong; did you mean #/components/schemas/Thing?',
    ]);
    expect(complaint("Thing' }", "Thong' }").split('\n')).toHaveLength(2);
  });

  it('is not reported for a contract without references, nor for one without components', () => {
    expect(complaint('', '')).toBe('');
    expect(complaint(CONTRACT, 'openapi: 3.1.1\ninfo: {}\npaths: {}\n')).toBe('');
  });
});
