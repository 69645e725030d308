/** Tests of the access to personal data that a role or a key's grantor gives. */
import { uuidv7 } from '../base/uuid.ts';
import { describe, expect, it } from 'vitest';
import { type Grant, hasGrantor, personalDataOfGrant, personalDataOfRole } from './grantor.ts';

const grant: Grant = {
  grantedBy: uuidv7(),
  grantedRole: 'owner',
  grantorRole: 'analyst',
  personalData: 'full',
};

it('personal data are shown in full to roles that work with people', () => {
  expect((['admin', 'developer', 'viewer'] as const).map(personalDataOfRole)).toEqual(['masked', 'masked', 'masked']);
  expect((['owner', 'compliance_officer', 'analyst', 'auditor'] as const).map(personalDataOfRole)).toEqual([
    'full',
    'full',
    'full',
    'full',
  ]);
});

describe('a key', () => {
  it('shows them in full if its grantor saw them when granting it and sees them now', () => {
    expect(personalDataOfGrant(grant)).toBe('full');
    for (const change of [{ personalData: 'masked' }, { grantedRole: 'admin' }, { grantorRole: 'viewer' }] as const)
      expect(personalDataOfGrant({ ...grant, ...change })).toBe('masked');
  });

  it('has a grantor unless that person has left or was never known', () => {
    expect(hasGrantor(grant)).toBe(true);
    expect(hasGrantor({ ...grant, grantorRole: null })).toBe(false);
    expect(
      hasGrantor({
        grantedBy: null,
        grantedRole: null,
        grantorRole: null,
        personalData: 'masked',
      }),
    ).toBe(false);
  });
});
