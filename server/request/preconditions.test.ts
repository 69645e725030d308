/** Tests of the If-Match field. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import { assertMatch, etagOf } from './preconditions.ts';

const outcome = (ifMatch: string | undefined): string => {
  try {
    assertMatch(ifMatch, 3);
    return 'passes';
  } catch (error) {
    return `${(error as Problem).code} ${JSON.stringify((error as Problem).members['currentVersion'] ?? null)}`;
  }
};

describe('If-Match', () => {
  it.each([undefined, '*', ' * ', '"3"', '"2", "3"', '"x","3","y"', 'W/"3", "3"'])(
    '%j matches version 3',
    (ifMatch) => {
      expect(outcome(ifMatch)).toBe('passes');
    },
  );

  it.each(['"2"', 'W/"3"', '"03"', '"2", W/"3"'])(
    '%j does not match version 3, and the answer names the version',
    (ifMatch) => {
      expect(outcome(ifMatch)).toBe('version_conflict 3');
    },
  );

  it.each(['3', '"3', '"3 "', 'w/"3"', '"3",', '', '"a"b"'])('%j is no list of entity tags', (ifMatch) => {
    expect(outcome(ifMatch)).toBe('invalid_parameter null');
  });

  it('matches the ETag that the resource was sent with', () => {
    expect(() => assertMatch(etagOf(3), 3)).not.toThrow();
  });
});
