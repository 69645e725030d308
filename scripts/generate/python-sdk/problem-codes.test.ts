import { describe, expect, it } from 'vitest';
import type { Contract } from '../contract.ts';
import { problemCodes } from './problem-codes.ts';

const response = (...problems: readonly (readonly [number, string])[]) => ({
  description: '', content: { 'application/problem+json': { examples: Object.fromEntries(problems.map(([status, code]) => [code, { value: { status, code } }])) } },
});
const operation = (operationId: string, ...problems: readonly (readonly [number, string])[]) => ({ get: { operationId, responses: { 400: response(...problems) } } });

describe('the problem codes that a docstring names', () => {
  it('are those that tell an operation from the others, and what everybody must expect to be missing', () => {
    const usual = [[429, 'rate_limited'], [404, 'not_found']] as const;
    const contract = { paths: { '/a': operation('a', ...usual, [409, 'taken']), '/b': operation('b', ...usual), '/c': operation('c', ...usual) } } as unknown as Contract;
    expect([...problemCodes(contract)]).toEqual([['a', ['not_found', 'taken']], ['b', ['not_found']], ['c', ['not_found']]]);
  });
});
