/** API tests of creating an application: what is stored, and what is refused. */
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared, type Answer } from '../support/service.ts';
import { newCpf } from '../support/cpf.ts';
import { draft, person, startWorld } from './applications-world.ts';

const world = await shared(startWorld());

const code = ({ status, body }: Answer<unknown>): [number, unknown] => [status, (body as { code?: unknown }).code];
const pointers = ({ body }: Answer<unknown>): unknown[] =>
  ((body as { errors?: { pointer: string }[] }).errors ?? []).map(({ pointer }) => pointer);
const events = async (id: string): Promise<string[]> =>
  (await world.acme.audit())
    .filter(({ resource_id, outcome }) => resource_id === id && outcome === 'success')
    .map(({ action }) => action);

describe('creating an application', () => {
  it('needs only a name and a purpose, and answers with the whole draft', async () => {
    const { status, headers, body } = await world.create();
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/applications/${body.id}`);
    expect(headers.get('etag')).toBe('"1"');
    expect(headers.get('x-environment')).toBe('live');
    expect(body).toMatchObject({
      environment: 'live',
      status: 'draft',
      level: 'standard',
      channel: 'api',
      productCodes: [],
      documents: [],
      metadata: {},
      version: 1,
      personalDataMasked: false,
      requirements: { met: false },
      createdBy: { type: 'api_key', display: 'Back end' },
    });
    expect(Date.parse(body.expiresAt as string) - Date.parse(body.createdAt)).toBe(30 * 24 * 3600 * 1000);
    expect((await world.get(body.id)).body).toEqual(body);
    expect(await events(body.id)).toEqual(['application.created']);
  });

  it('stores everything that is sent, numbers without punctuation', async () => {
    const applicant = {
      ...person,
      socialName: 'Mariana',
      motherName: 'Ana',
      nationality: 'BR',
      countryOfBirth: 'PT',
      taxId: { type: 'cpf', value: '529.982.247-25' },
      email: 'maria@example.com',
      phone: '+5541999990000',
      occupation: 'Designer',
      monthlyIncome: { amount: 850000, currency: 'BRL' },
      address: {
        line1: 'Rua das Flores',
        number: '120',
        city: 'Curitiba',
        state: 'PR',
        postalCode: '80010-000',
        country: 'BR',
      },
      sourceOfFunds: ['salary'],
      pepDeclaration: { isPep: true, role: 'Vereadora', relationship: 'self' },
      residentAbroad: true,
      taxResidencies: [{ country: 'PT', tin: '123456789' }],
    };
    const { status, body } = await world.create({
      ...draft,
      applicant,
      level: 'enhanced',
      channel: 'mobile',
      productCodes: ['pix_account'],
      metadata: { a: 1, b: 'x', c: true },
    });
    expect(status).toBe(201);
    expect(body.applicant).toEqual({
      ...applicant,
      taxId: { type: 'cpf', value: '52998224725', country: 'BR' },
      address: {
        ...applicant.address,
        line2: null,
        district: null,
        postalCode: '80010000',
      },
    });
    expect(body).toMatchObject({
      level: 'enhanced',
      channel: 'mobile',
      productCodes: ['pix_account'],
      metadata: { a: 1, b: 'x', c: true },
    });
    expect((await world.get(body.id)).body).toEqual(body);
  });

  it('treats a metadata key named __proto__ as data', async () => {
    const body =
      '{"purpose":"other","applicant":{"fullName":"Maria da Silva"},"metadata":{"__proto__":"x","constructor":"y"}}';
    const answer = await success(world.api.POST('/v1/applications', { headers: world.key, body: JSON.parse(body) }));
    expect(answer.status).toBe(201);
    expect(Object.entries(answer.body.metadata).sort()).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it('refuses a wrong tax number, and in live the numbers of personas', async () => {
    for (const value of ['52998224724', '11111111111', '123']) {
      const answer = await world.create({ ...draft, applicant: { ...person, taxId: { type: 'cpf', value } } });
      expect(code(answer)).toEqual([422, 'invalid_tax_id']);
      expect(pointers(answer)).toEqual(['/applicant/taxId/value']);
    }
  });

  it('names all members that break a rule at once', async () => {
    const answer = await world.create({
      ...draft,
      applicant: {
        ...person,
        dateOfBirth: '2999-01-01',
        address: {
          line1: 'x',
          city: 'y',
          country: 'BR',
          state: 'XX',
          postalCode: '1',
        },
        taxId: { type: 'cpf', value: '1' },
      },
    });
    expect(code(answer)).toEqual([422, 'validation_failed']);
    expect(pointers(answer)).toEqual([
      '/applicant/dateOfBirth',
      '/applicant/address/state',
      '/applicant/address/postalCode',
      '/applicant/taxId/value',
    ]);
  });

  it.each([
    ['digits in a name', { ...draft, applicant: { fullName: 'Maria 2' } }, '/applicant/fullName'],
    ['an unknown member deep inside', { ...draft, applicant: { ...person, adress: {} } }, '/applicant/adress'],
    ['no purpose', { applicant: person }, '/purpose'],
    [
      'a day that does not exist',
      { ...draft, applicant: { ...person, dateOfBirth: '2023-02-30' } },
      '/applicant/dateOfBirth',
    ],
    [
      'an amount that is no integer',
      { ...draft, applicant: { ...person, monthlyIncome: { amount: 1.5, currency: 'BRL' } } },
      '/applicant/monthlyIncome/amount',
    ],
    ['metadata that is nested', { ...draft, metadata: { a: {} } }, '/metadata/a'],
    ['null where there is always a value', { ...draft, applicant: { fullName: null } }, '/applicant/fullName'],
  ])('refuses %s', async (_, body, pointer) => {
    const answer = await world.create(body);
    expect(code(answer)).toEqual([422, 'validation_failed']);
    expect(pointers(answer)).toContain(pointer);
  });

  it('refuses the reserved metadata key', async () => {
    expect(code(await world.create({ ...draft, metadata: { sandbox: false } }))).toEqual([
      422,
      'reserved_metadata_key',
    ]);
  });

  it('names the application that has the externalId', async () => {
    const first = await world.create({ ...draft, externalId: 'cust-1' });
    const second = await world.create({ ...draft, externalId: 'cust-1' });
    expect(code(second)).toEqual([409, 'duplicate_external_id']);
    expect(second.body).toMatchObject({ existingId: first.body.id });
    const foreign = await world.create({ ...draft, externalId: 'cust-1' }, await world.other.key(['write']));
    expect(foreign.status).toBe(201);
  });

  it('succeeds for one of many that race for an externalId, and answers the others with its id', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.create({ ...draft, externalId: 'race' })));
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter((answer) => answer !== won[0])) {
      expect(code(lost)).toEqual([409, 'duplicate_external_id']);
      expect(lost.body).toMatchObject({ existingId: won[0]?.body.id });
    }
  });

  it('submits in the same step, all or nothing', async () => {
    const applicant = { ...person, taxId: { type: 'cpf', value: newCpf() } };
    const { status, body } = await world.create({
      ...draft,
      level: 'basic',
      applicant,
      submit: true,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'in_review',
      statusReason: 'submitted',
      version: 1,
      expiresAt: null,
      requirements: { met: true },
    });
    expect(await events(body.id)).toEqual(['application.created', 'application.submitted']);

    const before = await world.database.sql('SELECT id FROM application');
    const missing = await world.create({ ...draft, submit: true });
    expect(code(missing)).toEqual([422, 'requirements_missing']);
    expect(missing.body.items?.map(({ key }) => key)).toEqual([
      'identity_data',
      'tax_id_valid',
      'id_document',
      'address',
    ]);
    const again = await world.create({
      ...draft,
      level: 'basic',
      applicant,
      submit: true,
    });
    expect(code(again)).toEqual([409, 'duplicate_active_application']);
    expect(again.body).toMatchObject({ existingId: body.id });
    expect(
      code(
        await world.create({
          ...draft,
          level: 'basic',
          applicant: { ...applicant, dateOfBirth: '2020-01-01', taxId: { type: 'cpf', value: newCpf() } },
          submit: true,
        }),
      ),
    ).toEqual([422, 'underage_applicant']);
    expect(await world.database.sql('SELECT id FROM application')).toEqual(before);
  });

  it('answers a repetition with the first answer and writes nothing more', async () => {
    const headers = { 'Idempotency-Key': 'create-once' };
    const first = await world.create(draft, world.key, headers);
    const again = await world.create({ applicant: draft.applicant, purpose: draft.purpose }, world.key, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await events(first.body.id)).toEqual(['application.created']);
    expect(code(await world.create({ ...draft, channel: 'web' }, world.key, headers))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
  });

  it('has one effect when the same call runs twice at once', async () => {
    const headers = { 'Idempotency-Key': 'create-race' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => world.create({ ...draft, externalId: 'idempotent-race' }, world.key, headers)),
    );
    for (const { status, body, headers: received } of answers) {
      if (status === 409) expect([body.code, received.get('retry-after')]).toEqual(['idempotency_in_progress', '1']);
      else expect(status).toBe(201);
    }
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size).toBe(1);
    expect(
      (await world.create({ ...draft, externalId: 'idempotent-race' }, world.key, headers)).headers.get(
        'idempotent-replayed',
      ),
    ).toBe('true');
  });
});
