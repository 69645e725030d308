/** API tests of single wrong members of a body, including names with a meaning in JavaScript. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { CANARY, startBadInputWorld } from './bad-input-world.ts';

const world = await shared(startBadInputWorld());

const applicant = { fullName: 'Maria da Silva' };
const valid = { purpose: 'other', applicant };
const withApplicant = (members: object) => ({ ...valid, applicant: { ...applicant, ...members } });
const errorsOf = async (body: object | string, path = '/v1/applications', method = 'POST') => {
  const answer = await world.refused(method, path, { body, headers: { 'Content-Type': 'application/json' } });
  expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
  return (answer.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).sort();
};

describe('one wrong member', () => {
  const long = CANARY.padEnd(10_000, 'x');

  it.each([
    ['a value that is not in the list', { ...valid, level: CANARY }, '/level enum'],
    ['a list value in other letters', { ...valid, purpose: 'OTHER' }, '/purpose enum'],
    ['a number for text', { ...valid, purpose: 7 }, '/purpose type'],
    ['text for a boolean', { ...valid, submit: 'true' }, '/submit type'],
    ['null for what cannot be null', { ...valid, purpose: null }, '/purpose type'],
    ['an array for an object', { ...valid, applicant: [CANARY] }, '/applicant type'],
    ['an object for an array', { ...valid, productCodes: { 0: CANARY } }, '/productCodes type'],
    ['a wrong item of an array', { ...valid, productCodes: ['pix', 'Pix!'] }, '/productCodes/1 pattern'],
    ['an item twice', { ...valid, productCodes: ['pix', 'pix'] }, '/productCodes duplicate_item'],
    [
      'too many items',
      { ...valid, productCodes: Array.from({ length: 11 }, (_, i) => `p${i}`) },
      '/productCodes too_many_items',
    ],
    ['text that is too long', { ...valid, externalId: long }, '/externalId too_long'],
    ['empty text', { ...valid, externalId: '' }, '/externalId too_short'],
    ['a control character', { ...valid, externalId: 'a\u0007b' }, '/externalId pattern'],
    ['no date', withApplicant({ dateOfBirth: CANARY }), '/applicant/dateOfBirth format'],
    ['a day that does not exist', withApplicant({ dateOfBirth: '1990-02-30' }), '/applicant/dateOfBirth format'],
    ['a date with a time', withApplicant({ dateOfBirth: '1990-02-01T00:00:00Z' }), '/applicant/dateOfBirth format'],
    ['no e-mail address', withApplicant({ email: CANARY }), '/applicant/email format'],
    ['a phone number without its country', withApplicant({ phone: '41999990000' }), '/applicant/phone pattern'],
    ['a country by its name', withApplicant({ nationality: 'Brazil' }), '/applicant/nationality too_long'],
    [
      'a fraction of a centavo',
      withApplicant({ monthlyIncome: { amount: 1.5, currency: 'BRL' } }),
      '/applicant/monthlyIncome/amount type',
    ],
    [
      'a debt as an income',
      withApplicant({ monthlyIncome: { amount: -1, currency: 'BRL' } }),
      '/applicant/monthlyIncome/amount too_small',
    ],
    [
      'a member that is missing deep inside',
      withApplicant({ monthlyIncome: { amount: 1 } }),
      '/applicant/monthlyIncome/currency required',
    ],
    [
      'a member that is unknown deep inside',
      withApplicant({ taxId: { type: 'cpf', value: '52998224725', state: CANARY } }),
      '/applicant/taxId/state unknown_field',
    ],
    [
      'a wrong member of an item',
      withApplicant({
        taxResidencies: [
          { country: 'US', tin: '1' },
          { country: 'usa', tin: '1' },
        ],
      }),
      '/applicant/taxResidencies/1/country too_long',
    ],
    ['a metadata key with a space', { ...valid, metadata: { 'a b': 1 } }, '/metadata/a b member_name'],
    [
      'a metadata key with a slash and a tilde',
      { ...valid, metadata: { 'a/b~c': 1 } },
      '/metadata/a~1b~0c member_name',
    ],
    ['an object as metadata', { ...valid, metadata: { a: {} } }, '/metadata/a type'],
    [
      'too many metadata keys',
      { ...valid, metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, i])) },
      '/metadata too_many_members',
    ],
  ])('is named by its JSON Pointer: %s', async (_, body, error) => {
    expect(await errorsOf(body)).toContain(error);
  });

  it.each([
    ['1e400', '1e400'],
    ['minus infinity', '-1e999'],
    ['a hundred thousand digits', '9'.repeat(100_000)],
    ['one more than is exact', '9007199254740992'],
    ['beyond 64 bits', '18446744073709551616'],
  ])('is named if it is a number that is too large: %s', async (_, number) => {
    const [error] = await errorsOf(
      `{"purpose":"other","applicant":{"fullName":"Ana Lima","monthlyIncome":{"amount":${number},"currency":"BRL"}}}`,
    );
    expect(error).toMatch(/^\/applicant\/monthlyIncome\/amount (too_large|too_small|type|format)$/);
  });

  it('is named if metadata contains a number that is not finite', async () => {
    expect(await errorsOf('{"purpose":"other","applicant":{"fullName":"Ana Lima"},"metadata":{"a":1e400}}')).toContain(
      '/metadata/a type',
    );
  });
});

describe('names with a special meaning in JavaScript', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then'])(
    'are members like any other: %s',
    async (name) => {
      const polluting = `"${name}":{"polluted":true}`;
      for (const body of [
        `{"purpose":"other","applicant":{"fullName":"Ana Lima"},${polluting}}`,
        `{"purpose":"other","applicant":{"fullName":"Ana Lima",${polluting}}}`,
      ]) {
        const [error] = await errorsOf(body);
        expect(error).toMatch(new RegExp(`^(/applicant)?/${name} unknown_field$`));
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  it('do not replace required members', async () => {
    const errors = await errorsOf('{"__proto__":{"purpose":"other","applicant":{"fullName":"Ana Lima"}}}');
    expect(errors).toEqual(['/__proto__ unknown_field', '/applicant required', '/purpose required']);
  });
});

describe('a patch', () => {
  it.each([
    ['nothing to change', {}, ' too_few_members'],
    ['null for what cannot be null', { purpose: null }, '/purpose type'],
    ['an unknown member', { status: 'approved' }, '/status unknown_field'],
    ['an empty applicant', { applicant: {} }, '/applicant too_few_members'],
    [
      'the wrong type deep inside',
      { applicant: { address: { line1: 'Rua', city: 7, country: 'BR' } } },
      '/applicant/address/city type',
    ],
  ])('is refused for %s', async (_, body, error) => {
    expect(await errorsOf(body, '/v1/applications/0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21', 'PATCH')).toContain(error);
  });
});

describe('what a pattern allows', () => {
  const messages = async (body: object) =>
    (
      await world.refused('POST', '/v1/applications', { body, headers: { 'Content-Type': 'application/json' } })
    ).body.errors?.map(({ pointer, message }) => `${pointer} ${message}`);

  it('is explained in words: a digit in a name', async () => {
    expect(await messages(withApplicant({ fullName: 'Maria 2' }))).toEqual([
      '/applicant/fullName must be letters and marks of any script, spaces, apostrophes, points and hyphens, ' +
        'beginning with a letter; no digits and no other signs',
    ]);
    expect(await messages(withApplicant({ motherName: 'M4ria', phone: '41' }))).toEqual(
      expect.arrayContaining([
        expect.stringContaining('/applicant/motherName must be letters'),
        '/applicant/phone must be a phone number in E.164: a plus sign and 7 to 15 digits, such as +5511912345678',
      ]),
    );
  });

  it('is explained for names of members and of parameters', async () => {
    expect(await messages({ ...valid, metadata: { 'a b': 1 } })).toEqual([
      expect.stringContaining(
        'is not a permitted member name, which must be 1 to 40 letters, digits, underscores, points and hyphens',
      ),
    ]);
    const { body } = await world.refused('GET', '/v1/applications?taxId=1_', {});
    expect(body.errors).toEqual([
      expect.objectContaining({
        parameter: 'taxId',
        message: 'must be letters, digits, points, slashes, hyphens and spaces',
      }),
    ]);
  });
});
