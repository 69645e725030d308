/**
 * API tests that live and sandbox applications stay apart, whatever the credential. A leak from one to the other fails
 * here.
 */
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared, type Answer, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { draft, person, startWorld, type Application, type List } from './applications-world.ts';

const world = await shared(startWorld());
const admin = await world.acme.key(['admin']);
const test = await world.acme.key(['read', 'write'], { environment: 'test' });
const pinned = await world.acme.key(['read', 'write'], { pinEnvironment: true });
const analyst = await world.acme.user('analyst');

const switchSandbox = (to: 'enable' | 'disable') => world.request('POST', `/v1/sandbox/${to}`, { as: admin });
const code = ({ status, body }: Answer<unknown>): [number, unknown] => [status, (body as { code?: unknown }).code];
const list = (as: Credential, query = ''): Promise<Answer<List>> =>
  world.request('GET', `/v1/applications${query}`, { as });
const ids = async (as: Credential, query = ''): Promise<string[]> =>
  (await list(as, query)).body.items.map(({ id }) => id);
const changes = (id: string, as: Credential): Promise<Answer>[] => [
  world.request('PATCH', `/v1/applications/${id}`, { as, body: { channel: 'web' } }),
  world.request('POST', `/v1/applications/${id}/submit`, { as }),
  world.request('POST', `/v1/applications/${id}/withdraw`, { as, body: { reasonCode: 'other' } }),
  world.upload(id, jpeg(), {}, as) as Promise<Answer<never>>,
];

describe('live and sandbox', () => {
  let live: Application;
  let sandboxed: Application;

  it('creates records in the environment that the switch selects', async () => {
    live = (await world.create()).body;
    expect(live).toMatchObject({ environment: 'live', metadata: {} });
    await switchSandbox('enable');
    for (const as of [world.key, analyst, await world.acme.client(['read', 'write']), test]) {
      const { status, headers, body } = await world.create({ ...draft, metadata: { a: 1 } }, as);
      expect([status, headers.get('x-environment')]).toEqual([201, 'sandbox']);
      expect(body).toMatchObject({ environment: 'sandbox', metadata: { a: 1, sandbox: true } });
      sandboxed = body;
    }
    expect((await world.create(draft, pinned)).body).toMatchObject({ environment: 'live', metadata: {} });
  });

  it('accepts personas in the sandbox only', async () => {
    const applicant = { ...person, taxId: { type: 'cpf', value: '222.222.222-22' } };
    expect((await world.create({ ...draft, applicant })).body.applicant.taxId?.value).toBe('22222222222');
    expect(code(await world.create({ ...draft, applicant }, pinned))).toEqual([422, 'invalid_tax_id']);
  });

  it('keeps the mark of the sandbox through every change', async () => {
    const { body } = await success(
      world.api.PATCH('/v1/applications/{applicationId}', {
        params: { path: { applicationId: sandboxed.id } },
        headers: test,
        body: { metadata: { a: null, b: 2 } },
      }),
    );
    expect(body.metadata).toEqual({ b: 2, sandbox: true });
  });

  it('keeps externalIds and active applications apart', async () => {
    const body = {
      ...draft,
      level: 'basic',
      externalId: 'both',
      submit: true,
      applicant: { ...person, taxId: { type: 'cpf', value: '52998224725' } },
    };
    expect((await world.create(body)).body).toMatchObject({ environment: 'sandbox', status: 'in_review' });
    expect((await world.create(body, pinned)).body).toMatchObject({ environment: 'live', status: 'in_review' });
  });

  it('finds both by id, but a test key only sees the sandbox and a pinned key only live', async () => {
    for (const as of [world.key, analyst]) {
      const [a, b] = [await world.get(live.id, as), await world.get(sandboxed.id, as)];
      expect([a.status, a.headers.get('x-environment'), b.status, b.headers.get('x-environment')]).toEqual([
        200,
        'live',
        200,
        'sandbox',
      ]);
    }
    expect([(await world.get(live.id, test)).status, (await world.get(sandboxed.id, test)).status]).toEqual([404, 200]);
    expect([(await world.get(live.id, pinned)).status, (await world.get(sandboxed.id, pinned)).status]).toEqual([
      200, 404,
    ]);
    for (const answer of await Promise.all([...changes(live.id, test), ...changes(sandboxed.id, pinned)]))
      expect(answer.status).toBe(404);
  });

  it('lists the effective environment, or the requested one if the caller sees it', async () => {
    expect(await ids(world.key)).toContain(sandboxed.id);
    expect(await ids(world.key)).not.toContain(live.id);
    expect(await ids(world.key, '?environment=live')).toContain(live.id);
    expect((await list(world.key, '?environment=live')).headers.get('x-environment')).toBe('live');
    expect(await ids(test)).toContain(sandboxed.id);
    expect(await ids(test, '?environment=live')).toEqual([]);
    expect(await ids(pinned)).toContain(live.id);
    expect(await ids(pinned, '?environment=sandbox')).toEqual([]);
  });

  it('writes events in the environment of the record', async () => {
    await success(
      world.api.PATCH('/v1/applications/{applicationId}', {
        params: { path: { applicationId: live.id } },
        headers: world.key,
        body: { channel: 'web' },
      }),
    );
    const events = await world.database.sql<{ environment: string }>(
      'SELECT DISTINCT environment FROM audit_event WHERE resource_id = $1',
      [live.id],
    );
    expect(events).toEqual([{ environment: 'live' }]);
  });

  it('makes sandbox records read-only while the switch is off', async () => {
    await switchSandbox('disable');
    for (const as of [world.key, analyst]) {
      expect((await world.get(sandboxed.id, as)).status).toBe(200);
      for (const answer of await Promise.all(changes(sandboxed.id, as)))
        expect(code(answer)).toEqual([403, 'sandbox_disabled']);
    }
    expect(code(await world.get(sandboxed.id, test))).toEqual([403, 'sandbox_disabled']);
    expect((await world.create()).body.environment).toBe('live');
    expect(await ids(world.key, '?environment=sandbox')).toContain(sandboxed.id);
  });
});

describe('roles that do not work with people', () => {
  const applicant = {
    ...person,
    socialName: 'Mariana',
    motherName: 'Ana',
    nationality: 'BR',
    countryOfBirth: 'PT',
    taxId: { type: 'cpf', value: '11144477735' },
    email: 'maria@example.com',
    phone: '+5541999990000',
    occupation: 'Designer',
    monthlyIncome: { amount: 850000, currency: 'BRL' },
    address: {
      line1: 'Rua das Flores',
      number: '120',
      city: 'Curitiba',
      state: 'PR',
      postalCode: '80010000',
      country: 'BR',
    },
    sourceOfFunds: ['salary'],
    pepDeclaration: { isPep: true, role: 'Vereadora' },
    taxResidencies: [{ country: 'PT', tin: '123456789' }],
  };

  it.each(['admin', 'developer', 'viewer'] as const)('see people masked: %s', async (role) => {
    const {
      body: { id },
    } = await world.create({ ...draft, applicant });
    await world.upload(id, jpeg({ text: id }), { fileName: 'maria-passport.jpg' });
    const as = await world.acme.user(role);
    const { status, text, body } = await world.get(id, as);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      personalDataMasked: true,
      applicant: { fullName: 'M*** d*** S***', taxId: { value: '***444777**' } },
      documents: [{ fileName: 'document.jpg' }],
    });
    expect(body.requirements.items.find(({ key }) => key === 'address')?.status).toBe('provided');
    const listed = (await list(as)).body.items.find((item) => item.id === id);
    expect(listed?.personalDataMasked).toBe(true);
    for (const secret of [
      'Silva',
      'Mariana',
      '1990-04-12',
      '11144477735',
      'maria',
      'example.com',
      '+5541',
      'Designer',
      '850000',
      'Flores',
      'Curitiba',
      '80010000',
      'Vereadora',
      '123456789',
    ]) {
      expect(text).not.toContain(secret);
      expect(JSON.stringify(listed)).not.toContain(secret);
    }
  });

  it.each(['owner', 'compliance_officer', 'analyst', 'auditor'] as const)('are not: %s', async (role) => {
    const {
      body: { id },
    } = await world.create({ ...draft, applicant });
    expect((await world.get(id, await world.acme.user(role))).body).toMatchObject({
      personalDataMasked: false,
      applicant: { email: 'maria@example.com' },
    });
  });
});
