/** Reports with what is needed before a call about them. */
import { multipart, success } from '../support/api.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';

/** Creates a draft of a report of a suspicious operation about a case. */
export async function newReport(service: TestService, tenant: Tenant, caseId: string): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/cases/{caseId}/reports', {
      params: { path: { caseId } },
      headers: await tenant.user('compliance_officer'),
      body: { kind: 'suspicious_operation', operationOn: '2026-01-15', legalBasis: ['1045'] },
    }),
    201,
  );
  return body.id;
}

/** Creates a report that waits to be filed. */
export async function newDecidedReport(service: TestService, tenant: Tenant, caseId: string): Promise<string> {
  const reportId = await newReport(service, tenant, caseId);
  await success(
    service.api.PATCH('/v1/cases/reports/{reportId}', {
      params: { path: { reportId } },
      headers: { ...(await tenant.user('compliance_officer')), 'Content-Type': 'application/merge-patch+json' },
      body: { decision: 'report', decisionNote: 'The transfers have no plausible explanation.' },
    }),
  );
  return reportId;
}

/** Creates a draft of a report that has a document. */
export async function newReportWithDocument(service: TestService, tenant: Tenant, caseId: string): Promise<void> {
  const reportId = await newReport(service, tenant, caseId);
  await success(
    service.api.POST('/v1/cases/reports/{reportId}/documents', {
      params: { path: { reportId } },
      headers: await tenant.user('compliance_officer'),
      body: { file: new Blob([new Uint8Array(jpeg())]) },
      bodySerializer: multipart,
    }),
    201,
  );
}
