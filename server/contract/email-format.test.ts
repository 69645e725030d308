/** Tests of the format of e-mail addresses. */
import { describe, expect, it } from 'vitest';
import { normalEmail } from '../rules/email-address.ts';
import { emailFormat } from './email-format.ts';

describe('an e-mail address', () => {
  it.each([
    'ana@example.com',
    'ana.souza+kyc@mail.example.com.br',
    "o'neill@example.com",
    'ana@bücher.example',
    'ana@xn--bcher-kva.example',
    'ana@пример.испытание',
    'ana@例え.テスト',
    `${'a'.repeat(64)}@example.com`,
    `ana@${'a'.repeat(63)}.com`,
  ])('may be %s', (address) => {
    expect(emailFormat.validate(address)).toBe(true);
  });

  it.each([
    ['has a local part that is too long', `${'a'.repeat(65)}@example.com`],
    ['is quoted', '"ana souza"@example.com'],
    ['has two points', 'ana..b@example.com'],
    ['begins with a point', '.ana@example.com'],
    ['has an international local part', 'joão@example.com'],
    ['names an address', 'ana@[203.0.113.7]'],
    ['ends in a number', 'ana@203.0.113.7'],
    ['has one label', 'ana@example'],
    ['has an empty label', 'ana@example..com'],
    ['begins a label with a hyphen', 'ana@-a.com'],
    ['has an underscore', 'ana@a_b.com'],
    ['has a label that is too long in ASCII', `ana@${'ü'.repeat(63)}.com`],
    ['hides a character', 'ana@exam\u200bple.com'],
    ['has a sign in its domain', 'ana@☕.example'],
    ['is no punycode', 'ana@xn--a-ecp.ru\u00ad'],
    ['has no at sign', 'ana.example.com'],
    [
      'is too long in ASCII',
      `${'a'.repeat(60)}@${['ü', 'ö', 'ä', 'é'].map((letter) => letter.repeat(50)).join('.')}.com`,
    ],
  ])('is refused where it %s', (_, address) => {
    expect(emailFormat.validate(address)).toBe(false);
  });

  it('fits the column that stores its ASCII form', () => {
    for (const address of ['ana@bücher.example', `${'a'.repeat(64)}@${'ü'.repeat(40)}.example`])
      expect(emailFormat.validate(address) && normalEmail(address).length <= 254).toBe(true);
  });
});
