/** API tests that persons are encrypted in the database: a row that was moved, or whose key is gone, does not open. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { type Application, person } from './applications-world.ts';
import { exposed, item, startDecisionWorld, unlisted } from './decisions-world.ts';

// Rows and keys are damaged below the service. The contract does not describe the resulting failures.
const world = await shared(startDecisionWorld({ sabotaged: true }));

async function storedApplicant(id: string): Promise<string> {
  const [row] = await world.database.sql<{ kept: string }>(
    'SELECT applicant::text AS kept FROM application WHERE id = $1',
    [id],
  );
  return row!.kept;
}

/** Stores the person unsealed, as before persons were sealed. */
async function unsealed(application: Application): Promise<Application> {
  await world.database.sql('UPDATE application SET applicant = $2 WHERE id = $1', [
    application.id,
    JSON.stringify(application.applicant),
  ]);
  await world.database.sql('DELETE FROM subject_key WHERE subject_id = $1', [application.id]);
  return application;
}

const mother = { applicant: { ...person, motherName: 'Hermengarda Zorzetto', email: 'hz@example.net' } };
const statusOf = async (id: string) => (await world.get(id)).status;
const edit = (id: string, applicant: object) =>
  world.request<Application>('PATCH', `/v1/applications/${id}`, { as: world.key, body: { applicant } });

describe('the person of an application', () => {
  it('is sealed in its row, except the name, by which people search', async () => {
    const { id } = await world.inReview(mother);
    const [row] = await world.database.sql<{ row: string }>('SELECT a::text AS row FROM application a WHERE id = $1', [
      id,
    ]);
    expect([
      row!.row.includes('Zorzetto'),
      row!.row.includes('1990-04-12'),
      row!.row.includes('hz@example.net'),
      row!.row.includes('Maria da Silva'),
    ]).toEqual([false, false, false, true]);
    expect((await world.get(id)).body.applicant).toMatchObject(mother.applicant);
  });

  it('is sealed anew when it is edited, and not when something else changes', async () => {
    const { id } = await world.complete();
    const first = await storedApplicant(id);
    await edit(id, { occupation: 'Pilot' });
    const second = await storedApplicant(id);
    expect(second).not.toBe(first);
    await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
    expect([await storedApplicant(id), (await world.get(id)).body.applicant.occupation]).toEqual([second, 'Pilot']);
  });

  it('does not open in another row, with the key of another application, after a byte was changed or without its key; others still open', async () => {
    const [moved, foreign, changed, lost, sound] = await Promise.all([1, 2, 3, 4, 5].map(() => world.inReview(mother)));
    await world.database.sql(
      'UPDATE application SET applicant = (SELECT applicant FROM application WHERE id = $2) WHERE id = $1',
      [moved!.id, sound!.id],
    );
    await world.database.sql(
      'UPDATE subject_key SET wrapped = (SELECT wrapped FROM subject_key WHERE subject_id = $2) WHERE subject_id = $1',
      [foreign!.id, sound!.id],
    );
    const { sealed } = JSON.parse(await storedApplicant(changed!.id)) as { sealed: string };
    const bytes = Buffer.from(sealed, 'base64');
    bytes[20]! ^= 1;
    await world.database.sql('UPDATE application SET applicant = $2 WHERE id = $1', [
      changed!.id,
      JSON.stringify({ sealed: bytes.toString('base64') }),
    ]);
    await world.database.sql('DELETE FROM subject_key WHERE subject_id = $1', [lost!.id]);
    for (const { id } of [moved!, foreign!, changed!, lost!]) {
      expect(await statusOf(id)).toBe(500);
      expect((await edit(id, { occupation: 'Pilot' })).status).toBe(500);
    }
    expect((await world.get(sound!.id)).body.applicant).toMatchObject(mother.applicant);
  });
});

describe('what people write about a person', () => {
  /**
   * Creates a draft with a waiver, an attestation and a consent, and two decisions, the first of which was returned
   * with a note.
   */
  async function withNotes(): Promise<Application> {
    const { id } = await world.complete({ level: 'enhanced' });
    const consent = {
      action: 'granted',
      purpose: 'screening',
      legalBasis: 'consent',
      textVersion: '1',
      textSha256: '0'.repeat(64),
      locale: 'pt-BR',
      channel: 'web',
      capturedAt: '2026-11-01T08:00:00.000Z',
      ip: '203.0.113.9',
      userAgent: 'Zorzetto/1.0',
    };
    await world.request('POST', `/v1/applications/${id}/consents`, { as: world.key, body: consent });
    await world.request('POST', `/v1/applications/${id}/waivers`, {
      as: world.officer,
      body: {
        action: 'granted',
        requirementKey: 'address',
        reasonCode: 'other',
        note: 'Zorzetto lives abroad.',
      },
    });
    const attestation = {
      requirementKey: 'adverse_media_clear',
      outcome: 'pass',
      source: 'News about Zorzetto',
      lookedUpAt: world.running.services.clock().toISOString(),
      note: 'Zorzetto is in no news.',
    };
    await world.request('POST', `/v1/applications/${id}/attestations`, { as: world.officer, body: attestation });
    const application = await world.inReview(exposed);
    await world.ask(application, {
      items: [{ ...item, messageToApplicant: 'When was Zorzetto born?' }],
      internalNote: 'Zorzetto looks younger.',
    });
    await edit(application.id, { dateOfBirth: '1991-02-03' });
    await world.request('POST', `/v1/applications/${application.id}/submit`, { as: world.key });
    const { body: decision } = await world.decide((await world.get(application.id)).body, {
      note: 'Zorzetto agrees with the passport.',
      applicantMessage: 'Welcome, Zorzetto.',
    });
    await world.review((await world.get(application.id)).body, decision, {
      verdict: 'return',
      note: 'Zorzetto is still missing.',
    });
    return (await world.get(application.id, world.officer)).body;
  }

  it('is sealed in the database, and read as it was written', async () => {
    const { id, decisions, informationRequests } = await withNotes();
    expect(decisions).toMatchObject([
      {
        note: 'Zorzetto agrees with the passport.',
        applicantMessage: 'Welcome, Zorzetto.',
        reviewNote: 'Zorzetto is still missing.',
      },
    ]);
    expect(informationRequests).toMatchObject([
      { internalNote: 'Zorzetto looks younger.', items: [{ messageToApplicant: 'When was Zorzetto born?' }] },
    ]);
    for (const table of ['decision', 'second_review', 'information_request', 'consent', 'waiver', 'attestation']) {
      const rows = await world.database.sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      expect(rows.length, table).toBeGreaterThan(0);
      expect(
        rows.filter(({ row }) => /Zorzetto|203\.0\.113\.9/.test(row)),
        table,
      ).toEqual([]);
    }
    const [one] = await world.database.sql<{ id: string }>('SELECT id FROM decision WHERE application_id = $1', [id]);
    await world.database.sql(`UPDATE decision SET note = 'From before notes were sealed.' WHERE id = $1`, [one!.id]);
    expect((await world.get(id, world.officer)).body.decisions?.[0]?.note).toBe('From before notes were sealed.');
  });

  it('opens only in its own row and column', async () => {
    const { id } = await withNotes();
    await world.database.sql('UPDATE decision SET applicant_message = note WHERE application_id = $1', [id]);
    expect(await statusOf(id)).toBe(500);
  });
});

describe('a person from before persons were sealed', () => {
  it('is read, decided about and found as before, and is sealed in place by the job, whatever the status', async () => {
    const open = await unsealed(
      await world.submitted({ applicant: { ...mother.applicant, fullName: unlisted.fullName } }),
    );
    expect((await world.get(open.id)).body).toEqual(open);
    await world.decide(await world.screened(open));
    const draft = await unsealed(await world.complete());
    const before = await Promise.all([open, draft].map(async ({ id }) => (await world.get(id)).body));
    expect([before[0]!.status, before[1]!.status]).toEqual(['approved', 'draft']);
    expect(await world.running.runJob('applications.seal')).toBe(2);
    for (const application of before) {
      expect((await storedApplicant(application.id)).startsWith('{"sealed"')).toBe(true);
      expect((await world.get(application.id)).body).toEqual(application);
    }
    expect(await world.running.runJob('applications.seal')).toBe(0);
    expect(
      (await world.request('POST', '/v1/audit/verify', { as: await world.acme.user('auditor'), body: {} })).body,
    ).toMatchObject({ valid: true });
  });

  it('is sealed at once when it is edited', async () => {
    const { id } = await unsealed(await world.complete());
    expect((await edit(id, { occupation: 'Pilot' })).body.applicant).toMatchObject({ ...person, occupation: 'Pilot' });
    expect((await storedApplicant(id)).startsWith('{"sealed"')).toBe(true);
  });

  it('has the same tax number as another person, which is noticed', async () => {
    const { applicant } = await unsealed(await world.inReview());
    const { status, body } = await world.create({
      purpose: 'account_opening',
      level: 'basic',
      submit: true,
      applicant: { ...person, taxId: { type: 'cpf', value: applicant.taxId!.value } },
    });
    expect([status, (body as { code?: string }).code]).toEqual([409, 'duplicate_active_application']);
  });

  it('is not sealed if it was erased in the meantime', async () => {
    const { id } = await unsealed(await world.complete());
    const officer = await world.acme.user('compliance_officer', { secondFactor: true });
    const erased = await world.request('POST', `/v1/applications/${id}/erase`, {
      as: officer,
      body: { reason: 'data_subject_request' },
    });
    expect(erased.status).toBe(202);
    await world.running.runJob('applications.seal');
    expect(await storedApplicant(id)).toBe('{}');
  });
});
