/** Test of the check that audit events are declared in the contract. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertDeclaredEvents } from './declared-events.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

let test: TestDatabase;
let tenantId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  tenantId = await test.tenant();
});
afterAll(() => test.close());

const write = (sequence: number, action: string, resourceType: string) =>
  test.sql(
    `
  INSERT INTO audit_event
    (tenant_id, sequence, id, environment, occurred_at, actor, action, resource_type, outcome, changes, prev_hash, hash)
  VALUES ($1, $2, gen_random_uuid(), 'live', now(), '{"type": "system"}', $3, $4, 'success', '[]', sha256(''),
    sha256(''))`,
    [tenantId, sequence, action, resourceType],
  );

it('an audit log with declared events passes; an undeclared action or type of resource is named', async () => {
  await write(1_000, 'application.created', 'application');
  await assertDeclaredEvents(test);
  await write(1_001, 'application.lost', 'application');
  await expect(assertDeclaredEvents(test)).rejects.toThrow('application.lost about application');
  await write(1_002, 'application.created', 'tenant');
  await expect(assertDeclaredEvents(test)).rejects.toThrow('application.created about tenant');
});
