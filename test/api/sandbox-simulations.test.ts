import { beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { components } from '../../server/contract/generated/types.ts';
import { newApplication, newDocument } from '../operations/records.ts';
import { success } from '../support/api.ts';
import { useService, type Answer, type Credential, type Problem } from '../support/service.ts';

type Schemas = components['schemas'];
type Simulation = Schemas['Simulation'] & Problem;

const DAY = 86_400;
const service = await useService();
const admin = await service.acme.key(['admin']);
const writer = await service.acme.key(['write', 'read']);
const pinned = await service.acme.key(['write', 'read'], { pinEnvironment: true });
beforeEach(async () => {
  await success(service.api.DELETE('/v1/sandbox/data', { headers: admin }));
  await success(service.api.POST('/v1/sandbox/enable', { headers: admin }));
});

const simulate = (
  body: object,
  more: { as?: Credential; headers?: Record<string, string> } = {},
): Promise<Answer<Simulation>> =>
  service.request<Simulation>('POST', '/v1/sandbox/simulations', {
    as: more.as ?? admin,
    body,
    ...(more.headers && { headers: more.headers }),
  });
const advance = (seconds: number) => simulate({ type: 'advance_clock', parameters: { seconds } });
const status = async () => (await success(service.api.GET('/v1/sandbox', { headers: admin }))).body;
const application = async (id: string) =>
  (
    await success(
      service.api.GET('/v1/applications/{applicationId}', { params: { path: { applicationId: id } }, headers: writer }),
    )
  ).body;
const draft = async (as = writer) =>
  (
    await success(
      service.api.POST('/v1/applications', {
        headers: as,
        body: { purpose: 'account_opening', applicant: { fullName: 'Clara Limpa Santos' } },
      }),
    )
  ).body;
const refused = ({ status: code, body }: Answer<Simulation>) => [
  code,
  body.code,
  ...(body.errors ?? []).map(({ pointer }) => pointer),
];

describe('a simulation', () => {
  it('needs the switch to be on', async () => {
    await success(service.api.POST('/v1/sandbox/disable', { headers: admin }));
    expect(refused(await advance(60))).toEqual([403, 'sandbox_disabled']);
    expect((await status()).clock.offsetSeconds).toBe(0);
  });

  it('is recorded in the sandbox with its kind and its id', async () => {
    const {
      body: { simulationId },
    } = await advance(60);
    const events = await service.database.sql(
      `SELECT environment, resource_id FROM audit_event WHERE tenant_id = $1 AND action = $2 ORDER BY sequence DESC
        LIMIT 1`,
      [service.acme.id, 'sandbox.simulated'],
    );
    expect(events).toEqual([{ environment: 'sandbox', resource_id: simulationId }]);
  });

  it('happens once however often it is repeated with one key', async () => {
    const headers = { 'Idempotency-Key': 'an-hour' };
    const call = { type: 'advance_clock', parameters: { seconds: 3600 } };
    const first = await simulate(call, { headers });
    const second = await simulate(call, { headers });
    expect([second.status, second.headers.get('idempotent-replayed'), second.text]).toEqual([202, 'true', first.text]);
    expect((await status()).clock.offsetSeconds).toBe(3600);
  });

  it.each([
    ['another kind', { type: 'latency' }, '/type'],
    [
      'a target it has no use for',
      { type: 'advance_clock', target: { type: 'application', id: uuidv7() }, parameters: { seconds: 1 } },
      '/target/type',
    ],
    [
      'a target of another kind',
      { type: 'document_expiry', target: { type: 'funds_recovery', id: uuidv7() } },
      '/target/type',
    ],
    ['no target', { type: 'document_expiry' }, '/target'],
    [
      'a parameter of another kind',
      { type: 'document_expiry', target: { type: 'document', id: uuidv7() }, parameters: { seconds: 1 } },
      '/parameters/seconds',
    ],
    ['no time', { type: 'advance_clock' }, '/parameters/seconds'],
    ['no time at all', { type: 'advance_clock', parameters: { seconds: 0 } }, '/parameters/seconds'],
    [
      'an event that is no name',
      { type: 'funds_recovery_event', parameters: { eventType: 'a b' } },
      '/parameters/eventType',
    ],
  ])('refuses %s', async (_, body, pointer) => {
    expect(refused(await simulate(body))).toEqual([422, 'validation_failed', pointer]);
  });

  it('names superfluous members of its type together with breaches of the schema, and nothing twice', async () => {
    expect(
      refused(
        await simulate({
          type: 'advance_clock',
          target: { type: 'document', id: 'none' },
          parameters: { eventType: 'A', seconds: 'one' },
        }),
      )
        .map(String)
        .toSorted(),
    ).toEqual([
      '/parameters/eventType',
      '/parameters/seconds',
      '/target/id',
      '/target/type',
      '422',
      'validation_failed',
    ]);
    expect(
      refused(await simulate({ target: { type: 'document', id: 'none' }, parameters: [] }))
        .map(String)
        .toSorted(),
    ).toEqual(['/parameters', '/target/id', '/type', '422', 'validation_failed']);
  });
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

describe('the expiry of a document', () => {
  const withDocument = async (as = writer) => {
    const applicationId = await newApplication(service, service.acme, as);
    return { applicationId, documentId: await newDocument(service, service.acme, applicationId, as) };
  };
  const expire = (type: string, id: string, as?: Credential) =>
    simulate({ type: 'document_expiry', target: { type, id } }, as && { as });
  const dayOf = (time: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(Date.parse(time) - DAY * 1000);

  it.each(['document', 'application'])(
    'of the %s was yesterday by the clock of the sandbox, and its requirement fails',
    async (type) => {
      const { applicationId, documentId } = await withDocument();
      await success(
        service.api.PATCH('/v1/applications/{applicationId}', {
          params: { path: { applicationId } },
          headers: writer,
          body: { level: 'enhanced' },
        }),
      );
      await advance(3 * DAY);
      const before = await application(applicationId);
      const { status: code, body } = await expire(type, type === 'document' ? documentId : applicationId);
      const after = await application(applicationId);
      const yesterday = dayOf((await status()).clock.now);
      expect(code).toBe(202);
      expect(body.effects[0]).toEqual({
        resource: { type: 'document', id: documentId },
        change: `expiresOn ${before.documents?.[0]?.expiresOn ?? 'null'} to ${yesterday}`,
      });
      expect(after.documents?.map(({ expiresOn }) => expiresOn)).toEqual([yesterday]);
      const changed = after.requirements.items.filter(
        (item, index) => item.status !== before.requirements.items[index]?.status,
      );
      expect(changed.map(({ status: now, reasonCode }) => [now, reasonCode])).toEqual([['failed', 'document_expired']]);
      expect(body.effects.slice(1)).toEqual(
        changed.map(({ key }) => ({
          resource: { type: 'application', id: applicationId },
          change: `requirement ${key}: failed, document_expired`,
        })),
      );
    },
  );

  it('that has expired already changes nothing', async () => {
    const { documentId } = await withDocument();
    await expire('document', documentId);
    expect((await expire('document', documentId)).body.effects).toEqual([]);
  });

  it('is refused for a live record, which stays as it is', async () => {
    const { applicationId, documentId } = await withDocument(pinned);
    const before = await application(applicationId);
    expect(refused(await expire('application', applicationId))).toEqual([422, 'target_is_live']);
    expect(refused(await expire('document', documentId))).toEqual([422, 'target_is_live']);
    expect(await application(applicationId)).toEqual(before);
  });

  it('finds nothing by an unknown id, by the id of the other kind, and by one of another tenant', async () => {
    const { applicationId, documentId } = await withDocument();
    await success(service.api.POST('/v1/sandbox/enable', { headers: await service.other.key(['admin']) }));
    const foreign = await newApplication(service, service.other, await service.other.key(['write']));
    for (const [type, id] of [
      ['document', uuidv7()],
      ['document', applicationId],
      ['application', documentId],
      ['application', foreign],
    ] as const) {
      expect(refused(await expire(type, id))).toEqual([404, 'not_found']);
    }
  });

  it('does not reveal to a test key that a record is live', async () => {
    const { applicationId } = await withDocument(pinned);
    expect(
      refused(await expire('application', applicationId, await service.acme.key(['admin'], { environment: 'test' }))),
    ).toEqual([404, 'not_found']);
  });

  it('does not let a pinned live key act in the sandbox', async () => {
    const { applicationId } = await withDocument();
    expect(
      refused(await expire('application', applicationId, await service.acme.key(['admin'], { pinEnvironment: true }))),
    ).toEqual([403, 'key_pinned_to_live']);
  });
});

describe('an event of a funds recovery', () => {
  const publish = (id?: string, eventType?: string, as?: Credential) =>
    simulate(
      {
        type: 'funds_recovery_event',
        ...(id && { target: { type: 'funds_recovery', id } }),
        ...(eventType && { parameters: { eventType } }),
      },
      as && { as },
    );
  const recoveryOf = ({ body }: Answer<Simulation>): string => body.effects[0]?.resource.id ?? '';
  const feed = async () =>
    (await success(service.api.GET('/api/v1/funds-recovery/events', { headers: await service.acme.client(['read']) })))
      .body.events;

  it('starts a new recovery, which then takes its usual course to its end', async () => {
    const id = recoveryOf(await publish());
    const changes = [];
    for (let step = 0; step < 5; step++) changes.push((await publish(id)).body.effects[0]?.change);
    expect(changes.at(-1)).toBe('FUNDS_RECOVERY_COMPLETED, status COMPLETED');
    expect(
      (await feed()).map(({ eventType, status: at, fundsRecoveryId }) => [eventType, at, fundsRecoveryId]),
    ).toEqual(
      ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED'].map((name) => [
        `FUNDS_RECOVERY_${name}`,
        name,
        id,
      ]),
    );
    expect(refused(await publish(id))).toEqual([422, 'validation_failed', '/target/id']);
    expect((await publish(id, 'FUNDS_RECOVERY_INFORMATION_UPDATED')).body.effects[0]?.change).toBe(
      'FUNDS_RECOVERY_INFORMATION_UPDATED, status COMPLETED',
    );
  });

  it('can be named, including an unknown name, which does not change the status', async () => {
    const id = recoveryOf(await publish(undefined, 'FUNDS_RECOVERY_ANALYSED'));
    await publish(id, 'SOMETHING_NEW');
    await publish(id, 'FUNDS_RECOVERY_CANCELLED');
    expect((await feed()).map(({ status: at }) => at)).toEqual(['ANALYSED', 'ANALYSED', 'CANCELLED']);
    expect(refused(await publish(id))).toEqual([422, 'validation_failed', '/target/id']);
  });

  it('carries the time of the sandbox', async () => {
    await advance(10 * DAY);
    await publish();
    expect(Date.parse((await feed())[0]?.timestamp ?? '')).toBeGreaterThan(Date.now() + 9 * DAY * 1000);
  });

  it('follows the one before, also if both are requested at once', async () => {
    const id = recoveryOf(await publish());
    await Promise.all([publish(id), publish(id), publish(id)]);
    expect((await feed()).map(({ status: at }) => at)).toEqual(['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED']);
  });

  it('is refused for a live recovery, an unknown one and one of another tenant', async () => {
    const id = uuidv7();
    await service.database.sql(
      `INSERT INTO fr_recovery (tenant_id, env, funds_recovery_id, status, phase_began_at)
        VALUES ($1, 'live', $2, 'CREATED', now())`,
      [service.acme.id, id],
    );
    expect(refused(await publish(id))).toEqual([422, 'target_is_live']);
    expect(refused(await publish(id, undefined, await service.acme.key(['admin'], { environment: 'test' })))).toEqual([
      404,
      'not_found',
    ]);
    expect(refused(await publish(id, undefined, await service.acme.key(['admin'], { pinEnvironment: true })))).toEqual([
      403,
      'key_pinned_to_live',
    ]);
    expect(refused(await publish(uuidv7()))).toEqual([404, 'not_found']);
    await success(service.api.POST('/v1/sandbox/enable', { headers: await service.other.key(['admin']) }));
    expect(refused(await publish(recoveryOf(await publish()), undefined, await service.other.key(['admin'])))).toEqual([
      404,
      'not_found',
    ]);
  });
});

describe('simulations that race', () => {
  it('with a reset leave neither a clock that is ahead nor a record', async () => {
    for (let round = 0; round < 5; round++) {
      const applicationId = await newApplication(service, service.acme, writer);
      await newDocument(service, service.acme, applicationId, writer);
      const [expiry, reset, event] = await Promise.all([
        simulate({ type: 'document_expiry', target: { type: 'application', id: applicationId } }),
        service.request('DELETE', '/v1/sandbox/data', { as: admin }),
        simulate({ type: 'funds_recovery_event' }),
      ]);
      expect([202, 404]).toContain(expiry.status);
      expect([reset.status, event.status]).toEqual([200, 202]);
    }
    await Promise.all([advance(60), service.request('DELETE', '/v1/sandbox/data', { as: admin })]);
    expect([0, 60]).toContain((await status()).clock.offsetSeconds);
  });
});
