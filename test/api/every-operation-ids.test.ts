/** Test of every operation that takes ids: written in capitals they are the same ids. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/contract/contract.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { newApplication } from '../operations/application-records.ts';
import { newBusiness } from '../operations/business-records.ts';
import { paramsOf } from '../operations/records.ts';
import { newActiveProcess } from '../operations/workflow-records.ts';
import { send, validCall } from '../support/calls.ts';
import {
  allOperations,
  dereferenced,
  everyOperation,
  hasPathParameters,
  parametersOf,
  schemaOfBody,
} from '../support/contract.ts';
import { useService } from '../support/service.ts';

const service = await useService({ directory: true });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CAPITALS = /(?=[0-9-]*[A-F])[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/;
const inCapitals = <T>(value: T): T =>
  typeof value === 'string' && UUID.test(value) ? (value.toUpperCase() as T) : value;

/** Returns the value with its ids in capitals, at the paths where the contract has ids. */
function withIdsInCapitals(schema: Schema, value: unknown): unknown {
  const { format, properties = {}, items, oneOf = [], allOf = [], anyOf = [] } = dereferenced(schema);
  if (format === 'uuid') return inCapitals(value);
  const inner = [...oneOf, ...allOf, ...anyOf].reduce((current, part) => withIdsInCapitals(part, current), value);
  if (Array.isArray(inner)) return items === undefined ? inner : inner.map((item) => withIdsInCapitals(items, item));
  if (typeof inner !== 'object' || inner === null || Buffer.isBuffer(inner) || inner instanceof FormData) return inner;
  return Object.fromEntries(
    Object.entries(inner).map(([name, member]) => [
      name,
      properties[name] === undefined ? member : withIdsInCapitals(properties[name], member),
    ]),
  );
}

const capitalised = (path: string): string =>
  path
    .split('/')
    .map((segment) => inCapitals(segment))
    .join('/');
const bodyHasId = (operation: Operation): boolean => {
  const schema = schemaOfBody(operation, /json$/);
  return schema !== null && JSON.stringify(withIdsInCapitals(schema, exampleOf(schema))).includes('"0197F2');
};
/**
 * Returns an example with every member of a schema, and an id wherever the contract has one. A schema that holds itself
 * is left out within itself.
 */
function exampleOf(schema: Schema, within: readonly Schema[] = []): unknown {
  const described = dereferenced(schema);
  if (within.includes(described)) return null;
  const { format, properties, items, oneOf } = described;
  const of = (part: Schema): unknown => exampleOf(part, [...within, described]);
  if (format === 'uuid') return '0197f2d3-10aa-7b55-9e21-0a1b2c3d4e60';
  if (items !== undefined) return [of(items)];
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, of(member)]));
  return oneOf === undefined ? null : (oneOf.map(of).find((example) => example !== null) ?? null);
}

const naming = everyOperation.filter((operation) => hasPathParameters(operation) || bodyHasId(operation));

describe('ids in capitals', () => {
  it('are accepted in paths and bodies', () => {
    expect(naming.length).toBeGreaterThan(55);
    expect(naming.filter(bodyHasId).map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining([
        'createScreening',
        'createSubscription',
        'recordAttestation',
        'recordConsent',
        'updateSettings',
      ]),
    );
  });

  it.each(naming)(
    'are the same ids, and are written in lower case in the audit log: $operationId',
    async (operation) => {
      const requestId = randomUUID();
      const { path, call, method } = await validCall(service, service.acme, operation);
      const schema = schemaOfBody(operation, /json$/);
      const body =
        schema !== null && typeof call.body === 'string'
          ? JSON.stringify(withIdsInCapitals(schema, JSON.parse(call.body)))
          : call.body;
      const answer = await send(
        service,
        { method, path: capitalised(path), call: { ...call, ...(body !== undefined && { body }) } },
        { headers: { 'X-Request-Id': requestId.toUpperCase() } },
      );
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(answer.headers.get('x-request-id')).toBe(requestId);
      if (answer.headers.get('content-type')?.startsWith('application/json') === true)
        expect(answer.text).not.toMatch(CAPITALS);
      const events = await service.database.sql<{ text: string }>(
        'SELECT to_jsonb(audit_event)::text AS text FROM audit_event WHERE request_id = $1',
        [requestId],
      );
      if (operation.method !== 'get' && operation.auditEvents.length > 0)
        expect(events.length, 'events').toBeGreaterThan(0);
      for (const { text } of events) expect(text).not.toMatch(CAPITALS);
    },
  );

  const filters = everyOperation.flatMap((operation) =>
    parametersOf(operation)
      .filter(({ in: where, schema }) => where === 'query' && dereferenced(schema).format === 'uuid')
      .map(({ name }) => ({ operation, id: operation.operationId, name })),
  );

  it('are accepted in filters of lists, too', () => {
    expect(filters.map(({ id, name }) => `${id} ${name}`).sort()).toEqual([
      'listAlerts applicationId',
      'listAlerts businessId',
      'listCases applicationId',
      'listCases businessId',
      'listReportAuditEvents resourceId',
      'listReports caseId',
      'listRiskAssessments applicationId',
      'listRiskAssessments businessId',
      'listRiskAssessments modelId',
      'listScreenings applicationId',
      'listSubscriptions applicationId',
      'listSubscriptions businessId',
      'listVerifications applicationId',
      'listWorkflowIncidents instanceId',
      'listWorkflowInstances applicationId',
      'listWorkflowInstances businessId',
      'listWorkflowTasks assigneeId',
      'listWorkflowTasks instanceId',
      'revokeUserSessions sessionId',
    ]);
  });

  it('find in a list what the id in lower case finds', async () => {
    const as = await service.acme.user('compliance_officer');
    const [screened, { subscriptionId }] = await Promise.all([
      newApplication(service, service.acme),
      paramsOf(service, service.acme, { path: '/v1/monitoring/subscriptions/{subscriptionId}' }),
    ]);
    const created = await service.request('POST', '/v1/screenings', {
      as,
      body: { applicationId: screened.toUpperCase(), lists: ['un-csnu'] },
    });
    expect(created.status).toBe(201);
    const {
      body: { applicationId: watched },
    } = await service.request<{ applicationId: string }>('GET', `/v1/monitoring/subscriptions/${subscriptionId}`, {
      as,
    });
    const businessId = await newBusiness(service, service.acme);
    const definitionKey = await newActiveProcess(service, service.acme);
    const started = await service.request('POST', '/v1/workflows/instances', {
      as,
      body: { definitionKey, businessId: businessId.toUpperCase() },
    });
    expect(started.status).toBe(201);
    for (const [path, id] of [
      ['screenings?applicationId=', screened],
      ['monitoring/subscriptions?applicationId=', watched],
      ['workflows/instances?businessId=', businessId],
    ] as const) {
      const found = await Promise.all(
        [id, id.toUpperCase()].map((spelling) =>
          service.request<{ items: object[] }>('GET', `/v1/${path}${spelling}`, { as }),
        ),
      );
      expect(
        found.map(({ body }) => body.items.length),
        path,
      ).toEqual([1, 1]);
      expect(found[1]!.body.items).toEqual(found[0]!.body.items);
    }
  });

  it('end one session, and find in the audit log who did what to whom', async () => {
    const { id, as } = await service.acme.person('analyst');
    const admin = await service.acme.user('admin');
    const {
      body: {
        items: [session],
      },
    } = await service.request<{ items: { id: string }[] }>('GET', `/v1/users/${id}/sessions`, { as: admin });
    const ended = await service.request(
      'DELETE',
      `/v1/users/${id.toUpperCase()}/sessions?sessionId=${session!.id.toUpperCase()}`,
      { as: admin },
    );
    expect(ended.status).toBe(204);
    expect((await service.request('GET', '/v1/auth/me', { as })).status).toBe(401);
    const search = (query: string) =>
      service.request<{ items: { action: string }[] }>('GET', `/v1/audit/events?${query}`, { as: admin });
    for (const query of [`resourceId=${id}`, `resourceId=${id.toUpperCase()}`])
      expect((await search(query)).body.items.map(({ action }) => action)).toContain('user.sessions_ended');
  });

  it('repeat a call under the same idempotency key', async () => {
    const operation = allOperations.find(({ operationId }) => operationId === 'submitApplication')!;
    const valid = await validCall(service, service.acme, operation);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await send(service, valid, { headers });
    const second = await send(service, { ...valid, path: capitalised(valid.path) }, { headers });
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([
      first.status,
      first.text,
      'true',
    ]);
  });

  it('are stored unchanged if they are external ids', async () => {
    const externalId = randomUUID().toUpperCase();
    const as = await service.acme.key(['read', 'write']);
    const { body } = await service.request<{ id: string }>('POST', '/v1/applications', {
      as,
      body: { externalId, purpose: 'other', applicant: { fullName: 'Maria da Silva' } },
    });
    expect((await service.request('GET', `/v1/applications/${body.id}`, { as })).body).toMatchObject({ externalId });
    const {
      body: { items },
    } = await service.request<{ items: object[] }>('GET', `/v1/applications?externalId=${externalId}`, { as });
    expect(items).toHaveLength(1);
  });
});
