/** API tests that a change at one replica applies to the next call at another: switch, clock, status of a tenant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { refusal, refused, success } from '../support/api.ts';
import { startTestService, type Credential, type Replica, type TestService } from '../support/service.ts';
import { hearsNothing, CHANGES } from './two-replicas-changes.ts';

let service: TestService;

/** Replica that receives the announcements. */
let replica: Replica;

/**
 * Replica that receives nothing and believes that it is up to date, as in the moment between a change and its message.
 */
let late: Replica;

beforeAll(async () => {
  service = await startTestService();
  [replica, late] = await Promise.all([service.replica(), service.replica({ through: hearsNothing })]);
});

afterAll(async () => {
  await Promise.all([replica.stop(), late.stop()]);
  await service.stop();
});

const create = ({ api }: Replica, as: Credential, headers: Credential = {}) =>
  api.POST('/v1/applications', {
    headers: { ...as, ...headers },
    body: { purpose: 'account_opening', applicant: { fullName: 'Ana Souza' } },
  });

const switchSandbox = (as: Credential, way: 'enable' | 'disable') =>
  success(service.api.POST(`/v1/sandbox/${way}`, { headers: as }));

describe('a switch that was turned at one replica', () => {
  it('decides the environment of the next call at every other, whatever that one has cached', async () => {
    const tenant = await service.tenant();
    const [admin, writer] = [await tenant.key(['admin']), await tenant.key(['write', 'read'])];
    for (const [way, environment] of [
      ['enable', 'sandbox'],
      ['disable', 'live'],
      ['enable', 'sandbox'],
      ['disable', 'live'],
    ] as const) {
      await switchSandbox(admin, way);
      for (const one of [replica, late]) {
        const made = await success(create(one, writer));
        expect([made.body.environment, made.headers.get('x-environment')]).toEqual([environment, environment]);
        const list = await success(one.api.GET('/v1/applications', { headers: writer }));
        expect(list.headers.get('x-environment')).toBe(environment);
      }
    }
  });

  it('opens and closes the records of the sandbox there', async () => {
    const tenant = await service.tenant();
    const [admin, writer] = [await tenant.key(['admin']), await tenant.key(['write', 'read'])];
    await switchSandbox(admin, 'enable');
    const id = await newApplication(service, tenant, writer);
    const change = () =>
      late.request('PATCH', `/v1/applications/${id}`, {
        as: writer,
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: JSON.stringify({ purpose: 'other' }),
      });
    expect((await change()).status).toBe(200);
    await switchSandbox(admin, 'disable');
    const closed = await change();
    expect([closed.status, closed.body.code]).toEqual([403, 'sandbox_disabled']);
    await switchSandbox(admin, 'enable');
    expect((await change()).status).toBe(200);
  });

  it('leaves one record, one answer and one event of a call that it caused to run again', async () => {
    const tenant = await service.tenant();
    const [admin, writer] = [await tenant.key(['admin']), await tenant.key(['write', 'read'])];
    const headers = { 'Idempotency-Key': 'over-the-switch' };
    await success(late.api.GET('/v1/applications', { headers: writer }));
    await switchSandbox(admin, 'enable');
    const [first, again] = [
      await success(create(late, writer, headers)),
      await success(create(replica, writer, headers)),
    ];
    expect([first.body.environment, again.headers.get('idempotent-replayed'), again.text]).toEqual([
      'sandbox',
      'true',
      first.text,
    ]);
    expect((await tenant.audit()).filter(({ action }) => action === 'application.created')).toHaveLength(1);
  });

  it('turned all the time, still lets every call happen once and in one environment', async () => {
    const tenant = await service.tenant();
    const [admin, writer] = [await tenant.key(['admin']), await tenant.key(['write', 'read'])];
    let turning = true;
    const turner = (async () => {
      for (let count = 0; turning; count += 1) await switchSandbox(admin, count % 2 === 0 ? 'enable' : 'disable');
    })();
    const made = (
      await Promise.all(Array.from({ length: 12 }, (_, index) => create(index % 2 === 0 ? late : replica, writer)))
    ).flatMap(({ data, response }) => (data === undefined ? [] : [{ body: data, headers: response.headers }]));
    turning = false;
    await turner;
    expect(made.length).toBeGreaterThan(0);
    const rows = await service.database.sql<{ id: string; environment: string }>(
      'SELECT id, environment FROM application WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(new Map(rows.map(({ id, environment }) => [id, environment]))).toEqual(
      new Map(made.map(({ body }) => [body.id, body.environment])),
    );
    expect(made.every(({ body, headers }) => headers.get('x-environment') === body.environment)).toBe(true);
  });
});

describe('the clock of a sandbox that was advanced at one replica', () => {
  it('applies to the next call at every other', async () => {
    const tenant = await service.tenant();
    const [admin, writer] = [await tenant.key(['admin']), await tenant.key(['write', 'read'])];
    await switchSandbox(admin, 'enable');
    for (const one of [replica, late]) {
      const before = await success(create(one, writer));
      await success(
        service.api.POST('/v1/sandbox/simulations', {
          headers: admin,
          body: { type: 'advance_clock', parameters: { seconds: 86_400 } },
        }),
      );
      const after = await success(create(one, writer));
      expect(Date.parse(after.body.createdAt) - Date.parse(before.body.createdAt)).toBeGreaterThanOrEqual(86_400_000);
    }
  });
});

describe('a tenant that was suspended or went live at one replica', () => {
  it('does nothing more at any other', async () => {
    const tenant = await service.tenant();
    const writer = await tenant.key(['write', 'read']);
    await success(late.api.GET('/v1/applications', { headers: writer }));
    await service.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [tenant.id]);
    expect(refused(await refusal(create(late, writer)))).toEqual([403, 'tenant_suspended']);
    expect(await service.database.sql('SELECT id FROM application WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    expect((await tenant.audit()).at(-1)).toMatchObject({
      action: 'access.denied',
      outcome: 'denied',
      reason: 'tenant_suspended',
    });
  });

  it('works in production from its next call on', async () => {
    const tenant = await service.tenant();
    const writer = await tenant.key(['write', 'read']);
    await service.database.sql(`UPDATE tenant SET status = 'onboarding', sandbox_enabled = true WHERE id = $1`, [
      tenant.id,
    ]);
    expect((await success(create(late, writer))).body.environment).toBe('sandbox');
    await service.database.sql(`UPDATE tenant SET status = 'active', sandbox_enabled = false WHERE id = $1`, [
      tenant.id,
    ]);
    expect((await success(create(late, writer))).body.environment).toBe('live');
  });
});

describe('announcements of the tables', () => {
  it('contain ids and nothing else', async () => {
    const messages: string[] = [];
    let opened = false;
    const listener = service.database.database.listen({
      onChange: (message) => void messages.push(message),
      onGap: () => void (opened = true),
    });
    try {
      await expect.poll(() => opened && listener.isCurrent()).toBe(true);
      for (const [, credential, change] of CHANGES) {
        const tenant = await service.tenant();
        await credential(tenant);
        await service.database.sql(change, [tenant.id]);
      }
      await expect
        .poll(() => new Set(messages.map((message) => message.split(' ')[0])))
        .toEqual(new Set(['key', 'session', 'tenant', 'user']));
      for (const message of messages)
        expect(message).toMatch(/^(key kyc_\w+|(tenant|user) [0-9a-f-]{36}|session [0-9a-f-]{36} [0-9a-f-]{36})$/);
    } finally {
      await listener.stop();
    }
  });

  it('omit the uses of keys and sessions, which no replica caches and which happen all the time', async () => {
    const tenant = await service.tenant();
    const { as, sessionId } = await tenant.person('owner');
    const key = await tenant.key(['read']);
    const messages: string[] = [];
    let opened = false;
    const listener = service.database.database.listen({
      onChange: (message) => void messages.push(message),
      onGap: () => void (opened = true),
    });
    try {
      await expect.poll(() => opened && listener.isCurrent()).toBe(true);
      await success(replica.api.GET('/v1/applications', { headers: as }));
      await success(replica.api.GET('/v1/applications', { headers: key }));
      await replica.running.recordKeyUses();
      await service.database.sql('UPDATE session SET last_seen_at = now(), step_up_at = now() WHERE id = $1', [
        sessionId,
      ]);
      await service.database.sql('UPDATE tenant SET name = $2 WHERE id = $1', [tenant.id, 'The last message']);
      await expect.poll(() => messages).toContain(`tenant ${tenant.id}`);
      expect(messages.filter((message) => message !== `tenant ${tenant.id}`)).toEqual([]);
    } finally {
      await listener.stop();
    }
  });
});
