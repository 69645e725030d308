/** Tests of erasing a business: what it empties, what it frees, and when the law forbids it. */
import { describe, expect, it } from 'vitest';
import { newDecidedBusiness } from '../operations/business-records.ts';
import { newActivePower, newEvaluation, newPower } from '../operations/powers.ts';
import { fileDigests } from '../support/production.ts';
import { useService } from '../support/service.ts';
import { businessWorld, graph, newBusiness, newBusinessDocument } from './business-world.ts';

const service = await useService();
const { acme, other } = service;
const { key, analyst, officer, call, read, own, erase, waiting } = await businessWorld(service);

/** Records everything that may belong to a draft, and returns the id of the business. */
async function story(): Promise<string> {
  const id = await newBusiness(service, acme);
  await call('PATCH', id, { body: { tradeName: 'SECRET-TRADE-NAME', externalId: `ref-${id}` } });
  await newBusinessDocument(service, acme, id);
  await own(id, graph);
  await newActivePower(service, acme, id);
  await newPower(service, acme, id, { registryOffice: 'SECRET-OFFICE' });
  await newEvaluation(service, acme, id);
  await call('POST', `${id}/waivers`, {
    as: officer,
    body: {
      action: 'granted',
      requirementKey: 'registry_active',
      reasonCode: 'not_obtainable',
      note: 'SECRET-NOTE',
    },
  });
  return id;
}

describe('the erasure of a business', () => {
  it('empties every row of it, its key and its files, and leaves digests, statuses and the log', async () => {
    const filesOf = async () => Object.keys(await fileDigests(service.running.services.config.dataDir)).length;
    const before = await filesOf();
    const id = await story();
    const events = (await acme.audit()).length;
    const { status, body } = await erase(id);
    expect([status, body]).toMatchObject([202, { businessId: id, documents: 2 }]);
    await expect.poll(filesOf).toBe(before);
    for (const [table, columns] of [
      ['business', ['legal_name', 'trade_name', 'external_id', 'status_note']],
      ['ownership_version', ['graph', 'assessment']],
      ['power', ['instrument', 'confirmation_note']],
      ['signing_evaluation', ['input', 'answer']],
      ['waiver', ['note']],
      ['document', ['file_name', 'country']],
    ] as const) {
      const rows = await service.database.sql<Record<string, unknown>>(
        `SELECT ${columns.join(', ')}, erased_at FROM ${table}
          WHERE ${table === 'business' ? 'id' : 'business_id'} = $1`,
        [id],
      );
      expect(rows.length, table).toBeGreaterThan(0);
      for (const { erased_at: erasedAt, ...left } of rows) {
        expect(erasedAt, table).not.toBeNull();
        expect(
          Object.values(left).every((value) => value === null || value === ''),
          table,
        ).toBe(true);
      }
    }
    const [subjectKey] = await service.database.sql<{ wrapped: unknown }>(
      'SELECT wrapped FROM subject_key WHERE subject_id = $1',
      [id],
    );
    expect(subjectKey!.wrapped).toBeNull();
    const [receipt] = await service.database.sql<{ digest: string; result: string }>(
      'SELECT digest, result FROM signing_evaluation WHERE business_id = $1',
      [id],
    );
    expect(receipt).toMatchObject({ result: 'indeterminate', digest: expect.stringMatching(/^sha256:/) as string });
    const log = await acme.audit();
    expect(log.slice(events).map(({ action }) => action)).toEqual(['subject.erased']);
    expect(JSON.stringify(log)).not.toMatch(/SECRET-/);
  });

  it('ends the second reviews of drafts, which nobody can read any more', async () => {
    const id = await story();
    const states = () =>
      service.database.sql<{ state: string }>(
        `SELECT r.state FROM second_review r JOIN power p ON p.review_id = r.subject_id AND r.subject_type = 'power'
          WHERE p.business_id = $1 ORDER BY r.state`,
        [id],
      );
    expect((await states()).map(({ state }) => state)).toEqual(['confirmed', 'pending']);
    await erase(id);
    expect((await states()).map(({ state }) => state)).toEqual(['confirmed', 'invalidated']);
  });

  it('answers erased to everything about the business from then on, and lists nothing of it', async () => {
    const id = await story();
    await erase(id);
    for (const path of [
      '',
      '/timeline',
      '/ownership',
      '/ownership/versions',
      '/beneficial-owners',
      '/powers',
      '/signing-evaluations',
      '/evidence-pack',
    ])
      expect([path, (await call('GET', `${id}${path}`, { as: officer })).status]).toEqual([path, 410]);
    expect((await call('PATCH', id, { body: { legalName: 'Again Ltda' } })).status).toBe(410);
    expect((await erase(id)).status).toBe(410);
    const list = await service.request<{ items: { id: string }[] }>('GET', '/v1/businesses?limit=100', { as: officer });
    expect(list.body.items.some((one) => one.id === id)).toBe(false);
  });

  it('frees the registration and the reference', async () => {
    const id = await newBusiness(service, acme);
    await call('PATCH', id, { body: { externalId: 'company-again' } });
    const { registration } = await read(id);
    const again = () =>
      service.request<{ code?: string }>('POST', '/v1/businesses', {
        as: key,
        body: {
          legalName: 'Padaria Aurora Ltda',
          legalForm: 'ltda',
          externalId: 'company-again',
          registration,
        },
      });
    expect((await again()).body.code).toBe('duplicate_registration');
    await erase(id);
    expect((await again()).status).toBe(201);
  });

  it('happens once, however many request it at once', async () => {
    const id = await newBusiness(service, acme);
    const answers = await Promise.all(Array.from({ length: 4 }, () => erase(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 410, 410, 410]);
  });

  it('is for a compliance officer with a fresh second factor, and for no key and no other tenant', async () => {
    const id = await newBusiness(service, acme);
    const codes = [];
    for (const as of [
      await acme.user('analyst', { secondFactor: true }),
      await acme.key(['admin']),
      officer,
      await other.user('compliance_officer', { secondFactor: true }),
    ])
      codes.push((await erase(id, as)).body.code);
    expect(codes).toEqual(['role_forbidden', 'human_required', 'step_up_required', 'not_found']);
    expect((await call('GET', id, { as: officer })).status).toBe(200);
  });
});

describe('the law', () => {
  it('keeps a customer until the relationship has ended for ten years', async () => {
    const id = await newDecidedBusiness(service, acme);
    expect((await erase(id)).body).toMatchObject({ code: 'retention_hold', holdUntil: null });
    await call('POST', `${id}/end-relationship`, { as: analyst, body: { reasonCode: 'customer_request' } });
    await age(id, '2026-03-15T12:00:00Z');
    expect((await erase(id)).body).toMatchObject({ code: 'retention_hold', holdUntil: '2036-12-31' });
    await age(id, '2015-03-15T12:00:00Z');
    expect((await erase(id)).status).toBe(202);
  });

  it('keeps a rejected company for five years, and a company under review must be withdrawn first', async () => {
    const id = await newDecidedBusiness(service, acme, 'reject');
    expect((await erase(id)).body).toMatchObject({ code: 'retention_hold' });
    await age(id, '2015-03-15T12:00:00Z');
    expect((await erase(id)).status).toBe(202);
    const pending = await waiting();
    expect((await erase(pending.id)).body).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'pending_approval',
    });
  });

  /** Moves the dates of a business many years into the past. */
  const age = (id: string, ended: string) =>
    service.database.sql(
      `UPDATE business SET submitted_at = $2, decided_at = $2, updated_at = $2,
        relationship_ended_at = CASE WHEN relationship_ended_at IS NOT NULL THEN $2::timestamptz END
      WHERE id = $1`,
      [id, ended],
    );
});
