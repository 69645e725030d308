import { describe, expect, it } from 'vitest';
import { statusChange, type UserStatus } from './member.ts';

type Row = [UserStatus, object, string | null];

describe('what a patch does to the status', () => {
  it.each<Row>([
    ['active', {}, null], ['active', { status: 'active' }, null], ['active', { status: 'deactivated' }, 'deactivate'], ['active', { unlock: true }, 'unlock'],
    ['active', { status: 'active', unlock: true }, 'unlock'],
    ['locked', {}, null], ['locked', { status: 'active' }, 'unlock'], ['locked', { unlock: true }, 'unlock'], ['locked', { status: 'deactivated' }, 'deactivate'],
    ['invited', {}, null], ['invited', { status: 'deactivated' }, 'deactivate'],
    ['deactivated', {}, null], ['deactivated', { status: 'deactivated' }, null], ['deactivated', { status: 'active' }, 'reactivate'],
  ])('of somebody %s with %j', (status, patch, change) => {
    expect(statusChange({ status, joined: true }, patch)).toBe(change);
  });

  it.each<[UserStatus, boolean, object, string[]]>([
    ['invited', false, { status: 'active' }, ['deactivated']],
    ['invited', false, { unlock: true }, ['deactivated']],
    // Invited anew: they came once, but have to come again.
    ['invited', true, { status: 'active' }, ['deactivated']],
    ['deactivated', true, { unlock: true }, ['active']],
    ['deactivated', false, { status: 'active' }, ['invited']],
    ['active', true, { status: 'deactivated', unlock: true }, ['deactivated']],
    ['locked', true, { status: 'deactivated', unlock: true }, ['active', 'deactivated']],
  ])('is refused of somebody %s (joined: %s) with %j', (status, joined, patch, allowedTransitions) => {
    expect(() => statusChange({ status, joined }, patch)).toThrow(expect.objectContaining({ code: 'invalid_state_transition', members: { currentStatus: status, allowedTransitions } }));
  });
});
