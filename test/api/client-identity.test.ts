/**
 * API tests that a client stays the same when its key is rotated, and by key and by token: feed, idempotency, quotas,
 * log.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal, requestToken, success } from '../support/api.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import type { Credential, Tenant } from '../support/service.ts';
import { idsOf, PATH, useFeed } from './funds-recovery-world.ts';
import type { Issued, Schemas } from './api-keys-world.ts';

let tenant: Tenant;
let owner: Credential;
const world = await useFeed();
beforeEach(async () => {
  tenant = await world.service.tenant();
  owner = (await tenant.person('owner')).as;
});

const { api } = world.service;
const look = (headers: Credential) => api.GET('/v1/sandbox', { headers });
const create = async (members: Partial<Schemas['ApiKeyCreate']> = {}, as = owner) =>
  (
    await success(
      api.POST('/v1/settings/api-keys', {
        headers: as,
        body: {
          name: 'Reader',
          environment: 'live',
          scopes: ['read', 'write'],
          ...members,
        },
      }),
    )
  ).body;
const rotate = async ({ apiKey: { prefix } }: Issued, as = owner) =>
  (
    await success(
      api.POST('/v1/settings/api-keys/{prefix}/rotate', {
        params: { path: { prefix } },
        headers: as,
        body: { graceHours: 1 },
      }),
    )
  ).body;
const keyOf = ({ secret }: Issued): Credential => ({ 'X-API-Key': secret });
const tokenOf = async ({ secret }: Issued): Promise<Credential> => {
  const { body } = await success(requestToken(world.service.api, secret));
  return { Authorization: `Bearer ${body.access_token}` };
};
const open = (as: Credential, idempotencyKey: string) =>
  success(
    api.POST('/v1/applications', {
      headers: { ...as, 'Idempotency-Key': idempotencyKey },
      body: { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } },
    }),
  );

describe('a client stays the same when its key is rotated, and by key and by token', () => {
  it('in the feed: a cursor of the old key is valid for the new one, before and after the overlap, and the position continues', async () => {
    await world.publish(recoveryEvents(4), 'live', tenant);
    const old = await create();
    const first = await world.page(await tokenOf(old), { limit: 1 });
    const successor = await rotate(old);
    const second = await world.page(await tokenOf(successor), { limit: 1, cursor: first.body.cursor! });
    expect(second.status).toBe(200);
    expect(idsOf(second)).not.toEqual(idsOf(first));
    // The old key still works and is the same consumer.
    const third = await world.page(await tokenOf(old), { limit: 1, cursor: second.body.cursor! });
    expect(third.status).toBe(200);
    world.service.advance(3_600_001);
    const last = await rotate(successor);
    const position = await success(api.GET(`${PATH}/position`, { headers: await tokenOf(last) }));
    expect(position.body).toMatchObject({ acknowledgedEventId: idsOf(second)[0], pendingCount: 2 });
    expect((await world.page(await tokenOf(last), { limit: 1 })).body.events[0]?.eventId).toEqual(idsOf(third)[0]);
  });

  it('for idempotency keys: an answer to one is repeated to the other, and the call is done once', async () => {
    const old = await create();
    const [key, first] = [randomUUID(), randomUUID()];
    const created = await open(keyOf(old), first);
    expect(created.status).toBe(201);
    const successor = await rotate(old);
    for (const as of [keyOf(old), await tokenOf(old), keyOf(successor), await tokenOf(successor)]) {
      const repeated = await open(as, first);
      expect([repeated.status, repeated.headers.get('idempotent-replayed'), repeated.body.id]).toEqual([
        201,
        'true',
        created.body.id,
      ]);
    }
    const byToken = await open(await tokenOf(successor), key);
    expect((await open(keyOf(old), key)).body.id).toBe(byToken.body.id);
    expect((await open(keyOf(await create()), key)).body.id).not.toBe(byToken.body.id);
  });

  it('for quotas: a token and a successor use up the same', async () => {
    const remaining = async (as: Credential) =>
      Number(/"default";r=(\d+)/.exec((await look(as)).response.headers.get('ratelimit') ?? '')?.[1]);
    const old = await create();
    const before = await remaining(keyOf(old));
    const successor = await rotate(old);
    expect([
      await remaining(await tokenOf(old)),
      await remaining(keyOf(successor)),
      await remaining(keyOf(await create())),
    ]).toEqual([before - 1, before - 2, before]);
    // A key that another key creates uses the quota of its creator.
    const maker = await create({ scopes: ['admin'] });
    const own = await remaining(keyOf(maker));
    const child = await create({}, keyOf(maker));
    expect(await remaining(keyOf(child))).toBe(own - 2);
  });

  it('by the id that keys and audit events show beside the key itself', async () => {
    const old = await create();
    const successor = await rotate(old);
    expect([old.apiKey.clientId, successor.apiKey.clientId]).toEqual([old.apiKey.prefix, old.apiKey.prefix]);
    await open(await tokenOf(successor), randomUUID());
    const [event] = await world.service.database.sql(
      `SELECT actor FROM audit_event WHERE tenant_id = $1 AND action = 'application.created'`,
      [tenant.id],
    );
    expect(event).toEqual({
      actor: {
        type: 'oauth_client',
        id: successor.apiKey.prefix,
        display: 'Reader',
        impersonatorId: null,
        clientId: old.apiKey.prefix,
      },
    });
    expect((await success(api.POST('/v1/audit/verify', { headers: owner, body: {} }))).body).toMatchObject({
      valid: true,
    });
  });

  it('but ends key by key', async () => {
    const old = await create();
    const successor = await rotate(old);
    await success(
      api.DELETE('/v1/settings/api-keys/{prefix}', { params: { path: { prefix: old.apiKey.prefix } }, headers: owner }),
    );
    expect((await refusal(look(keyOf(old)))).status).toBe(401);
    await success(look(keyOf(successor)));
  });

  it('and is expected at addresses that were seen before: a successor from there is not reported', async () => {
    const old = await create();
    await success(look(keyOf(old)));
    await world.service.running.recordKeyUses();
    const successor = await rotate(old);
    const sites = await world.service.database.sql(
      `SELECT site FROM api_key_site s JOIN api_key k ON k.tenant_id = s.tenant_id AND k.id = s.key_id
        WHERE k.prefix = $1`,
      [successor.apiKey.prefix],
    );
    expect(sites).toHaveLength(1);
  });
});
