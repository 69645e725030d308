/** API tests that an erasure leaves nothing of what people wrote about an applicant in cases. */
import { describe, expect, it } from 'vitest';
import { newCase, newCaseDocument, newNote, readCase } from '../operations/case-records.ts';
import { fileDigests } from '../support/production.ts';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { form, refusal } from './applications-world.ts';
import { startErasureWorld } from './applications-erasure-world.ts';
import { rejection } from './decisions-world.ts';
import type { Resolution } from './cases-world.ts';

const world = await shared(startErasureWorld());
const tenant = world.acme;
const NOTE = 'Zorzetto keeps otters in the cellar.';
const REASONING = 'The otters of Zorzetto explain the transfers.';

/** Creates a rejected applicant with a resolved case, and an open case with a note, a document and a proposal. */
async function worked() {
  const application = await world.inReview();
  const analyst = await tenant.user('analyst', { purpose: 'proposes' });
  const [done, open] = [
    await newCase(world, tenant, { applicationId: application.id }),
    await newCase(world, tenant, { applicationId: application.id, type: 'application_review', tags: ['otters'] }),
  ];
  for (const caseId of [done, open]) await newNote(world, tenant, caseId, NOTE);
  const documentId = await newCaseDocument(world, tenant, open);
  const resolve = async (caseId: string, outcome: string, reasonCode: string) => {
    const { evidenceDigest } = await readCase(world, tenant, caseId);
    const body = {
      outcome,
      reasonCodes: [reasonCode],
      note: REASONING,
      evidenceDigest,
    };
    return (await world.request<Resolution>('POST', `/v1/cases/${caseId}/resolve`, { as: analyst, body })).body;
  };
  expect((await resolve(done, 'no_action', 'duplicate_case')).status).toBe('effective');
  await world.decide((await world.get(application.id)).body, rejection);
  const { id: resolutionId, status } = await resolve(open, 'confirmed_risk', 'suspicion_confirmed');
  expect(status).toBe('pending_review');
  return {
    id: application.id,
    done,
    open,
    documentId,
    resolutionId,
  };
}

describe('the erasure of an applicant', () => {
  it('empties notes, resolutions and documents of the cases, which answer 410 from then on', async () => {
    const filesBefore = Object.keys(await fileDigests(world.running.services.config.dataDir));
    const { id, done, open, documentId, resolutionId } = await worked();
    await world.age(id, '2009-05-05T12:00:00Z');
    expect((await world.erase(id)).status).toBe(202);

    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { tags: [] }],
      ['POST', '/notes', { text: 'Too late.' }],
      ['GET', `/documents/${documentId}/content`],
      ['POST', '/reopen', { reasonCode: 'error_found', note: 'Once more, please.' }],
      [
        'POST',
        '/resolve',
        {
          outcome: 'no_action',
          reasonCodes: ['duplicate_case'],
          note: 'The question was answered.',
          evidenceDigest: `sha256:${'0'.repeat(64)}`,
        },
      ],
      [
        'POST',
        `/resolutions/${resolutionId}/review`,
        { verdict: 'confirm', note: 'I have read it.', evidenceDigest: `sha256:${'0'.repeat(64)}` },
      ],
    ] as const) {
      const refused = await world.request(method, `/v1/cases/${open}${path}`, { as: world.eraser, body });
      expect([method, path, refusal(refused)]).toEqual([method, path, [410, 'erased']]);
    }
    const upload = await world.request('POST', `/v1/cases/${open}/documents`, {
      as: world.eraser,
      body: form(jpeg({ text: 'too late' })),
    });
    const create = await world.request('POST', '/v1/cases', {
      as: world.eraser,
      body: { type: 'ad_hoc', applicationId: id },
    });
    expect([refusal(upload), refusal(create)]).toEqual([
      [410, 'erased'],
      [410, 'erased'],
    ]);
    const { body: list } = await world.request<{ items: { id: string }[] }>('GET', '/v1/cases?limit=100', {
      as: world.eraser,
    });
    const { body: work } = await world.request<{ items: { id: string }[] }>('GET', '/v1/work?limit=100', {
      as: world.eraser,
    });
    const listed = [...list.items, ...work.items].map((item) => item.id);
    expect(listed.filter((one) => [done, open, resolutionId].includes(one))).toEqual([]);

    const rows = await world.database.sql<{ row: string }>(
      `SELECT n::text AS row FROM case_note n WHERE case_id = ANY ($1) UNION ALL
        SELECT r::text FROM case_resolution r WHERE case_id = ANY ($1)`,
      [[done, open]],
    );
    expect(rows).toHaveLength(4);
    const texts = await world.database.sql<{ text: string | null }>(
      `SELECT text FROM case_note WHERE case_id = ANY ($1) UNION ALL
        SELECT note FROM case_resolution WHERE case_id = ANY ($1)`,
      [[done, open]],
    );
    expect(new Set(texts.map(({ text }) => text))).toEqual(new Set(['']));
    const cases = await world.database.sql('SELECT status, tags FROM review_case WHERE id = ANY ($1)', [[done, open]]);
    expect(cases).toEqual([done, open].map(() => ({ status: 'resolved', tags: [] })));
    expect(Object.keys(await fileDigests(world.running.services.config.dataDir))).toEqual(filesBefore);
    const summary = await world.request<{ openCount: number }>('GET', '/v1/cases/summary', { as: world.eraser });
    expect(summary.body.openCount).toBe(0);
  });
});
