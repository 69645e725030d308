/** API tests of erasing the screening of a name without an application, and of what forbids it. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import type { Answer, Credential } from '../support/service.ts';
import { shared } from '../support/service.ts';
import { LISTED, type Refusal, startScreeningWorld } from './screenings-world.ts';

type Erasure = components['schemas']['ScreeningErasure'];

const world = await shared(startScreeningWorld());
let officer: Credential;
beforeAll(async () => {
  officer = await world.acme.user('compliance_officer', { secondFactor: true });
});

const erase = (
  id: string,
  as: Credential = officer,
  body: object = { reason: 'data_subject_request', requestRef: 'dsr-7' },
): Promise<Answer<Erasure & Refusal>> => world.request('POST', `/v1/screenings/${id}/erase`, { as, body });
const statusAndCode = ({ status, body: { code } }: Answer<Refusal>): unknown => [status, code];

describe('the screening of a name without an application', () => {
  it('is erased with its reruns, and answers accordingly from then on', async () => {
    const { body: first } = await world.person('Wilhelmina Apagada Souza', {
      dateOfBirth: '1971-05-06',
      taxId: '52998224725',
    });
    const { body: again } = await world.request<{ id: string }>('POST', `/v1/screenings/${first.id}/rerun`, {
      as: world.key,
      body: {},
    });
    const answer = await erase(first.id.toUpperCase());
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        screeningId: first.id,
        reason: 'data_subject_request',
        requestRef: 'dsr-7',
        screenings: 2,
        erasedAt: expect.any(String) as string,
      },
    ]);
    for (const id of [first.id, again.id]) {
      expect(statusAndCode(await world.get(id))).toEqual([410, 'erased']);
      expect(
        statusAndCode(await world.request('POST', `/v1/screenings/${id}/rerun`, { as: world.key, body: {} })),
      ).toEqual([410, 'erased']);
      expect(statusAndCode(await erase(id))).toEqual([410, 'erased']);
    }
    const {
      body: { items },
    } = await world.list('limit=100');
    expect(items.filter(({ id }) => id === first.id || id === again.id)).toEqual([]);
    const [key] = await world.database.sql<{ wrapped: Buffer | null }>(
      "SELECT wrapped FROM subject_key WHERE subject_type = 'screening' AND subject_id = $1",
      [first.id],
    );
    expect(key).toEqual({ wrapped: null });
    const events = await world.database.sql<{ action: string; changes: unknown }>(
      "SELECT action, resource_id FROM audit_event WHERE action = 'subject.erased' AND resource_id = $1",
      [first.id],
    );
    expect(events).toHaveLength(1);
  });

  it('is left alone if it is of another tenant, or of an application', async () => {
    const {
      body: { id },
    } = await world.person('Otávio Alheio Lima');
    const stranger = await (await world.tenant()).user('compliance_officer', { secondFactor: true });
    expect(statusAndCode(await erase(id, stranger))).toEqual([404, 'not_found']);
    expect((await world.get(id)).status).toBe(200);
    const { body: application } = await world.request<{ id: string }>('POST', '/v1/applications', {
      as: world.key,
      body: { purpose: 'other', applicant: { fullName: 'Otávio Próprio Lima' } },
    });
    const { body: screening } = await world.screen({ applicationId: application.id });
    expect(statusAndCode(await erase(screening.id))).toEqual([409, 'screening_of_application']);
    expect((await world.get(screening.id)).status).toBe(200);
  });

  it('answers 404 after its erasure, too, to a key that does not see its environment', async () => {
    const [sandboxOfficer, pinned] = await Promise.all([
      world.sandboxed.user('compliance_officer', { secondFactor: true }),
      world.sandboxed.key(['read', 'write', 'screening'], { pinEnvironment: true }),
    ]);
    const {
      body: { id },
    } = await world.person('Raimunda Areia Prado', {}, world.test);
    expect(statusAndCode(await world.get(id, pinned))).toEqual([404, 'not_found']);
    expect((await erase(id, sandboxOfficer)).status).toBe(202);
    expect(statusAndCode(await world.get(id, world.test))).toEqual([410, 'erased']);
    expect(statusAndCode(await world.get(id, pinned))).toEqual([404, 'not_found']);
  });

  it('is stored while a confirmed hit is evidence, and as long as a rejection', async () => {
    const {
      body: {
        id,
        hits: [hit],
      },
    } = await world.screen({ subject: LISTED, lists: ['un-csnu'] });
    await world.database.sql("UPDATE screening_hit SET status = 'true_positive' WHERE id = $1", [hit!.id]);
    await world.database.sql(
      `INSERT INTO hit_decision (tenant_id, id, environment, screening_id, hit_id, subject_id, list_id, list_sequence,
        entity_mac, entity_hash, subject_hash, status, reason_code, note, state, created_by, created_at)
      SELECT h.tenant_id, gen_random_uuid(), h.environment, h.screening_id, h.id, h.subject_id, h.list_id, 1,
        h.entity_mac, h.entity_hash, h.subject_hash, 'true_positive', 'same_person_confirmed', 'x', 'effective', '{}',
        now()
      FROM screening_hit h WHERE h.id = $1`,
      [hit!.id],
    );
    await world.database.sql(
      `UPDATE screening_hit h SET decision_id = (SELECT d.id FROM hit_decision d WHERE d.hit_id = h.id)
        WHERE h.id = $1`,
      [hit!.id],
    );
    const refused = await erase(id);
    expect(statusAndCode(refused)).toEqual([409, 'retention_hold']);
    expect(refused.body.holdUntil).toMatch(/^20\d\d-12-31$/);
    await world.database.sql("UPDATE hit_decision SET created_at = now() - interval '7 years' WHERE hit_id = $1", [
      hit!.id,
    ]);
    expect((await erase(id)).status).toBe(202);
  });
});
