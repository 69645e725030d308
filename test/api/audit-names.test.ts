/** API tests of the names that are shown beside audit events. They must not reveal more than the reader may see. */
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { auditor, type AuditFilters } from './audit-world.ts';
import { form } from './applications-world.ts';

const service = await useService();
const { api } = service;

const create = async (as: Credential, fullName: string, externalId: string | null = null): Promise<string> =>
  (
    await success(
      api.POST('/v1/applications', {
        headers: as,
        body: { purpose: 'account_opening', applicant: { fullName }, externalId },
      }),
    )
  ).body.id;
/** Returns a tenant that works in its sandbox. */
async function inSandbox(): Promise<Tenant> {
  const tenant = await service.tenant();
  await success(api.POST('/v1/sandbox/enable', { headers: await tenant.user('owner') }));
  return tenant;
}
const page = async (as: Credential, query: AuditFilters) => (await success(auditor(service, as).events(query))).body;
const nameOf = async (as: Credential, type: string, id: string): Promise<string | null | undefined> =>
  (await page(as, { resourceId: id, limit: 100 })).names.find((one) => one.type === type && one.id === id)?.name;

describe('the names beside the events of a page', () => {
  it('are those of the shown member, key and application, each once', async () => {
    const tenant = await service.tenant();
    const analyst = await tenant.person('analyst');
    const key = await tenant.key(['read', 'write'], { name: 'Back office' });
    await create(analyst.as, 'Maria da Silva', 'cust-8841');
    const id = await create(key, 'João Pereira', 'cust-8842');
    await success(
      api.POST('/v1/applications/{applicationId}/withdraw', {
        params: { path: { applicationId: id } },
        headers: key,
        body: { reasonCode: 'duplicate' },
      }),
    );
    const { items, names } = await page(await tenant.user('owner'), { action: ['application.*'], limit: 100 });
    expect(items).toHaveLength(4);
    expect(names.map(({ type, name }) => [type, name]).sort()).toEqual([
      ['api_key', 'Back office'],
      ['application', 'cust-8841'],
      ['application', 'cust-8842'],
      ['user', 'Ana Souza'],
    ]);
    expect(names.find(({ type }) => type === 'user')?.id).toBe(analyst.id);
    expect(names.find(({ name }) => name === 'cust-8842')?.id).toBe(id);
  });

  it('are the current ones; of a member without a name the address, and of a document its type', async () => {
    const tenant = await service.tenant();
    const { id: userId, as, email } = await tenant.person('analyst');
    const application = await create(as, 'Maria da Silva');
    const {
      body: { id: documentId },
    } = await service.request<{ id: string }>('POST', `/v1/applications/${application}/documents`, {
      as,
      body: form(jpeg({ text: application })),
    });
    const owner = await tenant.user('owner');
    expect(await nameOf(owner, 'document', documentId)).toBe('passport');
    await service.database.sql(`UPDATE membership SET name = 'Bruno Lima' WHERE user_id = $1`, [userId]);
    expect(await nameOf(owner, 'application', application)).toBe('Maria da Silva');
    const called = async () =>
      (await page(owner, { actorId: userId, limit: 100 })).names.find(({ id }) => id === userId)?.name;
    expect(await called()).toBe('Bruno Lima');
    await service.database.sql(`UPDATE membership SET name = '' WHERE user_id = $1`, [userId]);
    await service.database.sql(`UPDATE user_account SET name = '' WHERE id = $1`, [userId]);
    expect(await called()).toBe(email);
  });

  it('show an applicant masked to readers who see applicants masked', async () => {
    const tenant = await service.tenant();
    const id = await create(await tenant.key(['read', 'write']), 'Maria da Silva');
    expect(await nameOf(await tenant.key(['read'], { personalData: 'masked' }), 'application', id)).toBe(
      'M*** d*** S***',
    );
    expect(await nameOf(await tenant.key(['read']), 'application', id)).toBe('Maria da Silva');
  });

  it('are null for deleted resources, and absent for resources without a name', async () => {
    const tenant = await inSandbox();
    const id = await create(await tenant.key(['read', 'write']), 'Maria da Silva', 'gone-1');
    await service.api.POST('/v1/applications', {
      headers: await tenant.key(['read']),
      body: { purpose: 'other', applicant: { fullName: 'Ana Lima' } },
    });
    await service.database.sql('DELETE FROM application WHERE id = $1', [id]);
    const owner = await tenant.user('owner');
    expect(await nameOf(owner, 'application', id)).toBeNull();
    expect((await page(owner, { action: ['access.denied'] })).names.map(({ type }) => type)).toEqual(['api_key']);
  });

  it('reveal nothing of other tenants, and nothing live to a key of the sandbox', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()];
    const [id, foreign] = [
      await create(await tenant.key(['read', 'write']), 'Maria da Silva', 'ours'),
      await create(await other.key(['read', 'write']), 'Zoe Dias', 'theirs'),
    ];
    const [mine, live] = [await inSandbox(), await tenant.user('owner')];
    expect((await page(live, { limit: 100 })).names.map((one) => one.id)).not.toContain(foreign);
    expect(await nameOf(live, 'application', id)).toBe('ours');
    await create(await mine.key(['read', 'write'], { pinEnvironment: true }), 'Zoe Dias', 'live-1');
    const { items, names } = await page(await mine.key(['read'], { environment: 'test' }), {
      action: ['application.*'],
    });
    expect([items, names]).toEqual([[], []]);
  });

  it('are complete on a page of many', async () => {
    const tenant = await service.tenant();
    const key = await tenant.key(['read', 'write']);
    for (let n = 0; n < 12; n++) await create(key, 'Maria da Silva', `many-${n}`);
    expect(
      (await page(await tenant.user('owner'), { limit: 100 })).names.filter(({ type }) => type === 'application'),
    ).toHaveLength(12);
  });
});

describe('the environments of a page', () => {
  it('are those whose events the reader sees, so that a gap in the numbers can be explained', async () => {
    const tenant = await inSandbox();
    const key = await tenant.key(['read', 'write']);
    await create(key, 'Maria da Silva');
    expect((await page(await tenant.user('owner'), {})).environments).toEqual(['live', 'sandbox']);
    expect((await page(await tenant.key(['read'], { environment: 'test' }), {})).environments).toEqual(['sandbox']);
    await service.database.sql(`UPDATE tenant SET status = 'onboarding', go_live_at = NULL WHERE id = $1`, [tenant.id]);
    const { items, environments } = await page(await tenant.user('auditor'), { limit: 100 });
    expect([environments, items.every(({ environment }) => environment === 'sandbox')]).toEqual([['sandbox'], true]);
  });
});
