/** API tests that everything wrong in a request is named in one answer, and that the answer cannot be inflated. */
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

describe('many wrong members', () => {
  it('are named all at once, each once', async () => {
    expect(
      await errorsOf({
        purpose: CANARY,
        level: 4,
        colour: CANARY,
        productCodes: ['A', 'b'],
        metadata: { nested: { a: 1 } },
        applicant: {
          dateOfBirth: '12/04/1990',
          email: CANARY,
          address: { line1: '', country: 'BRA', zip: CANARY },
          taxId: { type: 'ssn' },
          pepDeclaration: { isPep: 'no' },
        },
      }),
    ).toEqual([
      '/applicant/address/city required',
      '/applicant/address/country pattern',
      '/applicant/address/country too_long',
      '/applicant/address/line1 pattern',
      '/applicant/address/line1 too_short',
      '/applicant/address/zip unknown_field',
      '/applicant/dateOfBirth format',
      '/applicant/email format',
      '/applicant/fullName required',
      '/applicant/pepDeclaration/isPep type',
      '/applicant/taxId/type enum',
      '/applicant/taxId/value required',
      '/colour unknown_field',
      '/level enum',
      '/level type',
      '/metadata/nested type',
      '/productCodes/0 pattern',
      '/purpose enum',
    ]);
  });

  it('are named up to a hundred', async () => {
    const body = { ...valid, ...Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`unknown${i}`, CANARY])) };
    expect(await errorsOf(body)).toHaveLength(100);
  });

  it('cannot inflate the answer by their names', async () => {
    const answer = await world.refused('POST', '/v1/applications', { body: { ...valid, ['x'.repeat(100_000)]: 1 } });
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(2000);
  });
});

describe('everything that is wrong', () => {
  const taxId = { type: 'cpf', value: '111.444.777-36' };
  const address = {
    line1: 'Rua XV',
    city: 'Curitiba',
    country: 'BR',
    state: 'XX',
    postalCode: '1',
  };

  it('is named in one answer, whether the schema or a rule of the domain forbids it', async () => {
    const wrong = {
      ...withApplicant({
        dateOfBirth: '1899-12-31',
        taxId: { ...taxId, country: 'PT' },
        address,
        phone: '41999990000',
      }),
      metadata: { sandbox: 1 },
      level: CANARY,
    };
    expect(await errorsOf(wrong)).toEqual([
      '/applicant/address/postalCode pattern',
      '/applicant/address/state enum',
      '/applicant/dateOfBirth range',
      '/applicant/phone pattern',
      '/applicant/taxId/country country',
      '/applicant/taxId/value check_digits',
      '/level enum',
      '/metadata/sandbox reserved',
    ]);
  });

  it('is named if a member is missing, if there are too many, or if an object is incomplete', async () => {
    expect(await errorsOf({ applicant: { taxId }, surplus: 1 })).toEqual([
      '/applicant/fullName required',
      '/applicant/taxId/value check_digits',
      '/purpose required',
      '/surplus unknown_field',
    ]);
  });

  it('is named once: the domain does not check what breaks its schema', async () => {
    expect(
      await errorsOf(withApplicant({ taxId: { type: 'cpf', value: '!' }, address: { ...address, state: 7 } })),
    ).toEqual([
      '/applicant/address/postalCode pattern',
      '/applicant/address/state type',
      '/applicant/taxId/value pattern',
    ]);
    for (const strange of [
      { taxId: { type: {}, value: taxId.value } },
      { taxId: [taxId] },
      { taxId: 'cpf' },
      { taxId: { value: taxId.value } },
      { address: { country: ['BR'], state: 'XX' } },
      { dateOfBirth: 18991231 },
    ]) {
      expect(
        (await errorsOf({ ...withApplicant(strange), level: CANARY })).filter((error) =>
          /check_digits|range|state enum/.test(error),
        ),
      ).toEqual([]);
    }
    expect(
      await errorsOf({
        ...valid,
        applicant: null,
        metadata: [],
        level: CANARY,
      }),
    ).toEqual(['/applicant type', '/level enum', '/metadata type']);
  });

  it('includes personas, which only the sandbox has: no rule that depends on the environment is guessed at', async () => {
    expect(
      await errorsOf({ ...withApplicant({ taxId: { type: 'cpf', value: '000.000.001-91' } }), level: CANARY }),
    ).toEqual(['/level enum']);
  });

  it('is named for a change, too', async () => {
    const path = '/v1/applications/0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21';
    expect(
      await errorsOf(
        {
          applicant: {
            taxId,
            email: CANARY,
            address: null,
            dateOfBirth: null,
          },
          metadata: { sandbox: null },
        },
        path,
        'PATCH',
      ),
    ).toEqual(['/applicant/email format', '/applicant/taxId/value check_digits', '/metadata/sandbox reserved']);
  });
});
