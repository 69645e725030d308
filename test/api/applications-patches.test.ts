/** API tests of patches of addresses, tax numbers and declarations, whose result must be valid as a whole. */
import { describe, expect, it } from 'vitest';
import { newCpf } from '../support/cpf.ts';
import type { Answer } from '../support/service.ts';
import { shared } from '../support/service.ts';
import { type Application, refusal, type Refusal, startWorld } from './applications-world.ts';

const world = await shared(startWorld());

const address = {
  line1: 'Rua das Flores',
  number: '120',
  city: 'Curitiba',
  state: 'PR',
  postalCode: '80010000',
  country: 'BR',
};
const applicant = {
  fullName: 'Maria da Silva',
  address,
  pepDeclaration: {
    isPep: true,
    role: 'Mayor',
    relationship: 'self',
    since: '2021-01-01',
  },
};
const created = async (members: object = {}): Promise<string> =>
  (await world.create({ purpose: 'other', applicant: { ...applicant, ...members } })).body.id;
const patched = async (id: string, members: object): Promise<Answer<Application & Refusal>> =>
  world.request('PATCH', `/v1/applications/${id}`, {
    as: world.key,
    body: { applicant: members },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });

describe('a patch of an address', () => {
  it('accepts a postal code alone', async () => {
    const answer = await patched(await created(), { address: { postalCode: '80020-100' } });
    expect([answer.status, answer.body.applicant.address]).toEqual([
      200,
      {
        ...address,
        line2: null,
        district: null,
        postalCode: '80020100',
      },
    ]);
  });

  it('moves to another country only if the members that belong to the old country are replaced or removed', async () => {
    const id = await created();
    const lisbon = { line1: 'Rua Augusta', city: 'Lisboa', country: 'PT' };
    expect(refusal(await patched(id, { address: lisbon }))).toEqual([
      422,
      'validation_failed',
      '/applicant/address/state stale',
      '/applicant/address/postalCode stale',
    ]);
    expect(refusal(await patched(id, { address: { ...lisbon, state: null } }))).toEqual([
      422,
      'validation_failed',
      '/applicant/address/postalCode stale',
    ]);
    expect((await world.get(id)).body).toMatchObject({ version: 1, applicant: { address } });
    const moved = await patched(id, { address: { ...lisbon, state: null, postalCode: '1100-148' } });
    expect([moved.status, moved.body.applicant.address]).toEqual([
      200,
      {
        ...address,
        ...lisbon,
        line2: null,
        district: null,
        state: null,
        postalCode: '1100-148',
      },
    ]);
  });

  it('is checked by the rules of Brazil if the result lies there', async () => {
    const id = await created({ address: { line1: 'Rua Augusta', city: 'Lisboa', country: 'PT' } });
    expect(refusal(await patched(id, { address: { country: 'BR', state: 'XX', postalCode: '1' } }))).toEqual([
      422,
      'validation_failed',
      '/applicant/address/state enum',
      '/applicant/address/postalCode pattern',
    ]);
  });

  it('must be complete if there is no address yet', async () => {
    expect(refusal(await patched(await created({ address: null }), { address: { postalCode: '80020100' } }))).toEqual([
      422,
      'validation_failed',
      '/applicant/address/line1 required',
      '/applicant/address/city required',
      '/applicant/address/country required',
    ]);
  });
});

describe('a patch of a tax number', () => {
  it('removes the country when the kind changes', async () => {
    const id = await created({ taxId: { type: 'cpf', value: newCpf() } });
    const other = await patched(id, { taxId: { type: 'other', value: 'X-1' } });
    expect([other.status, other.body.applicant.taxId]).toEqual([200, { type: 'other', value: 'X1', country: null }]);
    expect((await patched(id, { taxId: { country: 'US' } })).body.applicant.taxId).toEqual({
      type: 'other',
      value: 'X1',
      country: 'US',
    });
    const value = newCpf();
    expect(refusal(await patched(id, { taxId: { type: 'cpf', value, country: 'US' } }))).toEqual([
      422,
      'invalid_tax_id',
      '/applicant/taxId/country country',
    ]);
    expect((await patched(id, { taxId: { type: 'cpf', value } })).body.applicant.taxId).toEqual({
      type: 'cpf',
      value,
      country: 'BR',
    });
  });

  it('requires the number again when the kind changes, and accepts a number alone', async () => {
    const id = await created({ taxId: { type: 'cpf', value: newCpf() } });
    expect(refusal(await patched(id, { taxId: { type: 'other' } }))).toEqual([
      422,
      'validation_failed',
      '/applicant/taxId/value stale',
    ]);
    const value = newCpf();
    expect((await patched(id, { taxId: { value } })).body.applicant.taxId).toEqual({
      type: 'cpf',
      value,
      country: 'BR',
    });
  });
});

describe('a patch of a declaration', () => {
  it('removes everything that was declared before', async () => {
    const id = await created();
    expect(refusal(await patched(id, { pepDeclaration: { isPep: false } }))).toEqual([
      422,
      'validation_failed',
      '/applicant/pepDeclaration/role stale',
      '/applicant/pepDeclaration/relationship stale',
      '/applicant/pepDeclaration/since stale',
    ]);
    const answer = await patched(id, {
      pepDeclaration: {
        isPep: false,
        role: null,
        relationship: null,
        since: null,
      },
    });
    expect([answer.status, answer.body.applicant.pepDeclaration]).toEqual([200, { isPep: false }]);
  });

  it('removes one part and keeps the others', async () => {
    const answer = await patched(await created(), { pepDeclaration: { relationship: null } });
    expect(answer.body.applicant.pepDeclaration).toEqual({ isPep: true, role: 'Mayor', since: '2021-01-01' });
  });
});

it('removes optional members of a draft, and names required ones', async () => {
  const id = await created({ residentAbroad: true, sourceOfFunds: ['salary'] });
  const answer = await patched(id, { residentAbroad: null, sourceOfFunds: null });
  expect([answer.status, answer.body.applicant.residentAbroad, answer.body.applicant.sourceOfFunds]).toEqual([
    200,
    false,
    [],
  ]);
  expect(refusal(await patched(id, { fullName: null }))).toEqual([
    422,
    'validation_failed',
    '/applicant/fullName required',
  ]);
});
