/** API tests of moving the clock of a sandbox. */
import { beforeEach, describe, expect, it } from 'vitest';
import { newDocument } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import { DAY, refused, startSandboxSimulationsWorld } from './sandbox-simulations-world.ts';

const { service, admin, writer, pinned, advance, status, application, draft } = await startSandboxSimulationsWorld();
beforeEach(async () => {
  await success(service.api.DELETE('/v1/sandbox/data', { headers: admin }));
  await success(service.api.POST('/v1/sandbox/enable', { headers: admin }));
});

describe('the clock', () => {
  it('advances for new records of the sandbox, and for nothing that is live', async () => {
    const { status: code, headers, body } = await advance(30 * DAY);
    expect([code, headers.get('x-environment'), body.type]).toEqual([202, 'sandbox', 'advance_clock']);
    expect(body.effects).toEqual([
      { resource: { type: 'sandbox_clock', id: service.acme.id }, change: `offset 0 s to ${30 * DAY} s` },
    ]);
    const [ahead, real] = [await draft(), await draft(pinned)];
    expect(Date.parse(ahead.createdAt) - Date.parse(real.createdAt)).toBeGreaterThan((30 * DAY - 60) * 1000);
    expect(Math.abs(Date.parse(real.createdAt) - Date.now())).toBeLessThan(60_000);
    expect(Date.parse((await status()).clock.now) - Date.parse(ahead.createdAt)).toBeLessThan(60_000);
    const [event] = await service.database.sql<{ late: boolean }>(
      "SELECT max(occurred_at) > now() + interval '1 minute' AS late FROM audit_event WHERE tenant_id = $1",
      [service.acme.id],
    );
    expect(event).toEqual({ late: false });
  });

  it('never goes back, except when the sandbox is emptied', async () => {
    await advance(3600);
    expect(refused(await advance(-1))).toEqual([422, 'clock_cannot_go_back']);
    expect((await status()).clock.offsetSeconds).toBe(3600);
    await success(service.api.DELETE('/v1/sandbox/data', { headers: admin }));
    expect((await status()).clock.offsetSeconds).toBe(0);
    expect(Math.abs(Date.parse((await draft()).createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it('adds up simultaneous moves', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => advance(60)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(202));
    expect((await status()).clock.offsetSeconds).toBe(600);
  });

  it('advances at most a hundred years', async () => {
    for (let decade = 0; decade < 10; decade++) expect((await advance(315_360_000)).status).toBe(202);
    expect(refused(await advance(1))).toEqual([422, 'validation_failed', '/parameters/seconds']);
  });

  it('lets drafts of the sandbox expire at once, and leaves live ones', async () => {
    const [mine, live] = [await draft(), await draft(pinned)];
    const { body } = await advance(31 * DAY);
    expect(body.effects).toContainEqual({
      resource: { type: 'application', id: mine.id },
      change: 'status draft to expired',
    });
    expect(await application(mine.id)).toMatchObject({ status: 'expired', statusReason: 'draft_expired' });
    expect((await application(live.id)).status).toBe('draft');
    const events = (await service.acme.audit())
      .filter(({ resource_id }) => resource_id === mine.id)
      .map(({ action }) => action);
    expect(events).toEqual(['application.created', 'application.expired', 'application.status_changed']);
  });

  it('also applies to the periodic work', async () => {
    await advance(31 * DAY);
    const later = await draft();
    await service.running.runJob('applications.expire');
    expect((await application(later.id)).status).toBe('draft');
  });

  it('does as much at once as a request can carry, and leaves the rest to the periodic work', async () => {
    const { id } = await draft();
    await service.database.sql(
      `
      INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, applicant,
        expires_at, created_by)
      SELECT tenant_id, gen_random_uuid(), environment, status, level, purpose, channel, full_name, applicant,
        expires_at, created_by
      FROM application, generate_series(1, 129) WHERE id = $1`,
      [id],
    );
    expect((await advance(31 * DAY)).body.effects).toHaveLength(1 + 100);
    await service.running.runJob('applications.expire');
    expect(
      await service.database.sql(
        'SELECT status, count(*)::integer AS n FROM application WHERE tenant_id = $1 AND ' +
          "environment = 'sandbox' GROUP BY 1",
        [service.acme.id],
      ),
    ).toEqual([{ status: 'expired', n: 130 }]);
  });

  it('makes people come of age and documents expire', async () => {
    const child = `${new Date().getUTCFullYear() - 17}-01-01`;
    const {
      body: { id },
    } = await success(
      service.api.POST('/v1/applications', {
        headers: writer,
        body: {
          purpose: 'account_opening',
          level: 'basic',
          applicant: { fullName: 'Ana Lima', dateOfBirth: child, taxId: { type: 'cpf', value: '11111111111' } },
        },
      }),
    );
    const submit = () => service.request('POST', `/v1/applications/${id}/submit`, { as: writer });
    expect((await submit()).body.code).toBe('underage_applicant');
    const documentId = await newDocument(service, service.acme, id, writer);
    await service.database.sql(`UPDATE document SET expires_on = current_date + 10 WHERE id = $1`, [documentId]);
    expect((await advance(20 * DAY)).body.effects.map(({ resource }) => resource.type)).toEqual([
      'sandbox_clock',
      'document',
    ]);
    await success(
      service.api.PATCH('/v1/applications/{applicationId}', {
        params: { path: { applicationId: id } },
        headers: writer,
        body: { externalId: 'still a draft' },
      }),
    );
    await service.database.sql(`UPDATE application SET expires_at = NULL WHERE id = $1`, [id]);
    await advance(366 * DAY);
    expect((await submit()).status).toBe(202);
  });

  it('belongs to one tenant', async () => {
    await advance(3600);
    const { body } = await success(service.api.GET('/v1/sandbox', { headers: await service.other.key(['read']) }));
    expect(body.clock.offsetSeconds).toBe(0);
  });
});
