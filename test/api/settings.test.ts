/** API tests of reading and changing the settings of a tenant. */
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/modules/tenant-settings/settings.ts';
import { refusal, refused, success } from '../support/api.ts';
import { addApplication } from '../support/rows.ts';
import { shared } from '../support/service.ts';
import { startSettingsWorld, type Refusal, type SettingsTenant } from './settings-world.ts';

let tenant: SettingsTenant;
const world = await shared(startSettingsWorld());

beforeEach(async () => {
  tenant = await world.tenant();
});

const ANOTHER_COLOUR = { branding: { primaryColor: '#7a1fa2' } };

describe('reading the settings', () => {
  it('shows the defaults of the platform to a tenant that has set nothing', async () => {
    const { status, headers, body } = await tenant.get();
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    const { reasonCatalogue } = body.decisionPolicy!;
    expect(reasonCatalogue.length).toBeGreaterThan(0);
    expect(body).toEqual({
      ...defaultSettings,
      decisionPolicy: { ...defaultSettings.decisionPolicy, reasonCatalogue },
      version: 1,
      updatedAt: body.updatedAt,
      updatedBy: null,
    });
  });

  it('shows one section with the version of the whole', async () => {
    await tenant.patch(ANOTHER_COLOUR);
    const { headers, body } = await tenant.get('?section=retention');
    expect(Object.keys(body).sort()).toEqual(['retention', 'updatedAt', 'updatedBy', 'version']);
    expect([headers.get('etag'), body.version, body.retention]).toEqual(['"2"', 2, defaultSettings.retention]);
  });

  it('refuses unknown sections', async () => {
    expect(refused(await tenant.get<Refusal>('?section=secrets'))).toEqual([400, 'invalid_parameter']);
  });

  it('shows nothing of another tenant', async () => {
    await tenant.patch(ANOTHER_COLOUR);
    expect((await (await world.tenant()).get()).body.branding).toEqual(defaultSettings.branding);
  });
});

describe('changing the settings', () => {
  it('merges members, replaces lists and clears with null', async () => {
    await tenant.patch({
      branding: { displayName: 'Banco Exemplo', supportEmail: 'ajuda@example.com' },
      queues: [{ key: 'one', name: 'One', slaHours: 1 }],
    });
    const { status, headers, body } = await tenant.patch({
      branding: { displayName: null },
      ownership: { lowerFor: [] },
    });
    expect([status, headers.get('etag'), body.version]).toEqual([200, '"3"', 3]);
    expect(body.branding).toEqual({
      ...defaultSettings.branding,
      displayName: null,
      supportEmail: 'ajuda@example.com',
    });
    expect(body.ownership).toEqual({ ...defaultSettings.ownership, lowerFor: [] });
    expect(body.queues).toEqual([{ key: 'one', name: 'One', slaHours: 1 }]);
    expect(body.updatedBy?.type).toBe('api_key');
    expect((await tenant.get()).body).toEqual(body);
  });

  it('lets no staff of the platform act as the people of a tenant: true is refused, and a value that was stored before has no effect', async () => {
    const answer = await tenant.patch<Refusal>({ security: { allowPlatformImpersonation: true } });
    expect([...refused(answer), answer.body.errors?.map(({ pointer }) => pointer)]).toEqual([
      422,
      'validation_failed',
      ['/security/allowPlatformImpersonation'],
    ]);
    await tenant.patch({ security: { allowPlatformImpersonation: false, sessionHours: 8 } });
    await world.database.sql(
      `UPDATE tenant_settings SET document = jsonb_set(document, '{security,allowPlatformImpersonation}', 'true')
        WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await tenant.get()).body.security).toMatchObject({ allowPlatformImpersonation: false, sessionHours: 8 });
    expect((await tenant.patch({ security: { sessionHours: 7 } })).body.security).toMatchObject({
      allowPlatformImpersonation: false,
      sessionHours: 7,
    });
  });

  it('accepts both media types', async () => {
    const { body } = await tenant.patch(ANOTHER_COLOUR, {
      ...tenant.machine,
      'Content-Type': 'application/merge-patch+json',
    });
    expect(body.branding?.primaryColor).toBe('#7a1fa2');
  });

  it('is conditional on the version that the caller saw', async () => {
    const patch = (headers: Record<string, string>) =>
      world.api.PATCH('/v1/settings', { headers: { ...tenant.machine, ...headers }, body: ANOTHER_COLOUR });
    expect(refused(await refusal(patch({})))).toEqual([428, 'precondition_required']);
    await success(patch({ 'If-Match': '"1"' }));
    const stale = await refusal(patch({ 'If-Match': '"1"' }));
    expect([...refused(stale), stale.body.currentVersion]).toEqual([412, 'version_conflict', 2]);
    expect(refused(await refusal(patch({ 'If-Match': 'W/"2"' })))).toEqual([412, 'version_conflict']);
    expect(refused(await refusal(patch({ 'If-Match': '2' })))).toEqual([400, 'invalid_parameter']);
    await success(patch({ 'If-Match': '*' }));
  });

  it('succeeds for one of several that saw the same version, including the first change of all', async () => {
    for (const version of [1, 2]) {
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, at) =>
          world.api.PATCH('/v1/settings', {
            headers: { ...tenant.machine, 'If-Match': `"${version}"` },
            body: { branding: { displayName: `Name ${at}` } },
          }),
        ),
      );
      expect(answers.map(({ response }) => response.status).sort()).toEqual([200, 412, 412, 412, 412]);
    }
    expect((await tenant.get()).body.version).toBe(3);
  });

  it('is recorded with what changed, and without the address of a person', async () => {
    await tenant.patch({
      branding: { supportEmail: 'maria.souza@example.com', locale: 'en' },
      retention: { customerYears: 12 },
    });
    const [event] = await world.database.sql<{ changes: { path: string; value: unknown }[]; text: string }>(
      `SELECT changes, e::text AS text FROM audit_event e WHERE tenant_id = $1 AND action = 'settings.updated'`,
      [tenant.id],
    );
    expect(Object.fromEntries(event?.changes.map(({ path, value }) => [path, value]) ?? [])).toEqual({
      '/old': { branding: { supportEmail: null }, retention: { customerYears: 10 } },
      '/new': { branding: { supportEmail: '***@example.com' }, retention: { customerYears: 12 } },
      '/sections': ['branding', 'retention'],
      '/weakened': [],
    });
    expect(event?.text).not.toContain('maria');
  });

  it('changes nothing and records nothing if it is refused', async () => {
    expect((await tenant.patch({ branding: { displayName: 'Half' }, retention: { auditYears: 1 } })).status).toBe(422);
    expect((await tenant.get()).body).toMatchObject({ version: 1, branding: { displayName: null } });
    expect(await world.events(tenant.id)).toEqual([]);
  });
});

it('accepts a picture of the tenant as its logo, and neither an identity card nor a picture of another tenant', async () => {
  const upload = async (owner: SettingsTenant, type: string): Promise<string> => {
    const id = await addApplication(world.database.database, owner.id, { environment: 'live' });
    const [row] = await world.database.sql<{ id: string }>(
      `INSERT INTO document (tenant_id, id, application_id, environment, type, side, file_name, mime_type, size_bytes,
        sha256, storage_key, created_by)
       VALUES ($1, gen_random_uuid(), $2, 'live', $3, 'single', 'a.png', 'image/png', 1, repeat('0', 64), 'k', '{}')
         RETURNING id`,
      [owner.id, id, type],
    );
    return row?.id as string;
  };
  const use = async (logoDocumentId: string) => (await tenant.patch<Refusal>({ branding: { logoDocumentId } })).status;
  expect(await use(await upload(tenant, 'other'))).toBe(200);
  expect(await use(await upload(tenant, 'passport'))).toBe(422);
  expect(await use(await upload(await world.tenant(), 'other'))).toBe(422);
});

it('decides from which age on applicants are accepted', async () => {
  const birthday = new Date(Date.UTC(world.now().getUTCFullYear() - 20, 0, 1)).toISOString().slice(0, 10);
  const submit = () =>
    refusal(
      world.api.POST('/v1/applications', {
        headers: tenant.machine,
        body: {
          submit: true,
          level: 'basic',
          purpose: 'account_opening',
          applicant: { fullName: 'Maria da Silva', dateOfBirth: birthday },
        },
      }),
    );
  expect(refused(await submit())).toEqual([422, 'requirements_missing']);
  expect((await tenant.patch({ decisionPolicy: { minimumAge: 21 } })).status).toBe(200);
  expect(refused(await submit())).toEqual([422, 'underage_applicant']);
});
