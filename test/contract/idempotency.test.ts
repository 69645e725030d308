/** Tests of idempotency keys, up to a hundred calls at once. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { refusal, success } from '../support/api.ts';
import { useService } from '../support/service.ts';

const service = await useService();
const admin = await service.acme.key(['admin']);

type ApplicationCreate = components['schemas']['ApplicationCreate'];
const APPLICATION: ApplicationCreate = { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } };
const create = (key: string, body = APPLICATION, as = admin) =>
  service.api.POST('/v1/applications', { headers: { ...as, 'Idempotency-Key': key }, body });
const count = async (): Promise<number> =>
  Number((await service.database.sql<{ count: string }>('SELECT count(*) FROM application'))[0]?.count);

describe('an idempotency key', () => {
  it('makes a hundred parallel calls one: one record, one answer, and a later retry for the rest', async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 100 }, () => create('parallel')));
    expect(await count()).toBe(before + 1);
    const created = answers.filter(({ response }) => response.status === 201);
    expect(new Set(created.map(({ data }) => data?.id)).size).toBe(1);
    expect(created.filter(({ response: { headers } }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    for (const { response, error } of answers.filter(({ response: { status } }) => status !== 201)) {
      expect([response.status, error?.code, response.headers.get('retry-after')]).toEqual([
        409,
        'idempotency_in_progress',
        '1',
      ]);
    }
    expect((await success(create('parallel'))).body.id).toBe(created[0]?.data?.id);
  });

  it('belongs to one body, whatever the order of its members', async () => {
    const first = await success(create('body', { ...APPLICATION, metadata: { a: 1, b: 2 } }));
    const again = await success(
      create('body', { metadata: { b: 2, a: 1 }, applicant: APPLICATION.applicant, purpose: APPLICATION.purpose }),
    );
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect((await refusal(create('body', { ...APPLICATION, metadata: { a: 1, b: 3 } }))).body.code).toBe(
      'idempotency_key_reused',
    );
  });

  it('belongs to one caller, path and tenant', async () => {
    const first = await success(create('scope'));
    for (const as of [
      await service.acme.key(['write']),
      await service.acme.client(['write']),
      await service.other.key(['admin']),
    ]) {
      const other = await success(create('scope', APPLICATION, as));
      expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(other.body.id).not.toBe(first.body.id);
    }
  });

  it('stores nothing of a refusal, so that a corrected cause lets the same call succeed', async () => {
    const {
      body: { id },
    } = await success(create('to-withdraw'));
    const withdraw = () =>
      service.request('POST', `/v1/applications/${id}/withdraw`, {
        as: admin,
        body: { reasonCode: 'duplicate' },
        headers: { 'Idempotency-Key': 'w', 'If-Match': '"7"' },
      });
    expect((await withdraw()).status).toBe(412);
    await service.database.sql('UPDATE application SET version = 7 WHERE id = $1', [id]);
    expect((await withdraw()).status).toBe(200);
  });

  it('is deleted after a day, with its record', async () => {
    const first = await success(create('a-day'));
    await service.database.sql(`UPDATE idempotency_record SET expires_at = now() - interval '1 second'`);
    const second = await success(create('a-day'));
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(second.body.id).not.toBe(first.body.id);
    expect(await service.running.runJob('idempotency.purge')).toBeGreaterThan(0);
    expect(await service.database.sql('SELECT 1 FROM idempotency_record WHERE expires_at < now()')).toEqual([]);
    expect((await success(create('a-day'))).body.id).toBe(second.body.id);
  });

  it('is the key to its answer: the table alone reveals neither key nor secret', async () => {
    const call = () =>
      success(
        service.api.POST('/v1/settings/api-keys', {
          headers: { ...admin, 'Idempotency-Key': 'a-key-that-only-the-caller-has' },
          body: { name: 'Sealed', environment: 'live', scopes: ['read'] },
        }),
      );
    const {
      body: { secret },
    } = await call();
    const rows = await service.database.sql<{ row: string }>(
      `SELECT row_to_json(r)::text || encode(coalesce(body, ''), 'escape') AS row FROM idempotency_record r`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const stored = rows.map(({ row }) => row).join('\n');
    for (const text of [secret, secret.slice(18), 'a-key-that-only-the-caller-has', 'Sealed'])
      expect(stored).not.toContain(text);
    expect((await call()).body.secret).toBe(secret);
  });

  it('applies only to operations that honour it', async () => {
    const answers = await Promise.all(
      [1, 2].map(() =>
        service.request('GET', '/v1/applications', { as: admin, headers: { 'Idempotency-Key': 'get' } }),
      ),
    );
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [200, null],
      [200, null],
    ]);
  });
});
