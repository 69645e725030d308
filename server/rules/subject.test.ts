/** Tests of the rule which application or business a record is about. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import { subjectNamedBy } from './subject.ts';

const [APPLICATION, BUSINESS] = ['0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01', '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a02'];

function errorsOf(members: Parameters<typeof subjectNamedBy>[0]): unknown {
  try {
    return subjectNamedBy(members);
  } catch (error) {
    if (error instanceof Problem)
      return [error.code, error.members.errors?.map(({ pointer, code }) => [pointer, code])];
    throw error;
  }
}

describe('a subject', () => {
  it('is the application or the business that a record names', () => {
    expect(subjectNamedBy({ applicationId: APPLICATION })).toEqual({ kind: 'application', id: APPLICATION });
    expect(subjectNamedBy({ applicationId: APPLICATION, businessId: null })).toEqual({
      kind: 'application',
      id: APPLICATION,
    });
    expect(subjectNamedBy({ applicationId: null, businessId: BUSINESS })).toEqual({ kind: 'business', id: BUSINESS });
  });

  it('is refused if both are named; the error points at businessId', () => {
    expect(errorsOf({ applicationId: APPLICATION, businessId: BUSINESS })).toEqual([
      'validation_failed',
      [['/businessId', 'not_allowed']],
    ]);
  });

  it('is refused if none is named; the error points at applicationId', () => {
    for (const members of [{}, { applicationId: null, businessId: null }])
      expect(errorsOf(members)).toEqual(['validation_failed', [['/applicationId', 'required']]]);
  });
});
