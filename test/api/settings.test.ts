import { beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/modules/tenant-settings/settings.ts';
import { refusal, refused, success } from '../support/api.ts';
import { addApplication } from '../support/rows.ts';
import { shared } from '../support/service.ts';
import { SETTINGS, startSettingsWorld, type Refusal, type SettingsTenant } from './settings-world.ts';

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

  it('applies the former single number of months to all three, and ignores it if it is only sent back', async () => {
    const validity = async () => (await tenant.get()).body.decisionPolicy;
    expect((await tenant.patch({ decisionPolicy: { validityMonths: 18 } })).status).toBe(200);
    expect(await validity()).toMatchObject({ validityMonths: 18, validityByRisk: { low: 18, medium: 18, high: 18 } });
    await tenant.patch({ decisionPolicy: { ...(await validity()), validityByRisk: { low: 48, medium: 30 } } });
    expect(await validity()).toMatchObject({ validityMonths: 30, validityByRisk: { low: 48, medium: 30, high: 18 } });
    await tenant.patch({ decisionPolicy: { validityMonths: 24, validityByRisk: { medium: 24 } } });
    expect(await validity()).toMatchObject({ validityMonths: 24, validityByRisk: { low: 48, medium: 24, high: 18 } });
    const { status, body } = await tenant.patch<Refusal>({
      decisionPolicy: { validityMonths: 12, validityByRisk: { high: 6 } },
    });
    expect([status, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)]).toEqual([
      422,
      ['/decisionPolicy/validityMonths not_allowed'],
    ]);
    expect((await validity())?.validityByRisk).toEqual({ low: 48, medium: 24, high: 18 });
  });

  it('preserves the number that a tenant had set before there were three', async () => {
    await tenant.patch({ decisionPolicy: { validityByRisk: { high: 6 } } });
    await world.database.sql(
      `UPDATE tenant_settings SET version = version + 1, document = '{"decisionPolicy": {"validityMonths": 30}}'
        WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await tenant.get()).body.decisionPolicy).toMatchObject({
      validityMonths: 30,
      validityByRisk: { low: 30, medium: 30, high: 30 },
    });
    await tenant.patch({ decisionPolicy: { validityByRisk: { high: 6 } } });
    expect((await tenant.get()).body.decisionPolicy).toMatchObject({
      validityMonths: 30,
      validityByRisk: { low: 30, medium: 30, high: 6 },
    });
  });

  it('applies the former single threshold to every alert threshold, raises those below it, and lets it fall again', async () => {
    const lines = async () => {
      const { threshold, profile } = (await tenant.get()).body.screening!;
      return [
        threshold,
        ...Object.values(profile)
          .flatMap(({ person, organisation }) => [person, organisation])
          .map(({ alert, review, strong }) => `${alert} ${review} ${strong}`),
      ];
    };
    const shipped = await lines();
    expect(shipped).toEqual([
      0.82,
      '0.82 0.82 0.9',
      '0.8 0.8 0.88',
      '0.8 0.8 0.88',
      '0.8 0.8 0.88',
      '0.82 0.82 0.9',
      '0.8 0.8 0.88',
    ]);
    expect((await tenant.patch({ screening: { threshold: 0.89 } })).status).toBe(200);
    expect(await lines()).toEqual([
      0.89,
      '0.89 0.89 0.9',
      '0.89 0.89 0.89',
      '0.89 0.89 0.89',
      '0.89 0.89 0.89',
      '0.89 0.89 0.9',
      '0.89 0.89 0.89',
    ]);
    expect(
      (await tenant.patch({ screening: { threshold: 0.7, profile: { sanctions: { person: { alert: 0.7 } } } } })).body
        .screening?.profile.other.person.alert,
    ).toBe(0.89);
    expect((await tenant.patch({ screening: { threshold: 0.75 } })).status).toBe(200);
    expect(await lines()).toEqual([
      0.75,
      '0.75 0.82 0.9',
      '0.75 0.8 0.88',
      '0.75 0.8 0.88',
      '0.75 0.8 0.88',
      '0.75 0.82 0.9',
      '0.75 0.8 0.88',
    ]);
  });

  it('ignores a threshold that is only sent back, and refuses one that contradicts the alert thresholds or exceeds a set one', async () => {
    await tenant.patch({ screening: { profile: { pep: { person: { alert: 0.78, review: 0.85 } } } } });
    const before = (await tenant.get()).body.screening!;
    expect((await tenant.patch({ screening: { ...before, staleBlocksApproval: false } })).body.screening).toEqual({
      ...before,
      staleBlocksApproval: false,
    });
    expect(
      (
        await tenant.patch({
          screening: { threshold: before.threshold, profile: { sanctions: { person: { alert: 0.75 } } } },
        })
      ).body.screening,
    ).toMatchObject({ threshold: 0.75, profile: { pep: { person: { alert: 0.78 } } } });
    const errorsOf = async (screening: object) => {
      const { status, body } = await tenant.patch<Refusal>({ screening });
      return [status, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)];
    };
    expect(await errorsOf({ threshold: 0.9, profile: { other: { person: { strong: 0.99 } } } })).toEqual([
      422,
      ['/screening/threshold not_allowed'],
    ]);
    expect(
      (await tenant.patch({ screening: { ...(await tenant.get()).body.screening!, threshold: 0.84 } })).body.screening
        ?.profile,
    ).toMatchObject({
      sanctions: { person: { alert: 0.84, review: 0.84 } },
      pep: { person: { alert: 0.84, review: 0.85 } },
    });
    expect(await errorsOf({ threshold: 0.88 })).toEqual([422, ['/screening/profile/pep/person/review not_ascending']]);
    expect((await tenant.get()).body).toMatchObject({ version: 5, screening: { threshold: 0.84 } });
  });

  it('preserves the threshold that a tenant had set before there were several', async () => {
    await tenant.patch({ screening: { profile: { sanctions: { person: { strong: 0.99 } } } } });
    await world.database.sql(
      `UPDATE tenant_settings SET version = version + 1, document = '{"screening": {"threshold": 0.86}}'
        WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await tenant.get()).body.screening).toMatchObject({
      threshold: 0.86,
      profile: {
        sanctions: {
          person: { alert: 0.86, review: 0.86, strong: 0.9 },
          organisation: { alert: 0.86, review: 0.86, strong: 0.88 },
        },
      },
    });
    await tenant.patch({ screening: { profile: { other: { person: { alert: 0.8 } } } } });
    expect((await tenant.get()).body.screening).toMatchObject({
      threshold: 0.86,
      profile: { pep: { person: { alert: 0.86 } }, other: { person: { alert: 0.8, review: 0.86 } } },
    });
  });

  it.each<[string, object, string[]]>([
    [
      'a line that is below the one before it',
      { sanctions: { person: { review: 0.95 } } },
      ['/screening/profile/sanctions/person/strong not_ascending'],
    ],
    [
      'an alert line above what follows',
      { other: { organisation: { alert: 0.9 } } },
      ['/screening/profile/other/organisation/review not_ascending'],
    ],
    [
      'several of them at once',
      { pep: { person: { strong: 0.5 }, organisation: { alert: 0.95, strong: 0.6 } } },
      [
        '/screening/profile/pep/person/strong not_ascending',
        '/screening/profile/pep/organisation/review not_ascending',
        '/screening/profile/pep/organisation/strong not_ascending',
      ],
    ],
    [
      'scores that no line may have',
      { pep: { person: { alert: 0.49, strong: 1.01 } } },
      ['/screening/profile/pep/person/alert too_small', '/screening/profile/pep/person/strong too_large'],
    ],
    ['a kind that there is not', { pep: { vessel: { alert: 0.9 } } }, ['/screening/profile/pep/vessel unknown_field']],
  ])('refuses %s, by its name', async (_, profile, errors) => {
    const { status, body } = await tenant.patch<Refusal>({ screening: { profile } });
    expect([status, body.code, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)]).toEqual([
      422,
      'validation_failed',
      errors,
    ]);
    expect((await tenant.get()).body.version).toBe(1);
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

  it.each<[string, object, string]>([
    ['nothing', {}, ''],
    ['an unknown section', { colours: {} }, '/colours'],
    ['an unknown member', { security: { sso: true } }, '/security/sso'],
    ['null for a section', { branding: null }, '/branding'],
    ['null for a list', { queues: null }, '/queues'],
    ['null for a member that has a value', { security: { mfaRequired: null } }, '/security/mfaRequired'],
    ['a colour that is none', { branding: { primaryColor: 'red' } }, '/branding/primaryColor'],
    ['a language that nobody wrote', { branding: { locale: 'fr' } }, '/branding/locale'],
    ['an address that is none', { branding: { supportEmail: 'ajuda' } }, '/branding/supportEmail'],
    ['sessions without end', { security: { sessionHours: 721 } }, '/security/sessionHours'],
    [
      'a queue twice',
      {
        queues: [
          { key: 'a', name: 'A', slaHours: 1 },
          { key: 'a', name: 'B', slaHours: 2 },
        ],
      },
      '/queues/1/key',
    ],
    [
      'a kind of act twice',
      {
        customActTypes: [
          { key: 'a', label: 'A' },
          { key: 'a', label: 'B' },
        ],
      },
      '/customActTypes/1/key',
    ],
    [
      'two exceptions for a level',
      {
        ownership: {
          lowerFor: [
            { riskLevel: 'high', percent: 5 },
            { riskLevel: 'high', percent: 6 },
          ],
        },
      },
      '/ownership/lowerFor/1/riskLevel',
    ],
    [
      'an exception above the rule',
      { ownership: { percent: 10, lowerFor: [{ riskLevel: 'high', percent: 15 }] } },
      '/ownership/lowerFor/0/percent',
    ],
    [
      'a check that nobody performs',
      { decisionPolicy: { requiredChecks: { basic: ['identity_data', 'horoscope'] } } },
      '/decisionPolicy/requiredChecks/basic/1',
    ],
    [
      'a logo that does not exist',
      { branding: { logoDocumentId: '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01' } },
      '/branding/logoDocumentId',
    ],
  ])('refuses %s', async (_, json, pointer) => {
    const answer = await tenant.patch<Refusal>(json);
    expect(refused(answer)).toEqual([422, 'validation_failed']);
    expect(answer.body.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it.each<[string, object, string, string]>([
    ['records of customers', { retention: { customerYears: 9 } }, '/retention/customerYears', '3.978'],
    ['records of the rejected', { retention: { rejectedYears: 4 } }, '/retention/rejectedYears', '9.613'],
    ['the audit log', { retention: { auditYears: 9 } }, '/retention/auditYears', '3.978'],
    ['biometric records', { retention: { biometricDays: 366 } }, '/retention/biometricDays', 'LGPD'],
    ['beneficial owners', { ownership: { percent: 25.5 } }, '/ownership/percent', '3.978'],
    [
      'beneficial owners at a level',
      { ownership: { lowerFor: [{ riskLevel: 'low', percent: 26 }] } },
      '/ownership/lowerFor/0/percent',
      '3.978',
    ],
    ['the age of applicants', { decisionPolicy: { minimumAge: 17 } }, '/decisionPolicy/minimumAge', 'Código Civil'],
    [
      'the list of the United Nations',
      { screening: { defaultLists: ['ofac-sdn'] } },
      '/screening/defaultLists',
      '13.810',
    ],
    ['the length of passwords', { security: { passwordMinLength: 11 } }, '/security/passwordMinLength', 'ASVS'],
  ])('names the norm that bounds %s', async (_, json, pointer, norm) => {
    const answer = await tenant.patch<Refusal>(json);
    expect(refused(answer)).toEqual([422, 'below_legal_minimum']);
    const error = answer.body.errors?.find((candidate) => candidate.pointer === pointer);
    expect(error?.message).toContain(norm);
  });

  it('names everything that is wrong at once', async () => {
    const { body } = await tenant.patch<Refusal>({
      branding: { primaryColor: '#ffff00' },
      screening: { defaultLists: ['un-csnu', 'my-list'] },
      retention: { customerYears: 1, auditYears: 2 },
    });
    expect(body.errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/retention/customerYears', 'below_legal_minimum'],
      ['/retention/auditYears', 'below_legal_minimum'],
      ['/screening/defaultLists/1', 'unknown_list'],
      ['/branding/primaryColor', 'colour_contrast_too_low'],
    ]);
  });

  it('names it together with breaches of the schema', async () => {
    const { status, body } = await tenant.patch<Refusal>({
      branding: { primaryColor: '#ffff00', surplus: 1 },
      screening: { defaultLists: ['my-list', 'NOT A LIST'] },
      retention: { customerYears: 1, auditYears: 'ten' },
    });
    expect([status, body.code, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort()]).toEqual([
      422,
      'validation_failed',
      [
        '/branding/primaryColor colour_contrast_too_low',
        '/branding/surplus unknown_field',
        '/retention/auditYears type',
        '/retention/customerYears below_legal_minimum',
        '/screening/defaultLists/0 unknown_list',
        '/screening/defaultLists/1 pattern',
      ],
    ]);
    const strange = await tenant.patch<Refusal>({
      branding: { primaryColor: 7 },
      screening: { defaultLists: 'x' },
      decisionPolicy: null,
      ownership: { lowerFor: [null, {}] },
    });
    expect([strange.status, strange.body.code]).toEqual([422, 'validation_failed']);
  });

  it('refuses lists that the platform does not have and colours that are illegible', async () => {
    expect(refused(await tenant.patch<Refusal>({ screening: { defaultLists: ['un-csnu', 'my-list'] } }))).toEqual([
      422,
      'unknown_list',
    ]);
    expect(refused(await tenant.patch<Refusal>({ branding: { primaryColor: '#ffff00' } }))).toEqual([
      422,
      'colour_contrast_too_low',
    ]);
  });

  it('refuses what is not JSON or cannot be answered', async () => {
    const headers = { ...tenant.machine, 'If-Match': '"1"' };
    const answers = await Promise.all([
      world.call('PATCH', SETTINGS, { headers, form: 'a=b' }),
      world.call('PATCH', SETTINGS, { headers: { ...headers, 'Content-Type': 'application/json' }, form: '{' }),
      world.call('PATCH', SETTINGS, { headers: { ...headers, Accept: 'text/html' }, json: ANOTHER_COLOUR }),
      world.call('PATCH', SETTINGS, { headers, json: { branding: { displayName: 'x'.repeat(1_100_000) } } }),
      world.call('PATCH', SETTINGS, { json: ANOTHER_COLOUR }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([415, 400, 406, 413, 401]);
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
