/** Tests of the password policy: minimum lengths and weak passwords. */
import { describe, expect, it } from 'vitest';
import { minLength, type PasswordOwner, weaknessesOf } from './password-policy.ts';

const policy = { passwordMinLength: 12, mfaRequired: false };
const ana: PasswordOwner = {
  policies: [policy],
  mfaEnrolled: false,
  email: 'ana.ferreira@acmepay.example',
  tenantNames: ['Banco Demonstração'],
};

describe('the minimum length of a password', () => {
  it('is 15 without a second factor, and 12 with one', () => {
    expect(minLength(ana)).toBe(15);
    expect(minLength({ ...ana, mfaEnrolled: true })).toBe(12);
  });

  it('counts a required second factor, if every tenant requires one', () => {
    const strict = { ...policy, mfaRequired: true };
    expect(minLength({ ...ana, policies: [strict] })).toBe(12);
    expect(minLength({ ...ana, policies: [strict, policy] })).toBe(15);
    expect(minLength({ ...ana, policies: [] })).toBe(15);
  });

  it('is that of the strictest tenant', () => {
    expect(minLength({ ...ana, policies: [{ ...policy, passwordMinLength: 20 }, policy], mfaEnrolled: true })).toBe(20);
  });
});

describe('a password', () => {
  it.each([
    'correct horse battery staple',
    'seven quiet rivers at dawn',
    ' leading and trailing ',
    'x7!kQ9#mZ2$vL5@',
    'ᚠᛇᚻ᛫ᛒᛦᚦ᛫ᚠᚱᚩᚠᚢᚱ᛫ᚠᛁᚱᚪ',
    'corac\u0327a\u0303o de lea\u0303o',
    '🐎🔋📎🐢🌊🌵🎻🧊🍋🪁🧭🥁🪵🧶🦉',
  ])('%j will do', async (password) => {
    expect(await weaknessesOf(password, ana)).toEqual([]);
  });

  it.each([
    ['fourteen chars', ['too_short']],
    // Fifteen code points before normalisation, thirteen after it.
    ['corac\u0327a\u0303o leal e', ['too_short']],
    ['🐎🔋📎🐢🌊🌵🎻', ['too_short']],
    ['password', ['too_short', 'common']],
    ['Password123456789!', ['common']],
    ['12345678901234567890', ['repetitive']],
    ['aaaaaaaaaaaaaaaaaaaa', ['repetitive']],
    ['abcdefghijklmnopqrst', ['repetitive']],
    ['horsey!horsey!horsey!', ['repetitive']],
    ['my name is Ferreira!', ['contains_email']],
    ['i work at ACMEPAY since', ['contains_email']],
    ['o banco demonstracao 1', ['contains_tenant_name']],
    ['ferreira-2', ['too_short', 'common', 'contains_email']],
  ])('%j will not, and says why', async (password, reasons) => {
    expect(await weaknessesOf(password, ana)).toEqual(reasons);
  });

  it('may contain a fragment that is too short to be a name', async () => {
    expect(
      await weaknessesOf('bananas in pyjamas walk', { ...ana, email: 'ana@ab.example', tenantNames: ['AB'] }),
    ).toEqual([]);
  });
});
