/** Fixture of the tests of the audit log. */
import type { components, operations } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';

export type AuditEvent = components['schemas']['AuditEvent'];
export type EventList = components['schemas']['AuditEventList'];
export type Proof = components['schemas']['AuditProof'];
export type Checkpoint = components['schemas']['AuditCheckpoint'];

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;
export type AuditFilters = Query<'listAuditEvents'>;

/** Returns requests of a caller who may read the audit log. */
export function auditor(service: TestService, as: Credential) {
  const { api } = service;
  return {
    events: (query: AuditFilters = {}) => api.GET('/v1/audit/events', { params: { query }, headers: as }),
    event: (eventId: string) => api.GET('/v1/audit/events/{eventId}', { params: { path: { eventId } }, headers: as }),
    proof: (eventId: string, query: Query<'getAuditEventProof'> = {}) =>
      api.GET('/v1/audit/events/{eventId}/proof', { params: { path: { eventId }, query }, headers: as }),
    checkpoints: (query: Query<'listAuditCheckpoints'> = {}) =>
      api.GET('/v1/audit/checkpoints', { params: { query }, headers: as }),
    export: (body: components['schemas']['AuditExportCreate']) => api.POST('/v1/audit/exports', { headers: as, body }),
    exported: (exportId: string) =>
      api.GET('/v1/audit/exports/{exportId}', { params: { path: { exportId } }, headers: as }),
    download: (exportId: string, headers: Readonly<Record<string, string>> = {}) =>
      service.request('GET', `/v1/audit/exports/${exportId}/content`, { as, headers }),
    verify: (body?: components['schemas']['AuditVerifyRequest']) =>
      api.POST('/v1/audit/verify', { headers: as, ...(body && { body }) }),
  };
}

/** Writes events of two kinds into a tenant's log: `count` applications, each created by its key. */
export async function createApplications(service: TestService, tenant: Tenant, count: number): Promise<string[]> {
  const as = await tenant.key(['read', 'write']);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { body } = await success(
      service.api.POST('/v1/applications', {
        headers: as,
        body: { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } },
      }),
    );
    ids.push(body.id);
  }
  return ids;
}
