import { describe, expect, it } from 'vitest';
import { sql } from '../../server/database/index.ts';
import { newApplication } from '../operations/application-records.ts';
import { newCaseDocument } from '../operations/case-records.ts';
import { refusalOf, startCasesWorld } from './cases-world.ts';

const { service, tenant, analyst, colleague, officer, call, open, read, patch, list, settings } =
  await startCasesWorld();

describe('a case', () => {
  it('has the next number of its year, the hours of its queue, and nobody who works on it', async () => {
    const [first, other] = [await read(await open()), await read(await open({ queue: 'critical' }))];
    expect(first).toMatchObject({
      status: 'open',
      queue: 'normal',
      assigneeId: null,
      openedReason: 'manual',
      version: 1,
    });
    const [, year, number] = /^C-(\d{4})-(\d{6})$/.exec(first.number)!;
    expect(other.number).toBe(`C-${year}-${String(Number(number) + 1).padStart(6, '0')}`);
    expect(
      [first, other].map(({ dueAt, createdAt }) => (Date.parse(dueAt!) - Date.parse(createdAt)) / 3_600_000),
    ).toEqual([72, 4]);
  });

  it('is the only open one about an applicant and a type', async () => {
    const applicationId = await newApplication(service, tenant);
    const id = await open({ applicationId });
    const again = await call('POST', '/v1/cases', analyst.as, { type: 'ad_hoc', applicationId });
    expect([...refusalOf(again), again.body.existingId]).toEqual([409, 'open_case_exists', id]);
    const other = await call('POST', '/v1/cases', analyst.as, { type: 'risk_increase', applicationId });
    expect(other.status).toBe(201);
    const many = await Promise.all(
      Array.from({ length: 5 }, () =>
        call('POST', '/v1/cases', analyst.as, { type: 'application_review', applicationId }),
      ),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it.each([
    ['an unknown queue', { queue: 'nowhere' }, [422, 'unknown_queue', '/queue']],
    ['a quality review, which only the service opens', { type: 'quality_review' }, [422, 'validation_failed', '/type']],
    ['a note of 10,001 characters', { note: 'x'.repeat(10_001) }, [422, 'validation_failed', '/note']],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, [422, 'validation_failed', '/tags']],
    ['a priority', { priority: 'high' }, [422, 'validation_failed', '/priority']],
    ['a subject that does not exist', { applicationId: '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21' }, [404, 'not_found']],
  ])('is not opened with %s', async (_, body, expected) => {
    const applicationId = await newApplication(service, tenant);
    expect(refusalOf(await call('POST', '/v1/cases', analyst.as, { type: 'ad_hoc', applicationId, ...body }))).toEqual(
      expected,
    );
  });

  it('is found by its assignee in capitals, by me, by nobody and by its tag', async () => {
    const [mine, free] = [await open({ tags: ['found-by-tag'] }), await open({ tags: ['found-by-tag'] })];
    expect((await patch(mine, { assigneeId: analyst.id })).status).toBe(200);
    const ids = async (query: string) => (await list(`${query}&tag=found-by-tag`)).map(({ id }) => id);
    expect(await ids(`assigneeId=${analyst.id.toUpperCase()}`)).toEqual([mine]);
    expect(await ids('assigneeId=me')).toEqual([mine]);
    expect(await ids('assigneeId=none')).toEqual([free]);
    expect(await list('assigneeId=me', await tenant.key(['read']))).toEqual([]);
    expect(refusalOf(await call('GET', '/v1/cases?assigneeId=somebody', analyst.as))).toEqual([
      400,
      'invalid_parameter',
    ]);
  });

  it('is listed by due date, by queue and by age, a page after the other', async () => {
    const tag = 'listed-in-order';
    const late = await open({ queue: 'low', tags: [tag] });
    const early = await open({ queue: 'critical', tags: [tag] });
    const middle = await open({ queue: 'high', tags: [tag] });
    const inOrder = async (sort: string) => (await list(`tag=${tag}&sort=${sort}`)).map(({ id }) => id);
    expect(await inOrder('dueAt')).toEqual([early, middle, late]);
    expect(await inOrder('-dueAt')).toEqual([late, middle, early]);
    expect(await inOrder('queue')).toEqual([early, middle, late]);
    expect(await inOrder('createdAt')).toEqual([late, early, middle]);
    for (const sort of ['dueAt', 'queue', '-updatedAt']) {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { body: { items: { id: string }[]; cursor: string | null } } = await call(
          'GET',
          `/v1/cases?tag=${tag}&sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
          analyst.as,
        );
        found.push(...page.body.items.map(({ id }) => id));
        ({ cursor } = page.body);
      }
      expect(found).toEqual(await inOrder(sort));
    }
  });

  it('is summarised by status, queue and member', async () => {
    const { body } = await call<{ openCount: number; byStatus: { count: number }[]; byQueue: { queue: string }[] }>(
      'GET',
      '/v1/cases/summary',
      officer.as,
    );
    const open = await list('status=open&status=in_progress&status=on_hold&status=pending_approval&limit=100');
    expect(body.openCount).toBe(open.length);
    expect(body.byStatus.reduce((sum, { count }) => sum + count, 0)).toBe(open.length);
    expect(body.byQueue.map(({ queue }) => queue)).toEqual(
      ['critical', 'high', 'normal', 'low'].filter((key) => open.some(({ queue }) => queue === key)),
    );
  });
});

describe('a change of a case', () => {
  it('is refused while somebody else has changed it since it was read', async () => {
    const id = await open();
    await patch(id, { tags: ['one'] });
    const stale = await service.request('PATCH', `/v1/cases/${id}`, {
      as: analyst.as,
      headers: { 'If-Match': '"1"' },
      body: { tags: ['two'] },
    });
    expect([stale.status, stale.body.code]).toEqual([412, 'version_conflict']);
    expect((await read(id)).tags).toEqual(['one']);
  });

  it('moves the due date with the queue, counted from the opening', async () => {
    const id = await open();
    const { dueAt, createdAt } = (await patch(id, { queue: 'critical' })).body;
    expect(Date.parse(dueAt!) - Date.parse(createdAt)).toBe(4 * 3_600_000);
    expect(refusalOf(await patch(id, { queue: 'nowhere' }))).toEqual([422, 'unknown_queue', '/queue']);
  });

  it('ticks the checklist of the settings', async () => {
    await settings({
      cases: { checklists: [{ type: 'risk_increase', items: [{ key: 'income', label: 'Ask', required: true }] }] },
    });
    const id = await open({ type: 'risk_increase' });
    const { checklist } = (await patch(id, { checklistDone: ['income'] })).body;
    expect(checklist).toMatchObject([{ key: 'income', doneBy: { id: analyst.id }, doneAt: expect.any(String) }]);
    expect(refusalOf(await patch(id, { checklistDone: ['other'] }))).toEqual([
      422,
      'validation_failed',
      '/checklistDone',
    ]);
  });

  it('gives a case to an active member who works on cases and nobody else', async () => {
    const id = await open();
    const viewer = await tenant.person('viewer');
    const stranger = await service.other.person('analyst');
    for (const { id: assigneeId } of [viewer, stranger])
      expect(refusalOf(await patch(id, { assigneeId }))).toEqual([422, 'assignee_not_eligible', '/assigneeId']);
    expect((await patch(id, { assigneeId: colleague.id })).body).toMatchObject({
      status: 'in_progress',
      assigneeId: colleague.id,
    });
    expect((await patch(id, { assigneeId: null })).body).toMatchObject({ status: 'open', assigneeId: null });
  });

  it('relates it to cases that exist, and not to itself', async () => {
    const [id, other] = [await open(), await open()];
    expect((await patch(id, { relatedCaseIds: [other.toUpperCase()] })).body.relatedCaseIds).toEqual([other]);
    for (const relatedCaseIds of [[id], ['0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21']])
      expect(refusalOf(await patch(id, { relatedCaseIds }))).toEqual([422, 'validation_failed', '/relatedCaseIds']);
  });
});

describe('a note', () => {
  it('is sealed, never changes, and names documents of the case only', async () => {
    const id = await open();
    const documentId = await newCaseDocument(service, tenant, id);
    const { body: note } = await call<{ id: string }>('POST', `/v1/cases/${id}/notes`, analyst.as, {
      text: 'CPF 529.982.247-25',
      documentIds: [documentId.toUpperCase()],
    });
    expect((await read(id)).notes).toMatchObject([
      {
        id: note.id,
        text: 'CPF 529.982.247-25',
        documentIds: [documentId],
        createdBy: { id: analyst.id },
      },
    ]);
    const [row] = await service.database.sql<{ text: string }>('SELECT text FROM case_note WHERE id = $1', [note.id]);
    expect(row!.text).not.toContain('529');
    expect(
      refusalOf(
        await call('POST', `/v1/cases/${await open()}/notes`, analyst.as, { text: 'x', documentIds: [documentId] }),
      ),
    ).toEqual([422, 'validation_failed', '/documentIds']);
    const change = service.database.database.transaction({ tenantId: tenant.id }, (tx) =>
      tx.query(sql`UPDATE case_note SET text = 'y' WHERE id = ${note.id}`),
    );
    await expect(change).rejects.toThrow();
  });

  it('has at most 10,000 characters, and a case at most 200 notes', async () => {
    const id = await open();
    const write = (text: string) => call('POST', `/v1/cases/${id}/notes`, analyst.as, { text });
    expect((await write('x'.repeat(10_000))).status).toBe(201);
    expect(refusalOf(await write('x'.repeat(10_001)))).toEqual([422, 'validation_failed', '/text']);
    await service.database.sql('UPDATE review_case SET note_count = 200 WHERE id = $1', [id]);
    expect(refusalOf(await write('One more.'))).toEqual([409, 'case_note_limit']);
  });
});

describe('a document of a case', () => {
  it('is stored once, opened by its case only, and is none of the application', async () => {
    const id = await open();
    const documentId = await newCaseDocument(service, tenant, id);
    const { applicationId, documents } = await read(id);
    expect(documents!.map((document) => document.id)).toEqual([documentId]);
    const content = await call('GET', `/v1/cases/${id}/documents/${documentId}/content`, officer.as);
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const elsewhere = [
      `/v1/applications/${applicationId}/documents/${documentId}/content`,
      `/v1/cases/${await open()}/documents/${documentId}/content`,
    ];
    for (const path of elsewhere) expect((await call('GET', path, officer.as)).status).toBe(404);
    const application = await call<{ documents: object[] }>('GET', `/v1/applications/${applicationId}`, officer.as);
    expect(application.body.documents).toEqual([]);
  });
});
