/** API tests of the quotas of applications and storage, also with many requests at once. */
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import { exampleBodies, operation } from '../support/contract.ts';
import { useService, type Answer, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { tenantOf } from '../support/tenant.ts';

const service = await useService();

const tenantWith = async (quotas: object): Promise<Tenant> => {
  const tenant = tenantOf(service, await service.database.tenant());
  await service.database.sql('UPDATE tenant SET quotas = $2 WHERE id = $1', [tenant.id, quotas]);
  return tenant;
};
const example = exampleBodies(operation('createApplication'))[0]?.value ?? {};
const create = (as: Record<string, string>, n: number): Promise<Answer> =>
  service.request('POST', '/v1/applications', {
    as,
    body: { ...example, submit: false, externalId: `application-${n}` },
  });
const codes = (answers: Answer[]): [number, string | undefined][] =>
  answers.map(({ status, body }): [number, string | undefined] => [status, body.code]);

describe('the quota of applications', () => {
  it('is the number that a tenant may create in a month, and no more', async () => {
    const tenant = await tenantWith({ applicationsPerMonth: 2 });
    const as = await tenant.key(['write']);
    expect(codes([await create(as, 1), await create(as, 2), await create(as, 3)])).toEqual([
      [201, undefined],
      [201, undefined],
      [409, 'quota_exceeded'],
    ]);
    const refusal = await create(as, 4);
    expect(refusal.body).toMatchObject({ detail: 'The quota applicationsPerMonth is used up.' });
    await service.database.sql(
      `UPDATE application SET created_at = created_at - interval '32 days' WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await create(as, 5)).status).toBe(201);
  });

  it('is not exceeded by many at once', async () => {
    const tenant = await tenantWith({ applicationsPerMonth: 5 });
    const as = await tenant.key(['write']);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create(as, n)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(codes(answers.filter(({ status }) => status !== 201))).toEqual(Array(15).fill([409, 'quota_exceeded']));
    expect(await service.database.sql('SELECT FROM application WHERE tenant_id = $1', [tenant.id])).toHaveLength(5);
  });

  it('does not count the sandbox', async () => {
    const tenant = await tenantWith({ applicationsPerMonth: 1 });
    await success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.user('owner') }));
    const test = await tenant.key(['write'], { environment: 'test' });
    expect(codes([await create(test, 1), await create(test, 2)])).toEqual([
      [201, undefined],
      [201, undefined],
    ]);
    const live = await tenant.key(['write'], { pinEnvironment: true });
    expect(codes([await create(live, 3), await create(live, 4)])).toEqual([
      [201, undefined],
      [409, 'quota_exceeded'],
    ]);
  });

  it('of zero admits no live application, and a missing one is no limit', async () => {
    expect((await create(await (await tenantWith({ applicationsPerMonth: 0 })).key(['write']), 1)).body.code).toBe(
      'quota_exceeded',
    );
    const unbounded = await (await tenantWith({})).key(['write']);
    expect(codes(await Promise.all(Array.from({ length: 5 }, (_, n) => create(unbounded, n))))).toEqual(
      Array(5).fill([201, undefined]),
    );
  });

  it('leaves the reference of a refused application free', async () => {
    const tenant = await tenantWith({ applicationsPerMonth: 0 });
    const as = await tenant.key(['write']);
    await create(as, 1);
    await service.database.sql(`UPDATE tenant SET quotas = '{}' WHERE id = $1`, [tenant.id]);
    expect((await create(as, 1)).status).toBe(201);
  });
});

describe('the quota of storage', () => {
  const upload = (as: Record<string, string>, applicationId: string, bytes = jpeg()): Promise<Answer> => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(bytes)]), 'id.jpg');
    body.set('type', 'passport');
    body.set('side', 'front');
    return service.request('POST', `/v1/applications/${applicationId}/documents`, { as, body });
  };
  const stored = (tenantId: string, bytes: number) =>
    service.database.sql(`UPDATE document SET size_bytes = $2 WHERE tenant_id = $1`, [tenantId, bytes]);

  it('limits the total size of live documents', async () => {
    const tenant = await tenantWith({ storageGb: 1 });
    const as = await tenant.key(['read', 'write']);
    const [first, second] = [await newApplication(service, tenant), await newApplication(service, tenant)];
    expect((await upload(as, first)).status).toBe(201);
    await stored(tenant.id, 1024 ** 3 - jpeg().length + 1);
    expect((await upload(as, second)).body).toMatchObject({
      code: 'quota_exceeded',
      detail: 'The quota storageGb is used up.',
    });
    await stored(tenant.id, 1024 ** 3 - jpeg().length);
    expect((await upload(as, second)).status).toBe(201);
  });

  it('does not affect a file that is already stored', async () => {
    const tenant = await tenantWith({ storageGb: 1 });
    const as = await tenant.key(['read', 'write']);
    const application = await newApplication(service, tenant);
    await upload(as, application);
    await service.database.sql(`UPDATE tenant SET quotas = '{"storageGb": 0}' WHERE id = $1`, [tenant.id]);
    expect((await upload(as, application)).status).toBe(200);
  });

  it('does not count the sandbox, nor erased files', async () => {
    const tenant = await tenantWith({ storageGb: 1 });
    const as = await tenant.key(['read', 'write']);
    const first = await newApplication(service, tenant);
    await upload(as, first);
    await service.database.sql(`UPDATE document SET size_bytes = $2, status = 'erased' WHERE tenant_id = $1`, [
      tenant.id,
      2 * 1024 ** 3,
    ]);
    expect((await upload(as, await newApplication(service, tenant))).status).toBe(201);
  });
});
