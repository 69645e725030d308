import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../server/contract/operation.ts';
import { publishEvents } from '../../server/modules/recovery-feed/publish.ts';
import { refusal, requestToken, success } from '../support/api.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import { shared, type Credential, type Person, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import type { Issued, Key } from './api-keys-world.ts';
import { newCpf } from '../support/cpf.ts';
import { person, startWorld, type Document, type Schemas } from './applications-world.ts';

const KEYS = '/v1/settings/api-keys';
let tenant: Tenant;
let owner: Person;
const world = await shared(startWorld());
beforeAll(async () => {
  tenant = await world.tenant();
  owner = await tenant.person('owner');
});

const make = (by: Credential, members: Partial<Schemas['ApiKeyCreate']> = {}) =>
  world.api.POST('/v1/settings/api-keys', {
    headers: by,
    body: {
      name: 'Back end',
      environment: 'live',
      scopes: ['read', 'write'],
      ...members,
    },
  });
const keyOf = ({ secret }: Issued): Credential => ({ 'X-API-Key': secret });
const tokenOf = async ({ secret }: Issued): Promise<Credential> => {
  const { body } = await success(requestToken(world.api, secret));
  return { Authorization: `Bearer ${body.access_token}` };
};
const change = (userId: string, body: object, by = owner.as) =>
  world.request('PATCH', `/v1/users/${userId}`, { as: by, body });
const statusOrCode = async (as: Credential, path = '/v1/applications'): Promise<number | string> => {
  const { status, body } = await world.request('GET', path, { as });
  return status === 200 ? 200 : body.code;
};
const granted = async (role: Role, members: Partial<Schemas['ApiKeyCreate']> = {}) => {
  const grantor = await tenant.person(role);
  return { grantor, key: (await success(make(grantor.as, members))).body };
};

describe('a key reads no more than its grantor may', () => {
  it("so that a developer's does not list users or audit events", async () => {
    const { key } = await granted('developer', { environment: 'test', scopes: ['read'] });
    await success(world.api.POST('/v1/sandbox/enable', { headers: owner.as }));
    for (const as of [keyOf(key), await tokenOf(key)]) {
      expect(await statusOrCode(as)).toBe(200);
      for (const path of ['/v1/users', `/v1/users/${owner.id}`, '/v1/audit/events', '/v1/audit/checkpoints'])
        expect(await statusOrCode(as, path), path).toBe('role_forbidden');
    }
    await success(world.api.POST('/v1/sandbox/disable', { headers: owner.as }));
  });

  it('at once when their role is taken from them, and again when it is given back', async () => {
    const { grantor, key } = await granted('admin', { scopes: ['read', 'admin'] });
    const as = keyOf(key);
    expect(await statusOrCode(as, '/v1/users')).toBe(200);
    await change(grantor.id, { role: 'viewer' });
    expect([await statusOrCode(as, '/v1/users'), await statusOrCode(as)]).toEqual(['role_forbidden', 200]);
    expect((await world.create(undefined, as)).body).toMatchObject({ code: 'role_forbidden' });
    await change(grantor.id, { role: 'admin' });
    expect(await statusOrCode(as, '/v1/users')).toBe(200);
  });

  it('nor more than they might when they granted it', async () => {
    const { grantor, key } = await granted('developer', { environment: 'test', scopes: ['read'] });
    await success(world.api.POST('/v1/sandbox/enable', { headers: owner.as }));
    await change(grantor.id, { role: 'owner' });
    expect(await statusOrCode(keyOf(key), '/v1/users')).toBe('role_forbidden');
    await success(world.api.POST('/v1/sandbox/disable', { headers: owner.as }));
  });

  it("which does not keep an administrator's key from what integrations do", async () => {
    const { grantor, key } = await granted('admin');
    expect((await world.create(undefined, grantor.as)).status).toBe(403);
    expect((await world.create(undefined, keyOf(key))).status).toBe(201);
  });
});

describe('a key whose grantor has left', () => {
  it('is refused at once, with its tokens, and gets no new ones', async () => {
    const { grantor, key } = await granted('admin');
    const token = await tokenOf(key);
    expect([await statusOrCode(keyOf(key)), await statusOrCode(token)]).toEqual([200, 200]);
    await change(grantor.id, { status: 'deactivated' });
    expect([await statusOrCode(keyOf(key)), await statusOrCode(token)]).toEqual([
      'key_grantor_inactive',
      'key_grantor_inactive',
    ]);
    expect((await refusal(requestToken(world.api, key.secret))).body).toMatchObject({ error: 'unauthorized_client' });
    const listed = (await success(world.api.GET('/v1/settings/api-keys', { headers: owner.as }))).body.items.find(
      ({ prefix }) => prefix === key.apiKey.prefix,
    );
    expect(listed?.grantor).toEqual({ userId: grantor.id, role: 'admin', active: false });
    expect((await tenant.audit()).filter(({ reason }) => reason === 'key_grantor_inactive').length).toBeGreaterThan(0);
  });

  it('is taken over by rotating it or confirming its scopes, within the role of the new grantor', async () => {
    const { grantor, key } = await granted('owner', { personalData: 'full' });
    const { key: other } = { key: (await success(make(grantor.as, { personalData: 'full' }))).body };
    await change(grantor.id, { status: 'deactivated' });
    const admin = await tenant.person('admin');
    const confirmed = await success(
      world.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
        params: { path: { prefix: key.apiKey.prefix } },
        headers: admin.as,
        body: { scopes: ['read', 'write'] },
      }),
    );
    expect(confirmed.body).toMatchObject({
      personalData: 'masked',
      grantor: { userId: admin.id, role: 'admin', active: true },
    });
    expect(await statusOrCode(keyOf(key))).toBe(200);
    const rotated = await success(
      world.api.POST('/v1/settings/api-keys/{prefix}/rotate', {
        params: { path: { prefix: other.apiKey.prefix } },
        headers: owner.as,
        body: {},
      }),
    );
    expect(rotated.body.apiKey).toMatchObject({
      personalData: 'full',
      grantor: { userId: owner.id, role: 'owner', active: true },
    });
    expect([await statusOrCode(keyOf(other)), await statusOrCode(keyOf(rotated.body))]).toEqual([
      'key_grantor_inactive',
      200,
    ]);
    // Confirming again after the takeover changes nothing.
    const again = await success(
      world.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
        params: { path: { prefix: key.apiKey.prefix } },
        headers: admin.as,
        body: { scopes: ['read', 'write'] },
      }),
    );
    expect(again.body.version).toBe(confirmed.body.version);
  });

  it('works while the grantor is only locked out', async () => {
    const { grantor, key } = await granted('admin');
    await world.database.sql(`UPDATE membership SET status = 'locked' WHERE user_id = $1`, [grantor.id]);
    await world.database.sql(`UPDATE user_account SET locked_until = now() + interval '1 hour' WHERE id = $1`, [
      grantor.id,
    ]);
    world.advance(5_001);
    expect(await statusOrCode(keyOf(key))).toBe(200);
  });

  it('revokes the further keys that it created', async () => {
    const { grantor, key } = await granted('owner', { scopes: ['admin'] });
    const { body: child } = await success(make(keyOf(key)));
    expect(child.apiKey).toMatchObject({
      createdBy: { type: 'api_key', id: key.apiKey.prefix },
      grantor: { userId: grantor.id, role: 'owner' },
    });
    expect(await statusOrCode(keyOf(child))).toBe(200);
    await change(grantor.id, { status: 'deactivated' });
    expect(await statusOrCode(keyOf(child))).toBe('key_grantor_inactive');
  });
});

describe('personal data', () => {
  const PERSON = {
    ...person,
    motherName: 'Joana Prado',
    email: 'maria@example.com',
    taxId: { type: 'cpf', value: newCpf() },
  };
  const SECRETS = [PERSON.fullName, PERSON.motherName, PERSON.email, PERSON.taxId.value, 'Marias passport'];

  it('are masked for a key by default, whoever granted it, in every answer', async () => {
    const { body: full } = await success(make(owner.as, { personalData: 'full' }));
    const seen = keyOf(full);
    const { body: application } = await world.create(
      { purpose: 'account_opening', level: 'basic', applicant: PERSON },
      seen,
    );
    const { body: document } = await world.upload(application.id, jpeg(), { fileName: 'Marias passport.jpg' }, seen);
    expect([application.applicant, document.fileName]).toMatchObject([
      { fullName: PERSON.fullName },
      'Marias passport.jpg',
    ]);
    await world.database.database.transaction({ tenantId: tenant.id }, (tx) =>
      publishEvents(
        tx,
        'live',
        recoveryEvents(1).map((event) => ({ ...event, rawPayload: { Claimant: { TaxId: PERSON.taxId.value } } })),
      ),
    );

    const { body: masked } = await success(make(owner.as));
    expect(masked.apiKey.personalData).toBe('masked');
    const one = `/v1/applications/${application.id}`;
    for (const as of [keyOf(masked), await tokenOf(masked)]) {
      const { body: own } = await world.create(
        {
          purpose: 'account_opening',
          level: 'basic',
          applicant: { ...PERSON, taxId: { type: 'cpf', value: newCpf() } },
        },
        as,
      );
      const answers = [
        await world.get(application.id, as),
        await world.request('GET', '/v1/applications', { as }),
        await world.request('PATCH', one, { as, body: { channel: 'web' } }),
        await world.upload(application.id, jpeg(), { fileName: 'Marias passport.jpg' }, as),
        await world.create({ purpose: 'account_opening', applicant: PERSON }, as),
        await world.request('POST', `/v1/applications/${own.id}/submit`, { as }),
        await world.request('POST', `/v1/applications/${own.id}/withdraw`, {
          as,
          body: { reasonCode: 'applicant_request' },
        }),
      ];
      for (const { status, text } of answers) {
        expect(status, text).toBeLessThan(300);
        for (const secret of SECRETS) expect(text).not.toContain(secret);
      }
      expect((await world.request('GET', `${one}/documents/${document.id}/content`, { as })).body).toMatchObject({
        code: 'personal_data_masked',
      });
    }
    const feed = '/api/v1/funds-recovery/events';
    expect((await world.request('GET', feed, { as: await tokenOf(full) })).text).toContain(PERSON.taxId.value);
    expect((await world.request('GET', feed, { as: await tokenOf(masked) })).text).not.toContain(PERSON.taxId.value);
    expect((await world.request('GET', feed, { as: (await tenant.person('viewer')).as })).text).not.toContain(
      PERSON.taxId.value,
    );
  });

  it('are shown in full only by keys of grantors who see them, as long as they do', async () => {
    for (const [role, members] of [
      ['admin', {}],
      ['developer', { environment: 'test' }],
    ] as const) {
      expect(
        (await refusal(make((await tenant.person(role)).as, { personalData: 'full', ...members }))).body.code,
        role,
      ).toBe('scope_escalation');
    }
    const { grantor, key } = await granted('owner', { personalData: 'full' });
    const { body: application } = await world.create({ purpose: 'account_opening', applicant: PERSON }, keyOf(key));
    const shown = async () => (await world.get(application.id, keyOf(key))).body;
    expect(await shown()).toMatchObject({ personalDataMasked: false, applicant: { fullName: PERSON.fullName } });
    await change(grantor.id, { role: 'admin' });
    expect(await shown()).toMatchObject({ personalDataMasked: true });
    expect(JSON.stringify(await shown())).not.toContain(PERSON.fullName);
  });

  it('are granted later by an owner only, who then becomes the grantor of the key', async () => {
    const {
      grantor,
      key: {
        apiKey: { prefix },
      },
    } = await granted('admin');
    const patch = (as: Credential, personalData: string) =>
      world.request<Key & { code: string }>('PATCH', `${KEYS}/${prefix}`, { as, body: { personalData } });
    expect((await patch(grantor.as, 'full')).body.code).toBe('scope_escalation');
    expect((await patch(owner.as, 'full')).body).toMatchObject({ personalData: 'full', grantor: { userId: owner.id } });
    expect((await patch(grantor.as, 'masked')).body).toMatchObject({ personalData: 'masked' });
  });

  it('are not repeated to callers who may no longer see them', async () => {
    const { grantor, key } = await granted('owner', { personalData: 'full' });
    const again = () =>
      world.create({ purpose: 'account_opening', applicant: PERSON }, keyOf(key), { 'Idempotency-Key': 'repeat-1' });
    expect((await again()).body.applicant.fullName).toBe(PERSON.fullName);
    expect((await again()).headers.get('idempotent-replayed')).toBe('true');
    await change(grantor.id, { role: 'admin' });
    const answer = await again();
    expect([answer.status, answer.body]).toMatchObject([403, { code: 'personal_data_masked' }]);
    expect(answer.text).not.toContain(PERSON.fullName);
    await success(
      world.api.PATCH('/v1/settings/api-keys/{prefix}', {
        params: { path: { prefix: key.apiKey.prefix } },
        headers: owner.as,
        body: { name: 'Renamed' },
      }),
    );
    // The repetition of a masked answer stays masked.
    const { key: masked } = await granted('admin');
    const echo = () =>
      world.create({ purpose: 'account_opening', applicant: PERSON }, keyOf(masked), { 'Idempotency-Key': 'repeat-2' });
    expect((await echo()).status).toBe(201);
    expect((await echo()).headers.get('idempotent-replayed')).toBe('true');
  });

  it('cannot be found by callers who see them masked: neither by a filter nor by the refusal of a duplicate', async () => {
    const { body: full } = await success(make(owner.as, { personalData: 'full' }));
    const complete = {
      purpose: 'account_opening',
      level: 'basic',
      applicant: { ...PERSON, taxId: { type: 'cpf', value: newCpf() } },
      submit: true,
    };
    const { body: known } = await world.create(complete, keyOf(full));
    const { body: masked } = await success(make(owner.as));
    for (const as of [
      keyOf(masked),
      await tokenOf(masked),
      (await tenant.person('admin')).as,
      (await tenant.person('viewer')).as,
      (await tenant.person('developer')).as,
    ]) {
      const answer = await world.request('GET', `/v1/applications?taxId=${complete.applicant.taxId.value}`, { as });
      expect([answer.status, answer.body]).toMatchObject([
        403,
        { code: 'personal_data_masked', errors: [{ parameter: 'taxId' }] },
      ]);
    }
    const found = await success(
      world.api.GET('/v1/applications', {
        params: { query: { taxId: complete.applicant.taxId.value } },
        headers: keyOf(full),
      }),
    );
    expect(found.body.items.map(({ id }) => id)).toEqual([known.id]);
    const duplicate = async (as: Credential) =>
      (await world.create(complete, as)).body as unknown as { code: string; existingId?: string };
    expect(await duplicate(keyOf(full))).toMatchObject({ code: 'duplicate_active_application', existingId: known.id });
    const refusal = await duplicate(keyOf(masked));
    expect([refusal.code, refusal.existingId]).toEqual(['duplicate_active_application', undefined]);
  });
});

describe('searches by what identifies a person', () => {
  it('are counted separately, thirty a minute, for a client however many keys and tokens it has', async () => {
    const counted = await startWorld({ env: { RATE_LIMIT_LOOKUPS: '30' } });
    try {
      const as = await counted.acme.key(['read', 'admin']);
      const search = () =>
        counted.request<{ items?: Document[]; code?: string }>('GET', '/v1/applications?taxId=52998224725', { as });
      const first = await search();
      expect(first.headers.get('ratelimit-policy')).toContain('"lookups";q=30;w=60');
      expect(first.headers.get('ratelimit')).toContain('"lookups";r=29');
      for (let i = 1; i < 30; i++) expect((await search()).status).toBe(200);
      const last = await search();
      expect([last.status, last.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      // Other calls still work; another key that this key creates shares the quota.
      await success(counted.api.GET('/v1/applications', { headers: as }));
      const child = (
        await success(
          counted.api.POST('/v1/settings/api-keys', {
            headers: as,
            body: {
              name: 'Child',
              environment: 'live',
              scopes: ['read'],
              personalData: 'full',
            },
          }),
        )
      ).body;
      expect(
        (
          await refusal(
            counted.api.GET('/v1/applications', { params: { query: { taxId: '52998224725' } }, headers: keyOf(child) }),
          )
        ).status,
      ).toBe(429);
      const owner = (await counted.acme.person('owner')).as;
      await success(
        counted.api.GET('/v1/applications', { params: { query: { taxId: '52998224725' } }, headers: owner }),
      );
    } finally {
      await counted.stop();
    }
  });
});
