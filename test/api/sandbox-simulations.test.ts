/** API tests of simulations in general, and of events of a recovery. */
import { beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import { type Answer, type Credential } from '../support/service.ts';
import { type Simulation, DAY, refused, startSandboxSimulationsWorld } from './sandbox-simulations-world.ts';

const { service, admin, writer, simulate, advance, status } = await startSandboxSimulationsWorld();
beforeEach(async () => {
  await success(service.api.DELETE('/v1/sandbox/data', { headers: admin }));
  await success(service.api.POST('/v1/sandbox/enable', { headers: admin }));
});

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
