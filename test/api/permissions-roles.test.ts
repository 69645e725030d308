/**
 * Test of every operation with every role: closed to roles that the contract does not name. Every refusal is recorded.
 */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { refusal } from '../support/api.ts';
import { callExample, exampleCall, expectDocumented, send, validCall } from '../support/calls.ts';
import { everyOperation, operation, ROLES } from '../support/contract.ts';
import { covering } from '../support/covering.ts';
import { personOf, schemesOf } from '../support/credentials.ts';
import { accessCheck } from '../support/access-check.ts';
import { each } from '../support/each.ts';
import { useService } from '../support/service.ts';

const service = await useService();

/** Operations for people. Signing out comes last, because it ends the users of these tests. */
const forPeople = everyOperation
  .filter((operation) => schemesOf(operation).includes('bearerAuth'))
  .sort((a, b) => Number(a.operationId === 'logout') - Number(b.operationId === 'logout'));

const checkAccess = accessCheck(service);

describe('a person', () => {
  const refusalByHttp = covering('pairs of a role and an operation that the contract does not give it were refused');
  const entryByHttp = covering('pairs of a role and an operation that the contract gives it were let in');

  it.each(
    forPeople.flatMap((operation) =>
      ROLES.filter((role) => !operation.roles.includes(role)).map((role) => ({
        name: operation.operationId,
        role,
        operation,
      })),
    ),
  )('with the role $role is refused $name', async ({ role, operation }) => {
    const as = await personOf(service.acme, operation, role);
    // A sealed operation does not exist for others.
    const refusal = operation.sealed.length > 0 ? [404, 'not_found'] : [403, 'role_forbidden'];
    const found = await checkAccess(operation, as);
    expect([found?.status, found?.code]).toEqual(refusal);
    if (!refusalByHttp({ [operation.operationId]: 1, [role]: 10 })) return;
    const answer = await callExample(service, operation, { as });
    expect([answer.status, answer.body.code]).toEqual(refusal);
    expectDocumented(operation, answer);
  });

  it.each(
    forPeople.flatMap((operation) =>
      ROLES.filter((role) => operation.roles.includes(role)).map((role) => ({
        name: operation.operationId,
        role,
        operation,
      })),
    ),
  )('with the role $role is admitted to $name', async ({ role, operation }) => {
    const as = await personOf(service.acme, operation, role);
    expect(await checkAccess(operation, as)).toBeNull();
    if (!entryByHttp({ [operation.operationId]: 1, [role]: 10 })) return;
    const answer = await callExample(service, operation, { as });
    // A module may be stricter for developers and compliance officers, and then names the rule.
    if (answer.body?.code === 'role_forbidden')
      expect([role, answer.body.detail]).toEqual([
        expect.stringMatching(/^(developer|compliance_officer)$/),
        expect.stringMatching(/^(Developers|Compliance officers) /),
      ]);
    expectDocumented(operation, answer);
  });
});

describe('the own record', () => {
  const own = forPeople.filter(({ self }) => self !== null);
  const outsiders = (operation: Operation) =>
    ROLES.filter((role) => role !== 'platform_admin' && !operation.roles.includes(role));

  it.each(own)('is open to a person without the role: $operationId', async (operation) => {
    for (const role of each(outsiders(operation))) {
      const { id, as } = await service.acme.person(role);
      const { call, ...request } = exampleCall(operation, { [operation.self as string]: id });
      const answer = await send(service, { ...request, call: { ...call, as } });
      expect(answer.status, `${role} ${answer.text}`).toBeLessThan(300);
      expectDocumented(operation, answer);
    }
  });

  it.each(own)('of a colleague stays closed: $operationId', async (operation) => {
    const colleague = await service.acme.person('viewer');
    for (const role of each(outsiders(operation))) {
      const { as } = await service.acme.person(role);
      const { call, ...request } = exampleCall(operation, { [operation.self as string]: colleague.id });
      const answer = await send(service, { ...request, call: { ...call, as } });
      expect([answer.status, answer.body]).toMatchObject([403, { code: 'role_forbidden' }]);
    }
  });

  it.each(forPeople.filter(({ self, path }) => self === null && path.includes('{userId}')))(
    'counts only where the contract says so: $operationId',
    async (operation) => {
      for (const role of each(outsiders(operation))) {
        const { id, as } = await service.acme.person(role);
        const { call, ...request } = exampleCall(operation, { userId: id });
        const answer = await send(service, { ...request, call: { ...call, as } });
        expect([answer.status, answer.body]).toMatchObject([403, { code: 'role_forbidden' }]);
      }
    },
  );
});

describe('a person who leaves or changes', () => {
  it.each([
    ['is deactivated', `UPDATE membership SET status = 'deactivated' WHERE user_id = $1`, 401, 'token_revoked'],
    ['is locked', `UPDATE membership SET status = 'locked' WHERE user_id = $1`, 401, 'token_revoked'],
    ['loses the account', `UPDATE user_account SET status = 'deactivated' WHERE id = $1`, 401, 'token_revoked'],
    [
      'is signed out',
      `UPDATE session SET ended_at = now(), ended_reason = 'administrator' WHERE user_id = $1`,
      401,
      'token_revoked',
    ],
  ])('%s is shut out within five seconds, whatever the token says', async (_, change, status, code) => {
    const { id, as } = await service.acme.person('owner');
    expect((await service.api.GET('/v1/applications', { headers: as })).response.status).toBe(200);
    await service.database.sql(change, [id]);
    service.advance(5_000);
    const answer = await refusal(service.api.GET('/v1/applications', { headers: as }));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('has the role of the membership, not the one that the token was issued with', async () => {
    const { id, as } = await service.acme.person('owner');
    await service.database.sql(`UPDATE membership SET role = 'viewer' WHERE user_id = $1`, [id]);
    service.advance(5_000);
    expect((await refusal(service.api.POST('/v1/sandbox/enable', { headers: as }))).body.code).toBe('role_forbidden');
  });
});

describe('a refusal', () => {
  it('is recorded with the caller, the operation and the credential', async () => {
    const { id, as } = await service.other.person('viewer');
    await service.api.POST('/v1/sandbox/enable', { headers: as });
    await service.api.POST('/v1/sandbox/enable', { headers: await service.other.key(['read']) });
    const events = await service.database.sql(
      `SELECT action, outcome, reason, resource_type, resource_id, actor->>'type' AS type, actor->>'id' AS id
        FROM audit_event WHERE tenant_id = $1 AND action = 'access.denied' ORDER BY sequence`,
      [service.other.id],
    );
    expect(events).toMatchObject([
      {
        outcome: 'denied',
        reason: 'role_forbidden',
        resource_type: 'operation',
        resource_id: 'enableSandbox',
        type: 'user',
        id,
      },
      {
        outcome: 'denied',
        reason: 'insufficient_scope',
        resource_type: 'operation',
        resource_id: 'enableSandbox',
        type: 'api_key',
      },
    ]);
  });

  it('of a group is recorded like one of the contract', async () => {
    const { id, as } = await service.other.person('admin');
    const answer = await refusal(
      service.api.PATCH('/v1/users/{userId}', {
        params: { path: { userId: id } },
        headers: { ...as, 'Content-Type': 'application/merge-patch+json' },
        body: { role: 'owner' },
      }),
    );
    expect(answer.status).toBe(403);
    const events = await service.database.sql(
      `SELECT reason, resource_id FROM audit_event WHERE actor->>'id' = $1 AND outcome = 'denied'`,
      [id],
    );
    expect(events).toEqual([{ reason: answer.body.code, resource_id: 'updateUser' }]);
  });

  it('of platform staff is recorded in the chain of the platform', async () => {
    const { id, as } = await service.platform.person('platform_admin');
    const valid = await validCall(service, service.acme, operation('listApplications'));
    expect((await send(service, valid, { as })).status).toBe(403);
    const events = await service.database.sql(
      `SELECT tenant_id, actor->>'type' AS type FROM audit_event WHERE actor->>'id' = $1 AND action = 'access.denied'`,
      [id],
    );
    expect(events).toEqual([{ tenant_id: service.platform.id, type: 'platform_user' }]);
  });
});
