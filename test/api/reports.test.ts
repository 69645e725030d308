/** Tests of reports to the authority: how they begin, change, are decided and are filed. */
import { describe, expect, it } from 'vitest';
import { refusal, success } from '../support/api.ts';
import { startReportWorld } from './reports-world.ts';

const { service, newCase, create, created, read, change, file, upload, submission, decide } = await startReportWorld();

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
