/** Tests of the authorisation of machines and people by the declarations of the contract. */
import { describe, expect, it } from 'vitest';
import type { AnyPrincipal, Operation, Role, Scope } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import { authorizer } from './authorize.ts';

const operation = (over: Partial<Operation>): Operation =>
  ({
    tag: 'applications',
    method: 'get',
    path: '/v1/users/{userId}/sessions',
    roles: ['owner', 'analyst'],
    humanOnly: false,
    self: null,
    mfaExempt: false,
    sealed: [],
    needsFullData: { operation: false, parameters: [] },
    security: [{ bearerAuth: ['read'] }, { apiKey: ['read'] }, { oauth2: ['read'] }],
    ...over,
  }) as Operation;
const machine = (
  kind: string,
  scopes: readonly Scope[],
  roles: readonly Role[] = ['owner', 'owner'],
  keyEnvironment = 'live',
) =>
  ({
    kind,
    scopes,
    keyEnvironment,
    grantor: { userId: 'u', roles },
    personalData: 'full',
  }) as unknown as AnyPrincipal;
const key = (...scopes: Scope[]) => machine('api_key', scopes);
const client = (...scopes: Scope[]) => machine('oauth_client', scopes);
const visible = ['live', 'sandbox'] as const;
const user = (role: string) =>
  ({ kind: 'user', role, userId: '0198c0de-0000-7000-8000-00000000000a' }) as unknown as AnyPrincipal;

const decide = (
  rule: Operation,
  principal: AnyPrincipal,
  { owes = false, path = [] as string[], sees = visible as readonly ('live' | 'sandbox')[] } = {},
): unknown => {
  try {
    authorizer(rule)({ principal, owesSecondFactor: owes, visible: sees }, path);
  } catch (error) {
    const { code, members } = error as Problem;
    return members['requiredScopes'] === undefined ? code : [code, ...(members['requiredScopes'] as string[])];
  }
  return 'allowed';
};

describe('a machine', () => {
  it('needs one of the scopes that the operation names, or admin', () => {
    expect(decide(operation({}), key('read'))).toBe('allowed');
    expect(decide(operation({}), key('write', 'admin'))).toBe('allowed');
    expect(decide(operation({}), key('write', 'kyb'))).toEqual(['insufficient_scope', 'read']);
    expect(decide(operation({}), key())).toEqual(['insufficient_scope', 'read']);
  });

  it('may read in its own area with the scope of the area, and change there only with that scope', () => {
    const screenings = { tag: 'screenings' as Operation['tag'] };
    expect(decide(operation(screenings), key('screening'))).toBe('allowed');
    expect(decide(operation({ tag: 'businesses' as Operation['tag'] }), client('kyb'))).toBe('allowed');
    expect(decide(operation(screenings), key('kyb'))).toEqual(['insufficient_scope', 'read', 'screening']);
    const change = operation({ ...screenings, method: 'post', security: [{ apiKey: ['screening'] }] });
    expect(decide(change, key('screening'))).toBe('allowed');
    expect(decide(change, key('write'))).toEqual(['insufficient_scope', 'screening']);
  });

  it('never performs operations reserved for people, whatever its scopes', () => {
    expect(decide(operation({ humanOnly: true }), key('admin'))).toBe('human_required');
    expect(decide(operation({ humanOnly: true }), client('admin'))).toBe('human_required');
  });

  it('reads no more than the role of its grantor allows, both when the key was granted and now', () => {
    expect(decide(operation({}), machine('api_key', ['read'], ['analyst', 'owner']))).toBe('allowed');
    for (const roles of [
      ['developer', 'owner'],
      ['owner', 'developer'],
    ] as const) {
      expect(decide(operation({}), machine('api_key', ['admin'], roles))).toBe('role_forbidden');
    }
  });

  it('changes what its grantor may change, or may let an integration change', () => {
    const change = operation({ method: 'post', security: [{ apiKey: ['write'] }] });
    expect(decide(change, machine('api_key', ['write'], ['admin', 'admin']))).toBe('allowed');
    expect(decide(change, machine('api_key', ['write'], ['owner', 'analyst']))).toBe('allowed');
    expect(decide(change, machine('api_key', ['write'], ['owner', 'viewer']))).toBe('role_forbidden');
    expect(decide(change, machine('api_key', ['write'], ['developer', 'developer'], 'test'))).toBe('allowed');
    expect(decide(change, machine('api_key', ['write'], ['developer', 'developer']))).toBe('role_forbidden');
  });

  it('administers for an owner or administrator only', () => {
    const administration = operation({
      method: 'patch',
      roles: ['owner', 'admin', 'compliance_officer'],
      security: [{ apiKey: ['admin'] }],
    });
    expect(decide(administration, machine('api_key', ['admin'], ['admin', 'owner']))).toBe('allowed');
    expect(decide(administration, machine('api_key', ['admin'], ['owner', 'compliance_officer']))).toBe(
      'role_forbidden',
    );
  });

  it('that is pinned to live changes nothing of the sandbox', () => {
    const reset = operation({ tag: 'sandbox', method: 'delete', security: [{ apiKey: ['admin'] }] });
    expect(decide(reset, key('admin'), { sees: ['live'] })).toBe('key_pinned_to_live');
    expect(decide({ ...reset, method: 'get' }, key('admin'), { sees: ['live'] })).toBe('allowed');
  });

  it('that sees personal data masked gets no response that would reveal them', () => {
    const download = operation({ needsFullData: { operation: true, parameters: [] } });
    expect(decide(download, key('read'))).toBe('allowed');
    expect(decide(download, { ...key('read'), personalData: 'masked' })).toBe('personal_data_masked');
  });

  it('that authenticates with a token is refused in the form of RFC 6750', () => {
    expect(() =>
      authorizer(operation({}))({ principal: client('write'), owesSecondFactor: false, visible }, []),
    ).toThrow(
      expect.objectContaining({
        headers: { 'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope", scope="read"' },
      }),
    );
  });
});

describe('a person', () => {
  it('needs one of the roles that the operation names', () => {
    expect(decide(operation({}), user('analyst'))).toBe('allowed');
    expect(decide(operation({}), user('viewer'))).toBe('role_forbidden');
    expect(decide(operation({ humanOnly: true }), user('owner'))).toBe('allowed');
  });

  it('needs no role for the own record, if the contract says so', () => {
    const own = { path: ['0198C0DE-0000-7000-8000-00000000000a'] };
    const foreign = { path: ['0198c0de-0000-7000-8000-00000000000b'] };
    expect(decide(operation({ self: 'userId' }), user('viewer'), own)).toBe('allowed');
    expect(decide(operation({ self: 'userId' }), user('viewer'), foreign)).toBe('role_forbidden');
    expect(decide(operation({}), user('viewer'), own)).toBe('role_forbidden');
    expect(decide(operation({ self: 'userId' }), key('write'), own)).toEqual(['insufficient_scope', 'read']);
  });

  it('who still has to set up a second factor may only use exempt operations, whatever the role', () => {
    expect(decide(operation({}), user('owner'), { owes: true })).toBe('mfa_enrolment_required');
    expect(decide(operation({}), user('viewer'), { owes: true })).toBe('mfa_enrolment_required');
    expect(decide(operation({ mfaExempt: true }), user('owner'), { owes: true })).toBe('allowed');
    expect(decide(operation({ mfaExempt: true }), user('viewer'), { owes: true })).toBe('role_forbidden');
  });
});
