/** Tests that nothing readable of a verification or a challenge remains after its application was erased. */
import { expect, it } from 'vitest';
import { LINES, startVerificationWorld } from './verifications-world.ts';

const world = await startVerificationWorld();
const tenant = await world.sandbox();
const key = await tenant.key(['read', 'write'], { environment: 'test' });
const officer = await tenant.user('compliance_officer', { secondFactor: true });

it('An erased application takes its verifications, challenges and frames along', async () => {
  const applicationId = await world.apply(key);
  await world.basis(tenant, applicationId, key);
  const [{ body: open }, { body: used }] = [
    await world.challenge(key, applicationId),
    await world.challenge(key, applicationId),
  ];
  await world.frames(key, used);
  const read = await world.start(key, { applicationId, type: 'document_ocr', inputs: { mrzLines: LINES } });
  const seen = await world.start(key, {
    applicationId,
    type: 'liveness',
    inputs: { challengeId: used.id },
    sandbox: { outcome: 'passed' },
  });
  await world.ended(key, read.body.id);
  const waiting = await world.start(key, {
    applicationId,
    type: 'registry',
    registrySource: 'receita_cpf',
    sandbox: { outcome: 'passed' },
  });
  const erased = await world.request('POST', `/v1/applications/${applicationId}/erase`, {
    as: officer,
    body: { reason: 'data_subject_request' },
  });
  expect(erased.status, erased.text).toBe(202);
  const override = { result: 'passed', reasonCode: 'other', note: 'Nobody can look at this any more.' };
  const answers = [
    await world.read(key, read.body.id),
    await world.request('POST', `/v1/verifications/${read.body.id}/override`, { as: officer, body: override }),
    await world.request('GET', `/v1/verifications/${seen.body.id}/frames/1/content`, { as: officer }),
    await world.start(key, { applicationId, type: 'document_ocr', inputs: { mrzLines: LINES } }),
    await world.challenge(key, applicationId),
    await world.frames(key, open),
  ];
  expect(answers.map(({ status }) => status)).toEqual([410, 410, 410, 410, 410, 410]);
  // The task of the waiting verification finds nothing to do.
  await world.running.runTasks();
  const list = await world.request<{ items: object[] }>('GET', '/v1/verifications', { as: key });
  expect(list.body.items).toEqual([]);
  const rows = await world.database.sql<{ id: string; status: string; text: string | null }>(
    `SELECT id, status, concat(mrz_lines, subject, result, override) AS text FROM verification
      WHERE application_id = $1`,
    [applicationId],
  );
  expect(rows.map(({ text }) => text)).toEqual(['', '', '']);
  expect(rows.find(({ id }) => id === waiting.body.id)?.status).toBe('queued');
});
