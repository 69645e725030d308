/** Tests of what goes with reports: documents, the file for submission, lists, non-occurrences and the sealed log. */
import { describe, expect, it } from 'vitest';
import { refusal, success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { REFUSED_FILES } from '../support/refused-uploads.ts';
import { jpeg } from '../support/specimens.ts';
import { startReportWorld, type ReportCreate } from './reports-world.ts';

const { service, newCase, create, created, path, read, upload, submission } = await startReportWorld();

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

  it.each(REFUSED_FILES)('are no file %s', async (_, expected, content, fields) => {
    const report = await created();
    const { status, body } = await refusal(upload(report.id, content, { ...fields }));
    expect([status, body.code]).toEqual(expected);
    expect((await success(read(report.id))).body.documents).toEqual([]);
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
