/** Test of every operation that needs a fresh second factor: without one it does nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation, Role } from '../../server/contract/operation.ts';
import { refusal } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { callExample, expectDocumented, send, validCall } from '../support/calls.ts';
import { rowCounts } from '../support/contents.ts';
import { everyOperation, parametersOf } from '../support/contract.ts';
import { schemesOf } from '../support/credentials.ts';
import { useService, type Person, type Tenant } from '../support/service.ts';
import { tally } from '../support/tally.ts';

let strict: Tenant;
const service = await useService();
beforeAll(async () => {
  strict = await service.tenant();
  await service.database.sql(
    `INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, '{"security":{"mfaRequired":true}}')`,
    [strict.id],
  );
});

const LATER = 5 * 60_000;
const forPeople = everyOperation.filter((operation) => schemesOf(operation).includes('bearerAuth'));
const roleFor = ({ roles }: Operation): Role => (roles.includes('owner') ? 'owner' : (roles[0] as Role));
const stale = async (operation: Operation): Promise<Person> => {
  const person = await service.acme.person(roleFor(operation), { secondFactor: true });
  await service.database.sql('UPDATE session SET step_up_at = NULL WHERE id = $1', [person.sessionId]);
  return person;
};
const denials = (person: Person) =>
  service.database.sql<{ reason: string; resource_id: string }>(
    `SELECT reason, resource_id FROM audit_event WHERE action = 'access.denied' AND actor->>'id' = $1
      ORDER BY sequence`,
    [person.id],
  );

describe('a fresh second factor', () => {
  const stepUp = forPeople.filter((operation) => operation.stepUp);
  const counted = tally('calls without a fresh second factor were refused');

  it('is required by some operations, and each declares the header', () => {
    expect(stepUp.length).toBeGreaterThanOrEqual(5);
    expect(stepUp.filter((operation) => !parametersOf(operation).some(({ name }) => name === 'X-TOTP-Code'))).toEqual(
      [],
    );
  });

  it.each(stepUp)('must be given: $operationId does nothing without one, and says so to the log', async (operation) => {
    const valid = await validCall(service, service.acme, operation);
    const person = await stale(operation);
    const before = await rowCounts(service.database);
    for (const headers of [{}, { 'X-TOTP-Code': '000000' }] as Record<string, string>[]) {
      const answer = await send(service, valid, { as: person.as, headers });
      expect([answer.status, answer.body]).toMatchObject([403, { code: 'step_up_required' }]);
      expectDocumented(operation, answer);
      counted();
    }
    expect(await rowCounts(service.database)).toEqual(before);
    expect(await denials(person)).toEqual(
      [0, 1].map(() => ({ reason: 'step_up_required', resource_id: operation.operationId })),
    );
  });

  it.each(stepUp)(
    'is a code that works for one session, and remains valid for it afterwards, repeated or not: $operationId',
    async (operation) => {
      const [person, other] = [await stale(operation), await stale(operation)];
      const stepUpHeaders = { 'X-TOTP-Code': code(person.totpSecret as Buffer, service.running.services.clock()) };
      const call = async ({ as }: Person, headers = {}): Promise<string | undefined> =>
        (await callExample(service, operation, { as, headers })).body?.code;
      expect(await call(other, stepUpHeaders), 'of somebody else').toBe('step_up_required');
      expect(await call(person, stepUpHeaders)).not.toBe('step_up_required');
      expect(await call(person, stepUpHeaders), 'repeated').not.toBe('step_up_required');
      expect(await call(person), 'remembered').not.toBe('step_up_required');
      service.advance(LATER);
      expect(await call(person, stepUpHeaders), 'repeated five minutes later').toBe('step_up_required');
      expect(await call(person), 'five minutes later').toBe('step_up_required');
    },
  );

  it.each(stepUp)(
    'is required after the checks of the contract: $operationId uses up no code for a request that it refuses',
    async (operation) => {
      const person = await stale(operation);
      const headers = { 'X-TOTP-Code': code(person.totpSecret as Buffer, service.running.services.clock()) };
      const wrong = await callExample(service, operation, { as: person.as, headers, query: '?colour=blue' });
      expect([wrong.status, wrong.body.code]).toEqual([400, 'unknown_parameter']);
      const right = await callExample(service, operation, { as: person.as, headers });
      expect(right.body?.code).not.toBe('step_up_required');
    },
  );
});

describe('a required second factor that is missing', () => {
  const counted = tally('calls of people who owe a second factor were refused');

  it.each(
    forPeople
      .filter(({ mfaExempt }) => !mfaExempt)
      .flatMap((operation) => [
        ...operation.roles
          .filter((role) => role !== 'platform_admin')
          .slice(0, 1)
          .map((role) => ({ name: operation.operationId, role, operation })),
        ...operation.roles
          .filter((role) => role === 'platform_admin')
          .map((role) => ({ name: operation.operationId, role, operation })),
      ]),
  )('excludes $role from $name', async ({ role, operation }) => {
    const answer = await callExample(service, operation, {
      as: await strict.user(role, { secondFactor: false, purpose: 'owes' }),
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'mfa_enrolment_required']);
    expectDocumented(operation, answer);
    counted();
  });

  it.each(forPeople.filter(({ mfaExempt }) => mfaExempt))(
    'does not prevent setting it up, or signing out: $operationId',
    async (operation) => {
      for (const role of ['viewer', 'platform_admin'] as const) {
        const { as } = await strict.person(role, { secondFactor: false });
        const answer = await callExample(service, operation, { as });
        expect(answer.body?.code).not.toBe('mfa_enrolment_required');
        expectDocumented(operation, answer);
      }
    },
  );

  it('is irrelevant for machines, and for users who have one', async () => {
    for (const as of [
      await strict.key(['read']),
      await strict.client(['read']),
      await strict.user('owner', { secondFactor: true }),
    ]) {
      expect((await service.api.GET('/v1/applications', { headers: as })).response.status).toBe(200);
    }
  });

  it('is required of people who are signed in already, within five seconds of the decision', async () => {
    const tenant = await service.tenant();
    const as = await tenant.user('owner');
    expect((await service.api.GET('/v1/applications', { headers: as })).response.status).toBe(200);
    await service.database.sql(
      `INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, '{"security":{"mfaRequired":true}}')`,
      [tenant.id],
    );
    service.advance(5_000);
    expect((await refusal(service.api.GET('/v1/applications', { headers: as }))).body.code).toBe(
      'mfa_enrolment_required',
    );
  });

  it('is recorded', async () => {
    const person = await strict.person('owner', { secondFactor: false });
    await service.api.GET('/v1/applications', { headers: person.as });
    expect(await denials(person)).toEqual([{ reason: 'mfa_enrolment_required', resource_id: 'listApplications' }]);
  });
});
