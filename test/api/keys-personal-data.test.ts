/** API tests of which keys see personal data: masked by default, and in no way to be found out. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../server/contract/operation.ts';
import { publishEvents } from '../../server/modules/recovery-feed/publish.ts';
import { refusal, requestToken, success } from '../support/api.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import { shared, type Credential, type Person, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import type { Issued, Key } from './api-keys-world.ts';
import { newCpf } from '../support/cpf.ts';
import { person, startWorld, type Schemas } from './applications-world.ts';

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

const granted = async (role: Role, members: Partial<Schemas['ApiKeyCreate']> = {}) => {
  const grantor = await tenant.person(role);
  return { grantor, key: (await success(make(grantor.as, members))).body };
};

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
