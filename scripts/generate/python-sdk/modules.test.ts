/** Tests of what the generated Python may log, and which error codes its docstrings name. */
import { describe, expect, it } from 'vitest';
import type { Contract, Schema } from '../../contract/contract.ts';
import type { ApiModel } from '../model.ts';
import { problemCodes } from '../problem-codes.ts';
import { shownModule } from './modules.ts';

const shown = (schemas: Readonly<Record<string, Schema>>) => shownModule({ schemas } as unknown as ApiModel);
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });

describe('the members whose values may be logged', () => {
  it('are enumerations, flags, and what holds members of its own', () => {
    const source = shown({
      State: { type: 'string', enum: ['on'] },
      Thing: object({
        name: { type: 'string' },
        state: { $ref: '#/components/schemas/State' },
        old: { type: ['boolean', 'null'] },
        part: { oneOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
        map: { type: 'object', additionalProperties: true },
      }),
      Part: object({ size: { type: 'integer' } }),
    });
    expect(source).toContain('frozenset({"old", "part", "state"})');
  });

  it('are never personal, and never of a name that is harmful elsewhere', () => {
    const source = shown({
      Thing: object({ pep: { 'type': 'boolean', 'x-pii': true }, code: { type: 'string', enum: ['a'] } }),
      Other: object({ code: { type: 'string' } }),
    });
    expect(source).toContain('frozenset({})');
  });
});

const response = (...problems: readonly (readonly [number, string])[]) => ({
  description: '',
  content: {
    'application/problem+json': {
      examples: Object.fromEntries(problems.map(([status, code]) => [code, { value: { status, code } }])),
    },
  },
});
const operation = (operationId: string, ...problems: readonly (readonly [number, string])[]) => ({
  get: { operationId, responses: { 400: response(...problems) } },
});

describe('the problem codes that a docstring names', () => {
  it('are those that tell an operation from the others, and what everybody must expect to be missing', () => {
    const usual = [
      [429, 'rate_limited'],
      [404, 'not_found'],
    ] as const;
    const contract = {
      paths: {
        '/a': operation('a', ...usual, [409, 'taken']),
        '/b': operation('b', ...usual),
        '/c': operation('c', ...usual),
      },
    } as unknown as Contract;
    expect([...problemCodes(contract)]).toEqual([
      ['a', ['not_found', 'taken']],
      ['b', ['not_found']],
      ['c', ['not_found']],
    ]);
  });
});
