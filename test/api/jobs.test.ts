/** API tests of periodic work: names, metrics, and the end of old drafts. */
import { describe, expect, it } from 'vitest';
import { jobs } from '../../server/periodic-jobs.ts';
import { refusal, success } from '../support/api.ts';
import { useService, type Credential } from '../support/service.ts';

const DAY = 86_400_000;

const service = await useService();
const key = await service.acme.key(['read', 'write']);

const body = { applicant: { fullName: 'Maria da Silva' }, purpose: 'account_opening' } as const;
const create = async (as: Credential) =>
  (await success(service.api.POST('/v1/applications', { headers: as, body }))).body;
const read = async (as: Credential, id: string) =>
  (
    await success(
      service.api.GET('/v1/applications/{applicationId}', { params: { path: { applicationId: id } }, headers: as }),
    )
  ).body;

describe('periodic work', () => {
  it('has a distinct name for each job, and every job runs a round on an empty database', async () => {
    expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length);
    for (const { name } of jobs) expect(await service.running.runJob(name)).toEqual(expect.any(Number));
  });

  it('is counted in the common metrics', async () => {
    await service.running.runJob('mail.discard');
    expect((await service.request('GET', '/metrics')).text).toMatch(
      /^job_runs_total\{job="mail\.discard",outcome="success"\} \d+$/m,
    );
  });

  it('ends drafts after thirty days, in the record of their tenant, and leaves the rest', async () => {
    const draft = await create(key);
    const foreign = await create(await service.other.key(['read', 'write']));
    await service.database.sql(`UPDATE application SET expires_at = now() + interval '60 days' WHERE id = $1`, [
      foreign.id,
    ]);
    service.advance(29.9 * DAY);
    expect(await service.running.runJob('applications.expire')).toBe(0);
    service.advance(0.2 * DAY);
    expect(await service.running.runJob('applications.expire')).toBe(1);
    expect(await service.running.runJob('applications.expire')).toBe(0);
    const after = await read(key, draft.id);
    expect(after).toMatchObject({ status: 'expired', statusReason: 'draft_expired', version: 2 });
    expect(after.updatedAt > draft.updatedAt).toBe(true);
    expect((await read(await service.other.key(['read', 'write']), foreign.id)).status).toBe('draft');
    const events = await service.database.sql<{ action: string; actor: object; changes: object }>(
      'SELECT action, actor, changes FROM audit_event WHERE tenant_id = $1 AND resource_id = $2 ORDER BY sequence',
      [service.acme.id, draft.id],
    );
    expect(events.slice(1)).toMatchObject([
      { action: 'application.expired', actor: { type: 'system', id: 'applications.expire' } },
      {
        action: 'application.status_changed',
        changes: [
          { path: '/status', value: 'expired' },
          { path: '/statusReason', value: 'draft_expired' },
        ],
      },
    ]);
    const edit = await refusal(
      service.api.PATCH('/v1/applications/{applicationId}', {
        params: { path: { applicationId: draft.id } },
        headers: { ...key, 'Content-Type': 'application/merge-patch+json' },
        body: { purpose: 'other' },
      }),
    );
    expect([edit.status, edit.body.code]).toEqual([409, 'application_not_editable']);
  });

  it('ends drafts of the sandbox by the clock of the sandbox', async () => {
    const live = await create(key);
    const { other } = service;
    await service.database.sql(
      'UPDATE tenant SET sandbox_enabled = true, sandbox_clock_offset_seconds = $2 WHERE id = $1',
      [other.id, 31 * 86_400],
    );
    service.running.services.credentials.forgetTenant(other.id);
    const [{ id } = { id: '' }] = await service.database.sql<{ id: string }>(
      `
      INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, applicant,
        created_by, expires_at)
      SELECT $1, gen_random_uuid(), 'sandbox', 'draft', level, purpose, channel, full_name, applicant, created_by,
        expires_at FROM application WHERE id = $2 RETURNING id`,
      [other.id, live.id],
    );
    await service.running.runJob('applications.expire');
    expect(
      await service.database.sql('SELECT id, status FROM application WHERE id IN ($1, $2) ORDER BY status', [
        live.id,
        id,
      ]),
    ).toEqual([
      { id: live.id, status: 'draft' },
      { id, status: 'expired' },
    ]);
  });

  it('ends more drafts than one step takes', async () => {
    const { id } = await create(key);
    await service.database.sql(
      `
      INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, applicant,
        created_by, expires_at)
      SELECT tenant_id, gen_random_uuid(), 'live', 'draft', level, purpose, channel, full_name, applicant, created_by,
        now() - interval '1 day'
      FROM application, generate_series(1, 230) WHERE id = $1`,
      [id],
    );
    expect(await service.running.runJob('applications.expire')).toBe(230);
  });

  it('removes expired answers in steps', async () => {
    await service.database.sql(
      `
      INSERT INTO idempotency_record (tenant_id, environment, principal, method, path, key_hash, fingerprint, status,
        expires_at)
      SELECT $1, 'live', 'api_key:x', 'POST', '/v1/applications', sha256(n::text::bytea), '', 201,
        now() - interval '1 second' FROM generate_series(1, 2500) n`,
      [service.acme.id],
    );
    expect(await service.running.runJob('idempotency.purge')).toBe(2500);
  });

  it('locks users who have not signed in for ninety days, ends their sessions, and spares the last owner', async () => {
    const [owner, analyst] = [await service.acme.user('owner'), await service.acme.user('analyst')];
    const me = async (as: Credential) => (await service.api.GET('/v1/auth/me', { headers: as })).response.status;
    expect([await me(owner), await me(analyst)]).toEqual([200, 200]);
    expect(await service.running.runJob('users.lock_inactive')).toBe(0);
    await service.database.sql(
      `UPDATE membership SET updated_at = now() - interval '91 days', last_login_at = NULL WHERE tenant_id = $1`,
      [service.acme.id],
    );
    expect(await service.running.runJob('users.lock_inactive')).toBe(1);
    expect([await me(owner), await me(analyst)]).toEqual([200, 401]);
    const rows = await service.database.sql<{ role: string; status: string }>(
      'SELECT role, status FROM membership WHERE tenant_id = $1 ORDER BY role',
      [service.acme.id],
    );
    expect(rows).toEqual([
      { role: 'analyst', status: 'locked' },
      { role: 'owner', status: 'active' },
    ]);
    expect((await service.acme.audit()).at(-1)).toMatchObject({
      action: 'user.locked',
      outcome: 'success',
      reason: 'inactive',
    });
  });
});
