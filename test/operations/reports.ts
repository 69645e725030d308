/** How tests call the operations on reports. Part of the table in test/operations.ts. */
import { jpeg, png } from '../support/specimens.ts';
import type { Tenant, TestService } from '../support/service.ts';
import type { Calls } from './call.ts';
import { paramsOf } from './records.ts';
import { newDecidedReport } from './report-records.ts';

/** Returns the id of a report that waits to be filed. */
async function decided(service: TestService, tenant: Tenant): Promise<{ params: { reportId: string } }> {
  const { caseId = '' } = await paramsOf(service, tenant, { path: '{caseId}' });
  return { params: { reportId: await newDecidedReport(service, tenant, caseId) } };
}

export const reportCalls: Calls<
  | 'createReport'
  | 'listReports'
  | 'declareNonOccurrenceReport'
  | 'getReport'
  | 'updateReport'
  | 'uploadReportDocument'
  | 'fileReport'
  | 'downloadReportSubmission'
  | 'listReportAuditEvents'
  | 'verifyReportAuditEvents'
> = {
  createReport: {
    body: () => ({
      kind: 'suspicious_operation',
      operationOn: '2026-01-15',
      amount: { amount: 12500000, currency: 'BRL' },
      legalBasis: ['1045'],
      parties: [{ name: 'Maria da Silva', taxId: '529.982.247-25', role: 'titular' }],
      narrative: 'Eleven transfers in two days.',
    }),
    otherBody: () => ({
      kind: 'cash_operation',
      operationOn: '2026-02-13',
      amount: { amount: 6000000, currency: 'USD' },
      legalBasis: ['1062', 'Lei 9.613/1998'],
      parties: [{ name: 'João Lima', taxId: '111.444.777-35', role: 'beneficiário' }],
      narrative: 'A deposit in notes.\nNobody asked for it.',
    }),
  },
  listReports: {},
  declareNonOccurrenceReport: {
    arrange: async (service) => ({ tenant: await service.tenant() }),
    body: () => ({ year: 2024 }),
    otherBody: () => ({ year: 2023 }),
  },
  getReport: {},
  updateReport: {
    body: () => ({
      operationOn: '2026-01-16',
      amount: { amount: 12600000, currency: 'BRL' },
      legalBasis: ['1046'],
      parties: [{ name: 'Maria Souza', taxId: '529.982.247-25', role: 'titular' }],
      narrative: 'Twelve transfers in two days.',
    }),
    otherBody: () => ({
      operationOn: '2026-01-17',
      amount: { amount: 100, currency: 'USD' },
      legalBasis: ['1047', '1048'],
      parties: [{ name: 'João Lima', taxId: '111.444.777-35', role: 'beneficiário' }],
      narrative: 'The rent\nof the shop.',
    }),
    except: {
      '/decision': 'it ends the draft, so that it is sent once',
      '/decisionNote': 'it is sent with the decision alone',
    },
  },
  uploadReportDocument: { body: () => ({ file: jpeg() }), otherBody: () => ({ file: png() }) },
  fileReport: {
    arrange: decided,
    body: () => ({ protocol: '2026.11.26.000123' }),
    otherBody: () => ({ protocol: 'ABC-1' }),
    except: { '/filedAt': 'it is a time between the decision and the call' },
  },
  downloadReportSubmission: { arrange: decided },
  listReportAuditEvents: {},
  verifyReportAuditEvents: {},
};
