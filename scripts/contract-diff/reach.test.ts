/** Tests of finding the part of two contracts that a change reaches. */
import { describe, expect, it } from 'vitest';
import { inAnyState } from '../contract/contract.ts';
import type { Contract } from '../contract/contract.ts';
import { changedPart } from './reach.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answering = (name: string) => ({
  get: { responses: { 200: { description: '', content: { 'application/json': { schema: ref(name) } } } } },
});

function contract(size: string, more: object = {}): Contract {
  return inAnyState({
    paths: { '/v1/things': answering('Thing'), '/v1/people': answering('Person') },
    components: {
      schemas: { Thing: { properties: { size: ref('Size') } }, Size: { type: size }, Person: { type: 'object' } },
    },
    ...more,
  } as unknown as Partial<Contract>);
}

describe('the changed part of two contracts', () => {
  it('keeps the paths that reach a change, with everything they refer to', () => {
    const { base, revision } = changedPart(contract('integer'), contract('string'));
    for (const part of [base, revision]) {
      expect(Object.keys(part.paths)).toEqual(['/v1/things']);
      expect(Object.keys(part.components.schemas ?? {})).toEqual(['Thing', 'Size']);
    }
  });

  it('has no paths if only prose around them changed', () => {
    expect(
      changedPart(contract('integer'), contract('integer', { info: { title: 'New', version: '1.0.0' } })).revision
        .paths,
    ).toEqual({});
  });

  it('is the whole contract if a part that all operations inherit changed', () => {
    expect(
      Object.keys(changedPart(contract('integer'), contract('integer', { security: [{ apiKey: [] }] })).base.paths),
    ).toHaveLength(2);
  });
});
