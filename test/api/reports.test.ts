/** Tests of reports to the authority, as compliance officers work with them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { paramsOf } from '../operations/records.ts';
import { multipart, refusal, success } from '../support/api.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { each } from '../support/each.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';

type ReportCreate = components['schemas']['ReportCreate'];
type ReportUpdate = components['schemas']['ReportUpdate'];

const service = await useService();
let officer: Credential;
beforeAll(async () => {
  officer = await service.acme.user('compliance_officer');
});

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
const upload = (id: string, content: Buffer = jpeg()) =>
  service.api.POST('/v1/cases/reports/{reportId}/documents', {
    params: path(id),
    headers: officer,
    body: { file: new Blob([new Uint8Array(content)]) },
    bodySerializer: multipart,
  });
const submission = (id: string) => service.request('GET', `/v1/cases/reports/${id}/submission-file`, { as: officer });
const decide = (id: string, decision: 'report' | 'no_report' = 'report') =>
  change(id, { decision, decisionNote: 'The transfers have no plausible explanation.' });

describe('a report about a case', () => {
  it('begins with a copy of the case and a narrative from the template of the settings', async () => {
    const report = await created({ operationOn: '2026-01-15', amount: { amount: 12345, currency: 'BRL' } });
    expect(report).toMatchObject({
      kind: 'suspicious_operation',
      status: 'draft',
      version: 1,
      documents: [],
    });
    expect(report.caseCopy).toMatchObject({ type: expect.any(String), subjectName: expect.stringContaining('Maria') });
    expect(report.narrative).toContain(`Caso ${report.caseCopy!.number}`);
    expect(report.narrative).toContain('15, no valor de 123.45 BRL');
    expect((await success(read(report.id))).body).toEqual(report);
  });

  it('counts its deadlines from the operation and from the opening of the case', async () => {
    const report = await created({ operationOn: '2026-01-15' });
    expect(report.selectionDueAt).toBe('2026-03-02T02:59:59.999Z');
    expect(Date.parse(report.analysisDueAt!) - Date.parse(report.selectedAt!)).toBeGreaterThan(45 * 86_400_000);
    expect(report.dueAt).toBe(report.analysisDueAt);
    expect(report.late).toBe(true);
    const { body } = await success(change(report.id, { operationOn: null }));
    expect([body.selectionDueAt, body.late]).toEqual([null, false]);
  });

  it('of an operation in cash is due without a decision, by the next business day after the operation', async () => {
    const report = await created({ kind: 'cash_operation', operationOn: '2026-02-13' });
    expect(report).toMatchObject({
      status: 'decided_report',
      reportDueAt: '2026-02-19T02:59:59.999Z',
      selectedAt: null,
      late: true,
    });
    const { body } = await success(change(report.id, { operationOn: '2026-02-18' }));
    expect(body.reportDueAt).toBe('2026-02-20T02:59:59.999Z');
  });

  it('of an operation in cash needs the day of the operation', async () => {
    const caseId = await newCase();
    const answer = await refusal(create(caseId, { kind: 'cash_operation' }));
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([422, '/operationOn']);
    const broken = await refusal(create(caseId, { kind: 'cash_operation', legalBasis: ['x'.repeat(61)] }));
    expect(broken.body.errors?.map(({ pointer }) => pointer)).toEqual(['/legalBasis/0', '/operationOn']);
    const report = await created({ kind: 'cash_operation', operationOn: '2026-02-13' }, caseId);
    expect((await refusal(change(report.id, { operationOn: null }))).body.errors?.[0]?.pointer).toBe('/operationOn');
  });

  it('is not about an operation of tomorrow', async () => {
    const answer = await refusal(create(await newCase(), { kind: 'suspicious_operation', operationOn: '2999-01-01' }));
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([422, 'maximum']);
  });

  it('is the only one of its kind that is not at its end', async () => {
    const caseId = await newCase();
    const first = await created({}, caseId);
    const again = await refusal(create(caseId, { kind: 'suspicious_operation' }));
    expect([again.status, again.body.code]).toEqual([409, 'report_exists']);
    await created({ kind: 'cash_operation', operationOn: '2026-02-13' }, caseId);
    await success(decide(first.id, 'no_report'));
    await created({}, caseId);
  });

  it('is refused about a case whose applicant is erased, and stays readable if it was begun before', async () => {
    const caseId = await newCase();
    const report = await created({}, caseId);
    await service.database.sql(
      'UPDATE application SET erased_at = now() WHERE id = (SELECT application_id FROM review_case WHERE id = $1)',
      [caseId],
    );
    const answer = await refusal(create(caseId, { kind: 'cash_operation', operationOn: '2026-02-13' }));
    expect(answer.status).toBe(410);
    expect((await success(read(report.id))).body.caseCopy).toEqual(report.caseCopy);
  });

  it('does not exist about a case that does not exist', async () => {
    const answer = await refusal(create('0197f2f2-64dd-7f30-8b4c-5d6e7f809102', { kind: 'suspicious_operation' }));
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});

describe('the decision', () => {
  it('makes a report due by the next business day, and ends the analysis with its reasons', async () => {
    const report = await created();
    const { body } = await success(decide(report.id));
    expect(body).toMatchObject({ status: 'decided_report', decisionNote: expect.stringContaining('plausible') });
    expect(body.dueAt).toBe(body.reportDueAt);
    expect(Date.parse(body.reportDueAt!)).toBeGreaterThan(Date.parse(body.decidedAt!));
  });

  it('needs its reasons, which are not sent without it', async () => {
    const report = await created();
    const alone = await refusal(change(report.id, { decision: 'report' }));
    expect([alone.status, alone.body.errors?.[0]?.pointer]).toEqual([422, '/decisionNote']);
    const reasons = await refusal(change(report.id, { decisionNote: 'The invoices explain them.' }));
    expect(reasons.body.errors?.[0]?.pointer).toBe('/decision');
  });

  it('is made once, and ends everything if nothing is reported', async () => {
    const [reported, dropped] = [await created(), await created()];
    await success(decide(reported.id));
    expect((await refusal(decide(reported.id))).body.code).toBe('report_decided');
    await success(decide(dropped.id, 'no_report'));
    expect((await refusal(change(dropped.id, { narrative: 'More.' }))).body.code).toBe('report_decided');
    expect((await refusal(upload(dropped.id))).body.code).toBe('report_decided');
    expect((await refusal(file(dropped.id))).body.code).toBe('report_not_decided');
    expect((await submission(dropped.id)).body).toMatchObject({ code: 'report_not_decided' });
  });
});

describe('a change', () => {
  it('is a merge patch with If-Match', async () => {
    const report = await created({ amount: { amount: 100, currency: 'BRL' } });
    const { body } = await success(change(report.id, { amount: { amount: 200 } }, { 'If-Match': '"1"' }));
    expect([body.amount, body.version]).toEqual([{ amount: 200, currency: 'BRL' }, 2]);
    expect((await refusal(change(report.id, { narrative: null }, { 'If-Match': '"1"' }))).status).toBe(412);
    const broken = await refusal(change(report.id, { amount: { currency: null } }));
    expect([broken.status, broken.body.errors?.[0]?.pointer]).toEqual([422, '/amount/currency']);
    expect((await success(change(report.id, { amount: null, narrative: null }))).body).toMatchObject({
      amount: null,
      narrative: null,
    });
  });
});

describe('the filing', () => {
  it('keeps the protocol, and nothing changes afterwards', async () => {
    const report = await created();
    await success(decide(report.id));
    const { body } = await success(file(report.id, { protocol: '2026.1' }));
    expect(body).toMatchObject({
      status: 'filed',
      protocol: '2026.1',
      dueAt: null,
      late: false,
    });
    for (const again of [
      await refusal(file(report.id)),
      await refusal(change(report.id, { narrative: 'More.' })),
      await refusal(upload(report.id)),
    ]) {
      expect([again.status, again.body.code]).toEqual([409, 'report_filed']);
    }
  });

  it('needs a decision and a narrative', async () => {
    const report = await created();
    expect((await refusal(file(report.id))).body.code).toBe('report_not_decided');
    await success(decide(report.id));
    await success(change(report.id, { narrative: null }));
    const answer = await refusal(file(report.id));
    expect([answer.status, answer.body.code]).toEqual([422, 'narrative_required']);
  });

  it('was not in the future, and not before the decision', async () => {
    const report = await created();
    await success(decide(report.id));
    for (const [filedAt, code] of [
      ['2999-01-01T00:00:00Z', 'maximum'],
      ['2001-01-01T00:00:00Z', 'minimum'],
      ['2026-01-01T00:00:00+03', 'format'],
    ] as const) {
      const answer = await refusal(file(report.id, { protocol: 'P', filedAt }));
      expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([422, code]);
    }
  });

  it('of an operation in cash after its deadline is late', async () => {
    const report = await created({ kind: 'cash_operation', operationOn: '2026-02-13' });
    expect((await success(file(report.id, { protocol: 'P', filedAt: '2026-02-19T03:00:00.000Z' }))).body.late).toBe(
      true,
    );
    const inTime = await created({ kind: 'cash_operation', operationOn: '2026-02-13' });
    expect((await success(file(inTime.id, { protocol: 'P', filedAt: '2026-02-19T02:59:59.999Z' }))).body.late).toBe(
      false,
    );
  });
});

describe('the documents and the file for submission', () => {
  it('are in the file, whose values are escaped', async () => {
    const report = await created({
      kind: 'cash_operation',
      operationOn: '2026-02-13',
      narrative: 'A < B & "C"',
      parties: [{ name: 'Café & Filhos', role: 'titular' }],
    });
    const { body: document } = await success(upload(report.id), 201);
    expect((await success(read(report.id))).body.documents).toEqual([document]);
    const answer = await submission(report.id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/xml');
    expect(answer.headers.get('content-disposition')).toContain(`report-${report.id}.xml`);
    expect(answer.text).toContain('Exemplo');
    expect(answer.text).toContain('A &lt; B &amp; &quot;C&quot;');
    expect(answer.text).toContain('>Café &amp; Filhos</envolvido>');
    expect(answer.text).toContain(jpeg().toString('base64'));
    const stored = await service.database.sql<{ row: string }>(
      'SELECT to_jsonb(r)::text AS row FROM report r WHERE id = $1',
      [report.id],
    );
    expect(stored[0]!.row).not.toContain('Filhos');
  });

  it.each([
    ['csv', 'text/csv', '"a ""b"""'],
    ['text', 'text/plain', 'a "b"'],
  ] as const)('take the form of the settings: %s', async (submissionFormat, type, value) => {
    const tenant = await service.tenant();
    const as = await tenant.user('compliance_officer');
    const { version } = (await success(service.api.GET('/v1/settings', { headers: as }))).body;
    await success(
      service.api.PATCH('/v1/settings', {
        headers: { ...as, 'If-Match': `"${version}"`, 'Content-Type': 'application/merge-patch+json' },
        body: { reports: { submissionFormat, submissionTemplate: '{{report.narrative}}' } },
      }),
    );
    const { body } = await success(
      create(await newCase(tenant), { kind: 'cash_operation', operationOn: '2026-02-13', narrative: 'a "b"' }, as),
      201,
    );
    const answer = await service.request('GET', `/v1/cases/reports/${body.id}/submission-file`, { as });
    expect([answer.headers.get('content-type'), answer.text]).toEqual([expect.stringContaining(type), value]);
  });

  it('are at most ten', async () => {
    const report = await created();
    for (let n = 0; n < 10; n += 1) await success(upload(report.id), 201);
    const answer = await refusal(upload(report.id));
    expect([answer.status, answer.body.code]).toEqual([409, 'report_document_limit']);
  });

  it('are files that can be inspected', async () => {
    const report = await created();
    expect((await refusal(upload(report.id, Buffer.from('hello')))).status).toBe(415);
  });
});

describe('a non-occurrence', () => {
  it('is declared once for a past year in which nothing was filed', async () => {
    const tenant = await service.tenant();
    const as = await tenant.user('compliance_officer');
    const declare = (year: number) =>
      service.api.POST('/v1/cases/reports/non-occurrence', { headers: as, body: { year } });
    const { body } = await success(declare(2025), 201);
    expect(body).toMatchObject({
      kind: 'non_occurrence',
      year: 2025,
      caseId: null,
      caseCopy: null,
      status: 'decided_report',
      reportDueAt: '2026-01-16T02:59:59.999Z',
    });
    expect((await refusal(declare(2025))).body.code).toBe('report_exists');
    expect((await refusal(declare(2999))).body.errors?.[0]?.pointer).toBe('/year');
    await success(
      service.api.POST('/v1/cases/reports/{reportId}/file', {
        params: path(body.id),
        headers: as,
        body: { protocol: 'P-2' },
      }),
    );
    const cash = await success(
      create(await newCase(tenant), { kind: 'cash_operation', operationOn: '2023-02-13' }, as),
      201,
    );
    await success(
      service.api.POST('/v1/cases/reports/{reportId}/file', {
        params: path(cash.body.id),
        headers: as,
        body: { protocol: 'P-3', filedAt: '2024-01-01T02:59:59.999Z' },
      }),
    );
    expect((await refusal(declare(2023))).body.code).toBe('report_exists');
    await success(declare(2024), 201);
  });
});

describe('the list', () => {
  it('finds by status, kind, case, deadline and lateness, in pages, without texts', async () => {
    const tenant = await service.tenant();
    const as = await tenant.user('compliance_officer');
    const caseId = await newCase(tenant);
    const bodies: ReportCreate[] = [
      { kind: 'suspicious_operation' },
      { kind: 'cash_operation', operationOn: '2026-02-13' },
    ];
    const ids: string[] = [];
    for (const body of bodies) ids.unshift((await success(create(caseId, body, as), 201)).body.id);
    ids.unshift(
      (await success(service.api.POST('/v1/cases/reports/non-occurrence', { headers: as, body: { year: 2025 } }), 201))
        .body.id,
    );
    const list = async (query: object) =>
      (await success(service.api.GET('/v1/cases/reports', { params: { query }, headers: as }))).body;
    const all = await list({});
    expect(all.items.map(({ id }) => id)).toEqual(ids);
    for (const item of each(all.items)) expect(Object.keys(item)).not.toContain('narrative');
    const found = async (query: object) => (await list(query)).items.map(({ id }) => ids.indexOf(id));
    expect(await found({ status: ['draft'] })).toEqual([2]);
    expect(await found({ kind: ['cash_operation', 'non_occurrence'] })).toEqual([0, 1]);
    expect(await found({ caseId })).toEqual([1, 2]);
    expect(await found({ late: true })).toEqual([0, 1]);
    expect(await found({ late: false })).toEqual([2]);
    expect(await found({ dueBefore: '2026-02-01T00:00:00Z' })).toEqual([0]);
    expect(await found({ environment: 'sandbox' })).toEqual([]);
    const first = await list({ limit: 2 });
    expect((await list({ limit: 2, cursor: first.cursor! })).items.map(({ id }) => id)).toEqual(ids.slice(2));
  });
});

describe('the sealed audit log', () => {
  it('has every event of a report, and the open one has none', async () => {
    const tenant = await service.tenant();
    const as = await tenant.user('compliance_officer');
    const report = (await success(create(await newCase(tenant), { kind: 'suspicious_operation' }, as), 201)).body;
    await success(service.api.GET('/v1/cases/reports/{reportId}', { params: path(report.id), headers: as }));
    const events = () => service.api.GET('/v1/cases/reports/audit-events', { headers: as });
    expect((await success(events())).body.items.map(({ action, sequence }) => [action, sequence])).toEqual([
      ['report.viewed', 2],
      ['report.created', 1],
    ]);
    const about = await success(
      service.api.GET('/v1/cases/reports/audit-events', {
        params: { query: { resourceId: report.id, fromSequence: 2 } },
        headers: as,
      }),
    );
    expect(about.body.items.map(({ action }) => action)).toEqual(['report.viewed']);
    expect((await success(events())).body.items[0]?.action).toBe('audit.viewed');
    const verified = await success(service.api.GET('/v1/cases/reports/audit-events/verify', { headers: as }));
    expect(verified.body).toMatchObject({ valid: true, firstFailure: null });
    const open = await service.database.sql<{ action: string }>(
      `SELECT action FROM audit_event WHERE tenant_id = $1 AND chain = 'open'`,
      [tenant.id],
    );
    for (const { action } of each(open)) expect(action).not.toMatch(/^(report|sealed|audit)\./);
  });

  it('that somebody changed does not verify, and only the sealed logs say so', async () => {
    const tenant = await service.tenant();
    const as = await tenant.user('compliance_officer');
    await success(service.api.POST('/v1/cases/reports/non-occurrence', { headers: as, body: { year: 2025 } }), 201);
    await service.database.sql(
      `DO $$ BEGIN SET LOCAL session_replication_role = replica;
       UPDATE audit_event SET action = 'report.viewed' WHERE tenant_id = '${tenant.id}' AND chain = 'sealed'; END $$`,
    );
    const { body } = await success(service.api.GET('/v1/cases/reports/audit-events/verify', { headers: as }));
    expect(body).toMatchObject({ valid: false, firstFailure: { sequence: 1, kind: 'hash_mismatch' } });
    const failures = await service.database.sql<{ chain: string }>(
      `SELECT chain FROM audit_event WHERE action = 'audit.verification_failed' AND resource_id = $1`,
      [tenant.id],
    );
    expect(failures.map(({ chain }) => chain)).toEqual(['sealed', 'sealed']);
  });
});
