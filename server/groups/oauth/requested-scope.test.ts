import { describe, expect, it } from 'vitest';
import { grantedScopes } from './requested-scope.ts';

describe('the granted scope', () => {
  it('is everything that the key has, when none is asked for', () => {
    expect(grantedScopes(undefined, ['write', 'read'])).toEqual(['read', 'write']);
    expect(grantedScopes('', ['write', 'read'])).toEqual(['read', 'write']);
  });

  it('is what was asked for, sorted and without repetition', () => {
    expect(grantedScopes('write read write', ['read', 'write', 'kyb'])).toEqual(['read', 'write']);
  });

  it('may be any scope for a key with admin, which includes the others', () => {
    expect(grantedScopes('read', ['admin'])).toEqual(['read']);
  });

  it.each(['nonsense', 'READ', 'read  write', ' read', 'read ', 'read\twrite', 'read "', '__proto__', 'kyb'])('is refused when %j is asked of a key with read', (scope) => {
    expect(() => grantedScopes(scope, ['read', 'write'])).toThrow('invalid_scope');
  });
});
