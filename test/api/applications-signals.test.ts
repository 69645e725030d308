/**
 * API tests of the signal that two applications give one tax number different dates of birth. It must make the decision
 * require two people.
 */
import { describe, expect, it } from 'vitest';
import { newCpf } from '../support/cpf.ts';
import { type Credential, shared } from '../support/service.ts';
import type { Application } from './applications-world.ts';
import { rejection, startDecisionWorld, unlisted } from './decisions-world.ts';

const world = await shared(startDecisionWorld());
const reason = ['identity_conflict'];
const signals = async (id: string, as = world.key) => (await world.get(id, as)).body.signals;

/** Returns a tax number, and functions that create drafts or submitted applications under it. */
function somebody() {
  const taxId = { type: 'cpf', value: newCpf() };
  const apply = async (dateOfBirth: string, body: object = {}) =>
    world.screened(
      (
        await world.create({
          purpose: 'account_opening',
          level: 'basic',
          submit: true,
          ...body,
          applicant: { ...unlisted, taxId, dateOfBirth },
        })
      ).body,
    );
  const reject = async (application: Application) => {
    expect((await world.decide(application, rejection)).status).toBe(202);
    expect((await world.review(application, (await world.get(application.id)).body.decisions![0]!)).status).toBe(200);
  };
  return { apply, reject };
}

describe('that another application gives another date of birth under the same tax number', () => {
  it('is a signal of both once both were submitted, also in the answer to the submission, and of no draft', async () => {
    const { apply } = somebody();
    const first = await apply('1971-01-02');
    expect([first.signals, (await world.decide(first)).body.status]).toEqual([[], 'effective']);
    const draft = await apply('1990-04-12', { submit: false });
    expect([draft.signals, await signals(draft.id), await signals(first.id)]).toEqual([[], [], []]);
    const { body: submitted } = await world.request<Application>('POST', `/v1/applications/${draft.id}/submit`, {
      as: world.key,
    });
    expect([submitted.signals, await signals(draft.id), await signals(first.id)]).toEqual([reason, reason, reason]);
    const second = somebody();
    await world.decide(await second.apply('1971-01-02'));
    expect((await second.apply('1990-04-12')).signals).toEqual(reason);
  });

  it('makes the decision require two people', async () => {
    const { apply } = somebody();
    await world.decide(await apply('1971-01-02'));
    const other = await apply('1990-04-12');
    const { body: decision } = await world.decide(other);
    expect([decision.status, decision.fourEyesReasons]).toEqual(['pending_review', other.signals]);
  });

  it('ends if the applicant corrects the date, and appears if the number becomes that of another person', async () => {
    const { apply } = somebody();
    await world.decide(await apply('1971-01-02'));
    const other = await apply('1990-04-12');
    await world.ask(other);
    const patch = async (applicant: object) =>
      (
        await world.request<Application>('PATCH', `/v1/applications/${other.id}`, {
          as: world.key,
          body: { applicant },
        })
      ).body.signals;
    expect(await patch({ dateOfBirth: '1971-01-02' })).toEqual(['not_screened']);
    expect((await world.screened(other)).signals).toEqual([]);
    await world.request('POST', `/v1/applications/${other.id}/submit`, { as: world.key });
    const taxId = { type: 'cpf', value: newCpf() };
    await world.decide(
      (
        await world.create({
          purpose: 'account_opening',
          level: 'basic',
          submit: true,
          applicant: { ...unlisted, taxId, dateOfBirth: '1980-01-01' },
        })
      ).body,
    );
    await world.ask(other, {
      items: [
        {
          requirementKey: 'tax_id_valid',
          reasonCode: 'number_unreadable',
          messageToApplicant: 'Send your own number.',
        },
      ],
    });
    expect(await patch({ taxId })).toEqual([...reason, 'not_screened']);
  });

  it('goes with an application that is erased', async () => {
    const { apply, reject } = somebody();
    const first = await apply('1971-01-02');
    await world.decide(first, { outcome: 'reject', rejectType: 'retry', reasonCodes: ['document_unreadable'] });
    const other = await apply('1990-04-12');
    expect(other.signals).toEqual(reason);
    await reject(other);
    await world.database.sql(`UPDATE application SET decided_at = '2019-05-05T12:00:00Z' WHERE id = $1`, [other.id]);
    const officer = await world.acme.user('compliance_officer', { secondFactor: true });
    const accepted = await world.request('POST', `/v1/applications/${other.id}/erase`, {
      as: officer,
      body: { reason: 'data_subject_request' },
    });
    expect(accepted.status).toBe(202);
    expect(await signals(first.id)).toEqual([]);
  });

  it('is not shown in lists, nor to readers who see persons masked and could find out a date by trying, nor across tenants', async () => {
    const { apply } = somebody();
    await world.decide(await apply('1971-01-02'));
    const other = await apply('1990-04-12');
    const { body: list } = await world.request<{ items: Application[] }>('GET', '/v1/applications?limit=1', {
      as: world.key,
    });
    expect([list.items[0]!.id, list.items[0]!.signals]).toEqual([other.id, undefined]);
    const masked = await world.acme.key(['read'], { personalData: 'masked' });
    expect(await signals(other.id, masked)).toBeUndefined();
    expect((await world.decide(other)).body.fourEyesReasons).toEqual(reason);
    const reasonsFor = async (as: Credential) =>
      (await world.get(other.id, as)).body.decisions!.map(({ fourEyesReasons }) => fourEyesReasons);
    expect([await reasonsFor(world.key), await reasonsFor(masked)]).toEqual([[reason], [[]]]);
    const elsewhere = await world.other.key(['read', 'write']);
    const { taxId } = other.applicant;
    const { body } = await world.create(
      {
        purpose: 'account_opening',
        level: 'basic',
        submit: true,
        applicant: { ...unlisted, taxId, dateOfBirth: '2000-01-01' },
      },
      elsewhere,
    );
    expect(body.signals).toEqual(['not_screened']);
  });
});
