/** Tests of what a patch does to the status of a member. */
import { describe, expect, it } from 'vitest';
import { statusChange, type UserStatus } from './member.ts';

type Row = [UserStatus, object, string | null];

describe('the effect of a patch on the status', () => {
  it.each<Row>([
    ['active', {}, null],
    ['active', { status: 'active' }, null],
    ['active', { status: 'deactivated' }, 'deactivate'],
    ['active', { unlock: true }, 'unlock'],
    ['active', { status: 'active', unlock: true }, 'unlock'],
    ['locked', {}, null],
    ['locked', { status: 'active' }, 'unlock'],
    ['locked', { unlock: true }, 'unlock'],
    ['locked', { status: 'deactivated' }, 'deactivate'],
    ['invited', {}, null],
    ['invited', { status: 'deactivated' }, 'deactivate'],
    ['deactivated', {}, null],
    ['deactivated', { status: 'deactivated' }, null],
    ['deactivated', { status: 'active' }, 'reactivate'],
  ])('follows from the current status %s and the patch %j', (status, patch, change) => {
    expect(statusChange({ status, joined: true }, patch)).toBe(change);
  });

  it.each<[UserStatus, boolean, object, string[]]>([
    ['invited', false, { status: 'active' }, ['deactivated']],
    ['invited', false, { unlock: true }, ['deactivated']],
    // A former member who is invited again must accept the new invitation.
    ['invited', true, { status: 'active' }, ['deactivated']],
    ['deactivated', true, { unlock: true }, ['active']],
    ['deactivated', false, { status: 'active' }, ['invited']],
    ['active', true, { status: 'deactivated', unlock: true }, ['deactivated']],
    ['locked', true, { status: 'deactivated', unlock: true }, ['active', 'deactivated']],
  ])('is a refusal if the user is %s (joined: %s) and the patch is %j', (status, joined, patch, allowedTransitions) => {
    expect(() => statusChange({ status, joined }, patch)).toThrow(
      expect.objectContaining({
        code: 'invalid_state_transition',
        members: { currentStatus: status, allowedTransitions },
      }),
    );
  });
});
