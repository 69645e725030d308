/** API tests of refusals that name a likely cause, such as an unescaped plus sign. */
import { describe, expect, it } from 'vitest';
import { personas } from '../../server/providers/personas/index.ts';
import { newCpf } from '../support/cpf.ts';
import { shared } from '../support/service.ts';
import { type Application, type List, startWorld } from './applications-world.ts';

const world = await shared(startWorld());

interface Told {
  readonly code: string;
  readonly detail?: string;
  readonly errors?: readonly {
    readonly parameter?: string;
    readonly pointer?: string;
    readonly code: string;
    readonly message: string;
  }[];
}

describe('a plus sign in a query that is not written %2B', () => {
  it.each(['createdAfter', 'createdBefore', 'updatedAfter'])('is named as the cause: %s', async (parameter) => {
    const { status, body } = await world.request<Told>(
      'GET',
      `/v1/applications?${parameter}=2026-11-01T00:00:00+03:00`,
      { as: world.key },
    );
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid_parameter',
      [
        {
          parameter,
          code: 'format',
          message:
            'must be a valid date-time (RFC 3339), of the years 1 to 9999 in UTC; a plus sign is written %2B in a ' +
            'query, where + is a space',
        },
      ],
    ]);
    expect(
      (await world.request('GET', `/v1/applications?${parameter}=2026-11-01T00:00:00%2B03:00`, { as: world.key }))
        .status,
    ).toBe(200);
  });

  it('is not named as the cause of another mistake', async () => {
    const { body } = await world.request<Told>('GET', '/v1/applications?createdAfter=yesterday', { as: world.key });
    expect(body.errors?.[0]?.message).toBe('must be a valid date-time (RFC 3339), of the years 1 to 9999 in UTC');
  });
});

it('a tax number is found however it is punctuated, as on creation', async () => {
  const cpf = newCpf();
  const punctuated = cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
  const {
    body: { id },
  } = await world.create({
    purpose: 'other',
    applicant: { fullName: 'Maria da Silva', taxId: { type: 'cpf', value: punctuated } },
  });
  const as = await world.acme.user('owner');
  for (const taxId of [cpf, punctuated, `${cpf.slice(0, 9)} ${cpf.slice(9)}`]) {
    expect(
      (await world.request<List>('GET', `/v1/applications?taxId=${encodeURIComponent(taxId)}`, { as })).body.items.map(
        (one) => one.id,
      ),
    ).toEqual([id]);
  }
});

describe('a weak entity tag, which a proxy creates from a strong one', () => {
  const change = (id: string, tag: string) =>
    world.request<Told & { currentVersion: number }>('PATCH', `/v1/applications/${id}`, {
      as: world.key,
      body: { purpose: 'other' },
      headers: { 'If-Match': tag },
    });

  it('is refused with what to send instead', async () => {
    const {
      body: { id },
    } = await world.create();
    const { status, body } = await change(id, 'W/"1"');
    expect([status, body.code, body.currentVersion, body.detail]).toEqual([
      412,
      'version_conflict',
      1,
      'The tag is weak, and weak tags never match (RFC 9110, section 13.1.1): send "1" without W/.',
    ]);
    expect((await change(id, '"1"')).status).toBe(200);
  });

  it('of an older version is refused as a lost update', async () => {
    const {
      body: { id },
    } = await world.create();
    await change(id, '"1"');
    expect((await change(id, 'W/"1"')).body).not.toHaveProperty('detail');
  });
});

it('disabled sandbox mode says where to enable it, to test keys and for sandbox records', async () => {
  const tenant = await world.tenant();
  const [admin, test] = await Promise.all([
    tenant.key(['admin']),
    tenant.key(['read', 'write'], { environment: 'test' }),
  ]);
  await world.request('POST', '/v1/sandbox/enable', { as: admin });
  const {
    body: { id },
  } = await world.create(undefined, test);
  await world.request('POST', '/v1/sandbox/disable', { as: admin });
  const detail =
    'Enable it on the page Sandbox of the dashboard, or with POST /v1/sandbox/enable and a ' +
    'live key of the scope admin.';
  for (const as of [test, await tenant.key(['read', 'write'])]) {
    const { status, body } = await world.request<Told>('PATCH', `/v1/applications/${id}`, {
      as,
      body: { purpose: 'other' },
    });
    expect([status, body.code, body.detail]).toEqual([403, 'sandbox_disabled', detail]);
  }
});

describe('a number that no parser can represent', () => {
  const errorsOf = async (body: string) =>
    (
      await world.request<Told>('POST', '/v1/applications', {
        as: world.key,
        body,
        headers: { 'Content-Type': 'application/json' },
      })
    ).body.errors;

  it.each(['1e400', '-1e400', `1${'0'.repeat(400)}`])('says what is wrong with it: %s', async (number) => {
    const message =
      'must be a number of at most 1.7976931348623157e308 either way: what was sent, such as ' +
      '1e400, is read as infinity';
    const reported = await errorsOf(
      `{"purpose":"other","applicant":{"fullName":"Ana Lima","monthlyIncome":{"amount":${number},"currency":"BRL"}},"metadata":{"a":${number}}}`,
    );
    expect(
      reported?.filter(({ pointer }) => pointer === '/applicant/monthlyIncome/amount').map((error) => error.message),
    ).toContain(message);
    expect(reported?.find(({ pointer }) => pointer === '/metadata/a')?.message).toBe(message);
  });
});

describe('a persona', () => {
  it.each(personas.filter(({ kind }) => kind === 'person'))(
    'has an applicant that an application accepts unchanged: $key',
    async ({ key }) => {
      const tenant = await world.tenant();
      const as = await tenant.key(['admin']);
      await world.request('POST', '/v1/sandbox/enable', { as });
      const {
        body: { personas: shown },
      } = await world.request<{ personas: { key: string; applicant: object }[] }>('GET', '/v1/sandbox', { as });
      const { applicant } = shown.find((one) => one.key === key)!;
      const { status, body, text } = await world.request<Application>('POST', '/v1/applications', {
        as,
        body: {
          purpose: 'account_opening',
          level: 'basic',
          submit: true,
          applicant,
        },
      });
      expect([status, body.status], text).toEqual([201, 'in_review']);
      expect(body.applicant).toMatchObject(applicant);
    },
  );

  it('that is a company has none yet', () => {
    expect(personas.filter(({ kind, applicant }) => (kind === 'company') !== (applicant === null))).toEqual([]);
  });
});
