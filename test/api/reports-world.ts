/** Reports to the authority as a compliance officer works with them, for the tests of their operations. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { paramsOf } from '../operations/records.ts';
import { multipart, success } from '../support/api.ts';
import { useService, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';

export type ReportCreate = components['schemas']['ReportCreate'];
type ReportUpdate = components['schemas']['ReportUpdate'];

/** Starts a service, and returns the calls of an officer of one of its tenants. */
export async function startReportWorld() {
  const service = await useService();
  const officer = await service.acme.user('compliance_officer');

  const newCase = async (tenant: Tenant = service.acme): Promise<string> =>
    (await paramsOf(service, tenant, { path: '{caseId}' }))['caseId']!;

  const create = (caseId: string, body: ReportCreate, as = officer) =>
    service.api.POST('/v1/cases/{caseId}/reports', { params: { path: { caseId } }, headers: as, body });

  const created = async (body: Partial<ReportCreate> = {}, caseId?: string) =>
    (await success(create(caseId ?? (await newCase()), { kind: 'suspicious_operation', ...body }), 201)).body;

  const path = (reportId: string) => ({ path: { reportId } });
  const read = (id: string) => service.api.GET('/v1/cases/reports/{reportId}', { params: path(id), headers: officer });
  const change = (id: string, body: ReportUpdate, headers: Record<string, string> = {}) =>
    service.api.PATCH('/v1/cases/reports/{reportId}', {
      params: path(id),
      headers: { ...officer, 'Content-Type': 'application/merge-patch+json', ...headers },
      body,
    });
  const file = (id: string, body: components['schemas']['ReportFiling'] = { protocol: 'P-1' }) =>
    service.api.POST('/v1/cases/reports/{reportId}/file', { params: path(id), headers: officer, body });
  const upload = (
    id: string,
    content: Buffer = jpeg(),
    { contentType = '', ...fields }: Readonly<Record<string, string>> = {},
  ) =>
    service.api.POST('/v1/cases/reports/{reportId}/documents', {
      params: path(id),
      headers: officer,
      body: { file: new Blob([new Uint8Array(content)], { type: contentType }), ...fields },
      bodySerializer: multipart,
    });
  const submission = (id: string) => service.request('GET', `/v1/cases/reports/${id}/submission-file`, { as: officer });
  const decide = (id: string, decision: 'report' | 'no_report' = 'report') =>
    change(id, { decision, decisionNote: 'The transfers have no plausible explanation.' });

  return {
    service,
    newCase,
    create,
    created,
    path,
    read,
    change,
    file,
    upload,
    submission,
    decide,
  };
}
