/** API tests of simulated updates of a list that are refused. */
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newApplication } from '../operations/application-records.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { type Refused, startMonitoringWorld } from './monitoring-world.ts';

type Simulation = components['schemas']['Simulation'] & Refused;
const world = await shared(startMonitoringWorld());
const { sandboxed } = world;
const admin = await sandboxed.key(['admin'], { environment: 'test' });

const simulate = (applicationId: string, listId?: string, as: Credential = admin): Promise<Answer<Simulation>> =>
  world.request('POST', '/v1/sandbox/simulations', {
    as,
    body: {
      type: 'list_update_hit',
      target: { type: 'application', id: applicationId },
      ...(listId !== undefined && { parameters: { listId } }),
    },
  });

const refused = ({ status, body }: Answer<Refused>) => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
];

describe('a simulated update of a list', () => {
  it('needs a record that the caller can see, and never a live one', async () => {
    expect(refused(await simulate(uuidv7()))).toEqual([404, 'not_found']);
    expect(refused(await simulate(await newApplication(world, world.acme)))).toEqual([404, 'not_found']);
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      world.other.id,
    ]);
    const live = await newApplication(world, world.other, await world.other.key(['write'], { pinEnvironment: true }));
    expect(refused(await simulate(live, undefined, await world.other.key(['admin'])))).toEqual([422, 'target_is_live']);
    expect(refused(await simulate(live, undefined, await world.other.key(['admin'], { environment: 'test' })))).toEqual(
      [404, 'not_found'],
    );
  });

  it('needs a person who is approved and monitored', async () => {
    expect(refused(await simulate(await newApplication(world, sandboxed)))).toEqual([
      422,
      'validation_failed',
      '/target/id not_monitored',
    ]);
    const id = await world.approve();
    const subscription = await world.subscriptionOf(id);
    await world.change(subscription.id, { checks: ['document_expiry'] });
    expect(refused(await simulate(id))).toEqual([422, 'validation_failed', '/target/id not_monitored']);
    await world.change(subscription.id, { checks: ['pep'] });
    const answer = await simulate(id);
    expect(answer.body.effects.map(({ resource }) => resource.type)).toEqual([
      'application',
      'screening',
      'screening_hit',
    ]);
    await world.change(subscription.id, {
      status: 'paused',
      pauseReason: 'other',
      pauseUntil: new Date(world.running.services.clock().getTime() + 86_400_000).toISOString(),
    });
    expect(refused(await simulate(id))).toEqual([422, 'validation_failed', '/target/id not_monitored']);
  });

  it.each(['eu-fsf', 'nobody-knows'])('needs a list that the settings screen against, unlike %s', async (listId) => {
    expect(refused(await simulate(await world.approve(), listId))).toEqual([
      422,
      'validation_failed',
      '/parameters/listId not_screened',
    ]);
  });

  it.each([
    [{ type: 'list_update_hit' }, '/target required'],
    [{ type: 'list_update_hit', target: { type: 'document', id: uuidv7() } }, '/target/type not_allowed'],
    [
      { type: 'list_update_hit', target: { type: 'application', id: uuidv7() }, parameters: { seconds: 1 } },
      '/parameters/seconds not_allowed',
    ],
    [{ type: 'advance_clock', parameters: { seconds: 1, listId: 'un-csnu' } }, '/parameters/listId not_allowed'],
  ])('is refused if %j contradicts it', async (body, fault) => {
    expect(refused(await world.request('POST', '/v1/sandbox/simulations', { as: admin, body }))).toEqual([
      422,
      'validation_failed',
      fault,
    ]);
  });

  it('needs the sandbox to be on', async () => {
    const off = await world.tenant();
    expect(refused(await simulate(uuidv7(), undefined, await off.key(['admin'])))).toEqual([403, 'sandbox_disabled']);
  });
});
