/** Tests of the permissions that a signed-in user is shown. */
import { describe, expect, it } from 'vitest';
import { permissionsOf } from './current-user.ts';

describe('permissions', () => {
  it('let an owner manage keys and a viewer only read', () => {
    expect(permissionsOf('owner')).toContain('createApiKey');
    expect(permissionsOf('viewer')).toContain('getApplication');
    expect(permissionsOf('viewer')).not.toContain('createApiKey');
    expect(permissionsOf('viewer')).not.toContain('createApplication');
  });

  it('include the former ids of an operation', () => {
    expect(permissionsOf('owner')).toEqual(expect.arrayContaining(['createInvitation', 'inviteUser']));
    expect(permissionsOf('viewer')).not.toContain('inviteUser');
  });

  it('are sorted and contain no public operation', () => {
    const permissions = permissionsOf('owner');
    expect(permissions).toEqual([...permissions].sort());
    expect(permissions).not.toContain('login');
  });
});
