import type { components } from '../../server/contract/generated/types.ts';
import { success } from '../support/api.ts';
import type { Answer, Credential, Tenant, TestService } from '../support/service.ts';

export type AuditEvent = components['schemas']['AuditEvent'];
export type EventList = components['schemas']['AuditEventList'];
export type Proof = components['schemas']['AuditProof'];
export type Verification = components['schemas']['AuditVerification'];
export type CheckpointList = components['schemas']['AuditCheckpointList'];
export type Checkpoint = components['schemas']['AuditCheckpoint'];

/** Requests of somebody who may read the audit log. */
export function auditor(service: TestService, as: Credential) {
  const get = <T>(path: string): Promise<Answer<T>> => service.request<T>('GET', path, { as });
  return {
    events: (query = '') => get<EventList>(`/v1/audit/events${query}`),
    event: (id: string) => get<AuditEvent>(`/v1/audit/events/${id}`),
    proof: (id: string, query = '') => get<Proof>(`/v1/audit/events/${id}/proof${query}`),
    checkpoints: (query = '') => get<CheckpointList>(`/v1/audit/checkpoints${query}`),
    verify: (body?: object) => service.request<Verification>('POST', '/v1/audit/verify', { as, ...(body && { body }) }),
  };
}

/** Events of two kinds in a tenant's log: `count` applications, each created by its key. */
export async function createApplications(service: TestService, tenant: Tenant, count: number): Promise<string[]> {
  const as = await tenant.key(['read', 'write']);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { status, body } = await success(service.api.POST('/v1/applications', { headers: as, body: { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } } }));
    if (status !== 201) throw new Error(`an application was answered by ${status}`);
    ids.push(body.id);
  }
  return ids;
}
