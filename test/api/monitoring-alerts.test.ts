/** API tests of dealing with alerts. */
import { describe, expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { each } from '../support/each.ts';
import { shared } from '../support/service.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';

const world = await shared(startMonitoringWorld());
const analyst = await world.sandboxed.user('analyst');

const listed = async (): Promise<{ id: string; alert: string }> => {
  const id = await world.approve({ ...CLEAN, fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' });
  const [alert] = await world.alerts(`applicationId=${id}`);
  return { id, alert: alert!.id };
};

describe('an alert', () => {
  it('is acknowledged, handed on and resolved, and then closed', async () => {
    const { alert } = await listed();
    expect((await world.triage(alert, { outcome: 'acknowledge' }, analyst)).body).toMatchObject({
      status: 'acknowledged',
      triage: {
        outcome: 'acknowledge',
        reasonCode: 'other',
        note: 'Looked at with care.',
        by: { type: 'user' },
      },
    });
    expect((await world.triage(alert, { outcome: 'resolve' })).body.errors).toEqual([
      expect.objectContaining({ pointer: '/outcome', code: 'not_possible' }),
    ]);
    expect((await world.triage(alert, { outcome: 'escalate' })).body.status).toBe('escalated');
    expect((await world.triage(alert, { outcome: 'dismiss' })).status).toBe(422);
    expect((await world.triage(alert, { outcome: 'resolve' })).body.status).toBe('resolved');
    for (const outcome of ['acknowledge', 'dismiss', 'escalate', 'resolve'])
      expect(refused(await world.triage(alert, { outcome }))).toEqual([409, 'alert_closed']);
  });

  it('that is critical cannot be dismissed', async () => {
    const { alert } = await listed();
    expect(refused(await world.triage(alert, { outcome: 'dismiss' }))).toEqual([
      422,
      'critical_cannot_be_dismissed_alone',
    ]);
    expect((await world.alerts()).find(({ id }) => id === alert)!.status).toBe('open');
  });

  it('of the sandbox is not triaged while the sandbox is off', async () => {
    const { alert } = await listed();
    const admin = await world.sandboxed.key(['admin']);
    expect((await world.request('POST', '/v1/sandbox/disable', { as: admin })).status).toBe(200);
    try {
      for (const outcome of each(['acknowledge', 'escalate']))
        expect(refused(await world.triage(alert, { outcome }, analyst))).toEqual([403, 'sandbox_disabled']);
    } finally {
      await world.request('POST', '/v1/sandbox/enable', { as: admin });
    }
    expect((await world.triage(alert, { outcome: 'acknowledge' }, analyst)).status).toBe(200);
  });

  it('shows a note to readers who see people, and stores it sealed', async () => {
    const { id, alert } = await listed();
    await world.triage(alert, { outcome: 'acknowledge', note: 'Cleaning lady of the consulate.' });
    const masked = await world.sandboxed.key(['read'], { environment: 'test', personalData: 'masked' });
    expect((await world.alerts(`applicationId=${id}`, masked))[0]!.triage!.note).toBe('***');
    expect(
      (
        await world.database.sql<{ row: string }>('SELECT a::text AS row FROM monitoring_alert a WHERE id = $1', [
          alert,
        ])
      )[0]!.row,
    ).not.toContain('consulate');
  });

  it.each([
    [{ note: 'Too short' }, ['/note']],
    [{ outcome: 'forget' }, ['/outcome']],
    [{ reasonCode: 'because' }, ['/reasonCode']],
    [{ reasonCode: 'no_longer_relevant' }, ['/reasonCode']],
    [{ note: 'A note \u202e that turns round' }, ['/note']],
  ])('is not dealt with by %j, which names %j', async (body, pointers) => {
    const { alert } = await listed();
    const answer = await world.triage(alert, { outcome: 'acknowledge', ...body });
    expect([answer.status, answer.body.errors?.map(({ pointer }) => pointer)]).toEqual([422, pointers]);
  });

  it('is found by state, severity, kind and whether it is late', async () => {
    const { id, alert } = await listed();
    const found = async (query: string): Promise<boolean> =>
      (await world.alerts(`applicationId=${id}&${query}`)).some((one) => one.id === alert);
    expect(
      await Promise.all(
        ['status=open', 'severity=critical', 'kind=sanctions', 'slaBreached=false', 'sort=firstSeenAt'].map(found),
      ),
    ).toEqual([true, true, true, true, true]);
    expect(await Promise.all(['status=resolved', 'severity=low', 'kind=pep', 'slaBreached=true'].map(found))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    await world.database.sql(`UPDATE monitoring_alert SET sla_due_at = now() - interval '1 minute' WHERE id = $1`, [
      alert,
    ]);
    expect(await found('slaBreached=true')).toBe(true);
  });

  it('warns of a document 60, 30 and 7 days before it ends and when it has ended, and of a review when it is near', async () => {
    const tenant = await world.tenant();
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      tenant.id,
    ]);
    const id = await world.approve(CLEAN, tenant);
    const as = await tenant.key(['read'], { environment: 'test' });
    const dates = async () =>
      (await world.alerts(`applicationId=${id}&sort=firstSeenAt`, as)).map(({ kind, severity, dueOn, documentId }) => [
        kind,
        severity,
        dueOn,
        documentId !== null,
      ]);
    await world.database.sql(
      `INSERT INTO document (tenant_id, id, application_id, environment, type, side, file_name, mime_type, size_bytes,
        sha256, storage_key, created_by, status, expires_on)
      VALUES ($1, gen_random_uuid(), $2, 'sandbox', 'passport', 'single', 'a.pdf', 'application/pdf', 1,
        repeat('0', 64), 'k', '{}', 'uploaded', (now() AT TIME ZONE 'America/Sao_Paulo')::date + 45),
        ($1, gen_random_uuid(), $2, 'sandbox', 'selfie', 'single', 'b.pdf', 'application/pdf', 1, repeat('1', 64), 'l',
          '{}', 'rejected', (now() AT TIME ZONE 'America/Sao_Paulo')::date + 45)`,
      [tenant.id, id],
    );
    const [{ on } = { on: '' }] = await world.database.sql<{ on: string }>(
      `SELECT ((now() AT TIME ZONE 'America/Sao_Paulo')::date + 45)::text AS on`,
    );
    await world.database.sql(`UPDATE application SET review_due_at = now() + interval '2 years' WHERE id = $1`, [id]);
    await world.running.runJob('monitoring.due');
    await world.running.runJob('monitoring.due');
    expect(await dates()).toEqual([['document_expiry', 'info', on, true]]);
    for (const days of [20, 20, 6]) {
      const answer = await world.request<{ effects: { resource: { type: string }; change: string }[] }>(
        'POST',
        '/v1/sandbox/simulations',
        {
          as: await tenant.key(['admin'], { environment: 'test' }),
          body: { type: 'advance_clock', parameters: { seconds: days * 86_400 } },
        },
      );
      expect(
        answer.body.effects.filter(({ resource }) => resource.type === 'monitoring_alert').map(({ change }) => change),
      ).toEqual([`raised: document_expiry on ${on}`]);
    }
    expect((await dates()).map(([, severity]) => severity)).toEqual(['info', 'low', 'medium', 'high']);
    await world.database.sql(`UPDATE application SET review_due_at = now() + interval '60 days' WHERE id = $1`, [id]);
    await world.running.runJob('monitoring.due');
    expect((await dates()).at(-1)!.slice(0, 2)).toEqual(['risk_review', 'low']);
    for (const status of ['superseded', 'rejected']) {
      await world.database.sql('UPDATE document SET status = $2 WHERE application_id = $1', [id, status]);
      await world.database.sql(`UPDATE monitoring_alert SET status = 'open' WHERE application_id = $1`, [id]);
      await world.running.runJob('monitoring.due');
      expect((await world.alerts(`applicationId=${id}&kind=document_expiry`, as)).map((alert) => alert.status)).toEqual(
        ['resolved', 'resolved', 'resolved', 'resolved'],
      );
    }
  });
});
