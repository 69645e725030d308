import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newCnpj } from '../operations/business-records.ts';
import { unique } from '../operations/call.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { type Credential, useService } from '../support/service.ts';

const service = await useService();

type Wanted = components['schemas']['BusinessCreate'];
const bakery = (change: object = {}): Wanted => ({
  legalName: 'Padaria Aurora Ltda',
  registration: { type: 'cnpj', number: newCnpj() },
  legalForm: 'ltda',
  ...change,
});
const create = (headers: Credential, change: object = {}) =>
  service.api.POST('/v1/businesses', { headers, body: bakery(change) });
const list = async (headers: Credential, query: object = {}) =>
  (await success(service.api.GET('/v1/businesses', { params: { query }, headers }))).body;

describe('a business', () => {
  it('is recorded without the punctuation of its CNPJ, and found by the number however it is written', async () => {
    const tenant = await service.tenant();
    const [as, reader] = [await tenant.key(['kyb']), await tenant.key(['read'])];
    const number = newCnpj();
    const written = number.toLowerCase().replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
    const { body, headers } = await success(create(as, { registration: { type: 'cnpj', number: written } }), 201);
    expect(body).toMatchObject({ registration: { type: 'cnpj', number, country: 'BR' }, tradeName: null, version: 1 });
    expect(headers.get('location')).toBe(`/v1/businesses/${body.id}`);
    await success(create(as), 201);
    for (const registrationNumber of each([number, written, number.toLowerCase()]))
      expect((await list(reader, { registrationNumber })).items.map(({ id }) => id)).toEqual([body.id]);
    expect((await list(reader, { registrationNumber: newCnpj() })).items).toEqual([]);
  });

  it('is refused if its number is no CNPJ, or lacks the country of its register', async () => {
    const as = await (await service.tenant()).key(['kyb']);
    const refused = async (registration: object) => {
      const { response, error } = await create(as, { registration });
      return [response.status, error!.errors?.map(({ pointer, code }) => `${pointer} ${code}`)];
    };
    const right = newCnpj();
    const wrong = `${right.slice(0, 13)}${(Number(right[13]) + 1) % 10}`;
    expect(await refused({ type: 'cnpj', number: wrong })).toEqual([422, ['/registration/number check_digits']]);
    expect(await refused({ type: 'other', number: '- -', country: 'DE' })).toEqual([
      422,
      ['/registration/number too_short'],
    ]);
    expect(await refused({ type: 'cnpj', number: newCnpj(), country: 'DE' })).toEqual([
      422,
      ['/registration/country country'],
    ]);
    expect(await refused({ type: 'other', number: 'HRB 1' })).toEqual([422, ['/registration/country required']]);
  });

  it('changes one member of its revenue by a patch, and gets a revenue only with both members', async () => {
    const as = await (await service.tenant()).key(['kyb']);
    const { id } = (await success(create(as, { monthlyRevenue: { amount: 700, currency: 'BRL' } }), 201)).body;
    const patch = (monthlyRevenue: object | null) =>
      service.request<{ readonly monthlyRevenue?: unknown; readonly errors?: unknown }>(
        'PATCH',
        `/v1/businesses/${id}`,
        { as, headers: { 'Content-Type': 'application/merge-patch+json' }, body: { monthlyRevenue } },
      );
    expect((await patch({ amount: 900 })).body.monthlyRevenue).toEqual({ amount: 900, currency: 'BRL' });
    const incomplete = await patch({ currency: null });
    expect([incomplete.status, incomplete.body.errors]).toMatchObject([
      422,
      [{ pointer: '/monthlyRevenue/currency', code: 'required' }],
    ]);
    expect((await patch(null)).body.monthlyRevenue).toBeNull();
    expect((await patch({ amount: 900 })).status).toBe(422);
    expect((await patch({ amount: 1, currency: 'USD' })).body.monthlyRevenue).toEqual({ amount: 1, currency: 'USD' });
  });

  it('is recorded once in an environment, and the refusal names the one that is there', async () => {
    const tenant = await service.tenant();
    const as = await tenant.key(['kyb']);
    const registration = { type: 'cnpj', number: newCnpj() };
    const { body } = await success(create(as, { registration }), 201);
    const { response, error } = await create(as, { registration, legalName: 'Somebody else' });
    expect([response.status, error]).toMatchObject([409, { code: 'duplicate_registration', existingId: body.id }]);
    await success(create(await (await service.tenant()).key(['kyb']), { registration }), 201);
    await success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
    const { body: other } = await success(create(as, { registration }), 201);
    expect([body.environment, other.environment]).toEqual(['live', 'sandbox']);
  });

  it('may have the number of a persona in the sandbox only', async () => {
    const tenant = await service.tenant();
    const as = await tenant.key(['kyb']);
    const persona = { registration: { type: 'cnpj', number: 'SANDBOX1000170' } };
    expect((await create(as, persona)).error).toMatchObject({ errors: [{ code: 'check_digits' }] });
    await success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
    expect((await success(create(as, persona), 201)).body.registration.number).toBe('SANDBOX1000170');
  });

  it('keeps its reference to itself, when it is recorded and when it is changed', async () => {
    const as = await (await service.tenant()).key(['kyb']);
    const externalId = unique();
    const { body: first } = await success(create(as, { externalId }), 201);
    const { body: second } = await success(create(as), 201);
    const taken = { code: 'duplicate_external_id', existingId: first.id };
    expect((await create(as, { externalId })).error).toMatchObject(taken);
    const patch = (body: { externalId?: string | null; tradeName?: string | null }) =>
      service.api.PATCH('/v1/businesses/{businessId}', {
        params: { path: { businessId: second.id } },
        headers: as,
        body,
      });
    expect((await patch({ externalId, tradeName: 'Aurora' })).error).toMatchObject(taken);
    const { body: after } = await success(patch({ externalId: null, tradeName: 'Aurora' }));
    expect(after).toMatchObject({ externalId: null, tradeName: 'Aurora', version: 2 });
  });

  it('is changed only in the version that the caller has read', async () => {
    const as = await (await service.tenant()).key(['kyb']);
    const { body } = await success(create(as), 201);
    const patch = (ifMatch: string) =>
      service.api.PATCH('/v1/businesses/{businessId}', {
        params: { path: { businessId: body.id } },
        headers: { ...as, 'If-Match': ifMatch },
        body: { legalForm: 'slu' },
      });
    const { headers } = await success(patch('"1"'));
    expect(headers.get('etag')).toBe('"2"');
    expect((await patch('"1"')).response.status).toBe(412);
  });
});

describe('the list of businesses', () => {
  it('has pages, newest first or oldest first, and filters by reference and time', async () => {
    const tenant = await service.tenant();
    const [as, reader] = [await tenant.key(['kyb']), await tenant.key(['read'])];
    const externalId = unique();
    const ids: string[] = [];
    for (const change of each([{ externalId }, {}, {}])) {
      ids.push((await success(create(as, change), 201)).body.id);
      service.advance(1000);
    }
    expect((await list(reader)).items.map(({ id }) => id)).toEqual(ids.toReversed());
    const first = await list(reader, { sort: 'createdAt', limit: 2 });
    expect([first.hasMore, first.items.map(({ id }) => id)]).toEqual([true, ids.slice(0, 2)]);
    const rest = await list(reader, { sort: 'createdAt', limit: 2, cursor: first.cursor! });
    expect([rest.hasMore, rest.items.map(({ id }) => id)]).toEqual([false, ids.slice(2)]);
    expect((await list(reader, { externalId })).items.map(({ id }) => id)).toEqual([ids[0]]);
    const between = { createdAfter: first.items[1]!.createdAt, createdBefore: rest.items[0]!.createdAt };
    expect((await list(reader, between)).items.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('of the sandbox is empty for a caller who does not see it', async () => {
    const tenant = await service.tenant();
    await success(create(await tenant.key(['kyb']), {}), 201);
    await success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
    const test = await tenant.key(['read'], { environment: 'test' });
    expect((await list(test, { environment: 'live' })).items).toEqual([]);
    expect((await list(test)).items).toEqual([]);
  });
});
