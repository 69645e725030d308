/**
 * Test of every operation that changes something: it leaves exactly the audit events that the contract announces, and
 * an event about a record of an application names the application.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../server/contract/operation.ts';
import { send, validCall } from '../support/calls.ts';
import { everything } from '../support/contents.ts';
import { everyOperation } from '../support/contract.ts';
import { useService } from '../support/service.ts';
import { tally } from '../support/tally.ts';

const service = await useService({ directory: true, sabotaged: true });
beforeAll(async () => {
  await service.database.sql(`
    CREATE FUNCTION no_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the log is full'; END $$;
    CREATE TRIGGER fails_when_written BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION no_event();
    CREATE CONSTRAINT TRIGGER fails_at_commit AFTER INSERT ON audit_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION no_event();
    ALTER TABLE audit_event DISABLE TRIGGER fails_when_written, DISABLE TRIGGER fails_at_commit;`);
});

/** Reasons why a successful call leaves no event. */
const SILENT: Partial<Record<OperationId, string>> = {
  refresh: 'only a token that is presented twice is an event',
  renewBrowserSession: 'only a token that is presented twice, or without its proof, is an event',
  getOnboardingChecklist: 'only a step that changed is an event',
};
/** Operations that work after the answer, so that it does not reveal whether an address is known. */
const AFTERWARDS: ReadonlySet<OperationId> = new Set(['requestPasswordReset']);

const recorded = everyOperation.filter(
  ({ operationId, method, auditEvents }) =>
    (method !== 'get' || auditEvents.length > 0) && SILENT[operationId] === undefined,
);

interface Event {
  readonly action: string;
  readonly outcome: string;
  readonly sequence: string;
  readonly resourceType: string;
  readonly changes: readonly { readonly path: string }[];
}
const eventsOf = (requestId: string) =>
  service.database.sql<Event>(
    `SELECT action, outcome, sequence, resource_type AS "resourceType", changes FROM audit_event
      WHERE request_id = $1`,
    [requestId],
  );

describe('a change', () => {
  const counted = tally('changes left their event');

  it.each(recorded)(
    'leaves one of the events that the contract announces, and no other: $operationId',
    async (operation) => {
      const requestId = randomUUID();
      const answer = await send(service, await validCall(service, service.acme, operation), {
        headers: { 'X-Request-Id': requestId },
      });
      expect(answer.status, answer.text).toBeLessThan(300);
      if (AFTERWARDS.has(operation.operationId)) await expect.poll(() => eventsOf(requestId)).not.toEqual([]);
      const events = await eventsOf(requestId);
      expect(events.filter(({ outcome }) => outcome === 'success').length).toBeGreaterThan(0);
      expect(events.map(({ action }) => action).filter((action) => !operation.auditEvents.includes(action))).toEqual(
        [],
      );
      const isOfApplication = operation.path.startsWith('/v1/applications/{applicationId}/');
      const unnamed = events.filter(
        ({ resourceType, changes }) =>
          resourceType !== 'application' && changes.every(({ path }) => path !== '/applicationId'),
      );
      expect(isOfApplication ? unnamed : [], 'events that do not name their application').toEqual([]);
      counted();
    },
  );

  it.each(everyOperation.filter(({ method }) => method !== 'get'))(
    'is announced with at least one event: $operationId',
    ({ auditEvents }) => {
      expect(auditEvents.length).toBeGreaterThan(0);
    },
  );
});

describe('a change by staff of the platform', () => {
  const ofStaff = recorded.filter(({ roles }) => roles.length === 1 && roles[0] === 'platform_admin');

  it.each(ofStaff)(
    'is recorded in the chain of the platform, under the name of a platform user: $operationId',
    async (operation) => {
      const requestId = randomUUID();
      await send(service, await validCall(service, service.acme, operation), {
        headers: { 'X-Request-Id': requestId },
      });
      const events = await service.database.sql<{ tenant_id: string; type: string }>(
        `SELECT tenant_id, actor->>'type' AS type FROM audit_event WHERE request_id = $1`,
        [requestId],
      );
      expect(events.map(({ tenant_id }) => tenant_id)).toContain(service.platform.id);
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['platform_user']));
    },
  );
});

describe('a change whose event cannot be written, or cannot be committed', () => {
  const counted = tally('changes were undone with their event, in both ways');
  const setTrigger = (how: 'ENABLE' | 'DISABLE', trigger: string) =>
    service.database.sql(`ALTER TABLE audit_event ${how} TRIGGER ${trigger}`);

  it.each(recorded.filter(({ operationId }) => !AFTERWARDS.has(operationId)))(
    'is not committed: $operationId',
    async (operation) => {
      const valid = await validCall(service, service.acme, operation);
      const before = await everything(service.database);
      // The call stays valid for the second way, because the first leaves nothing.
      for (const trigger of ['fails_when_written', 'fails_at_commit']) {
        const requestId = randomUUID();
        await setTrigger('ENABLE', trigger);
        const answer = await send(service, valid, { headers: { 'X-Request-Id': requestId } }).finally(() =>
          setTrigger('DISABLE', trigger),
        );
        expect(answer.status, `${trigger}: ${answer.text}`).toBeGreaterThanOrEqual(500);
        const after = await everything(service.database);
        expect(
          Object.keys(after).filter((table) => !isDeepStrictEqual(after[table], before[table])),
          `tables that changed (${trigger})`,
        ).toEqual([]);
        expect(await eventsOf(requestId)).toEqual([]);
      }
      counted();
    },
  );
});

describe('a refused change', () => {
  const refused = everyOperation.filter(({ auditEvents }) => auditEvents.length > 0);

  it.each(refused)('leaves no event of success: $operationId', async (operation) => {
    const requestId = randomUUID();
    const valid = await validCall(service, service.acme, operation);
    await send(service, { ...valid, path: `${valid.path}?colour=blue` }, { headers: { 'X-Request-Id': requestId } });
    expect((await eventsOf(requestId)).filter(({ outcome }) => outcome === 'success')).toEqual([]);
  });
});
