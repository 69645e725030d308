/** API tests of which requirements an application has, by policy and level. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { type Application, refusal } from './applications-world.ts';
import { startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

const requirement = ({ requirements: { items } }: Application, key = 'proof_of_address') =>
  items.find((item) => item.key === key);

describe('what is asked for', () => {
  it('follows the policy at each level, and always includes what identifies the person', async () => {
    const tenant = await world.tenant();
    const key = await tenant.key(['read', 'write']);
    await world.setPolicy(tenant, { requiredChecks: { standard: ['source_of_funds', 'legal_bases_recorded'] } });
    const { body } = await world.create(
      { purpose: 'account_opening', level: 'standard', applicant: { fullName: 'Maria da Silva' } },
      key,
    );
    expect(body.requirements.items.map(({ key: name, kind, status }) => `${name} ${kind} ${status}`)).toEqual([
      'identity_data provided missing',
      'tax_id_valid provided missing',
      'source_of_funds provided missing',
      'legal_bases_recorded established missing',
    ]);
  });

  it('of you blocks no submission, is established by a consent, and can be asked of nobody', async () => {
    const tenant = await world.tenant();
    const [key, analyst] = [await tenant.key(['read', 'write']), await tenant.user('analyst')];
    await world.setPolicy(tenant, { requiredChecks: { basic: ['legal_bases_recorded'] } });
    const application = await world.inReview({}, key);
    expect([
      application.status,
      application.requirements.met,
      requirement(application, 'legal_bases_recorded')?.reasonCode,
    ]).toEqual(['in_review', true, 'legal_basis_missing']);
    expect(
      refusal(
        await world.ask(
          application,
          {
            items: [
              { requirementKey: 'legal_bases_recorded', reasonCode: 'missing', messageToApplicant: 'Please agree.' },
            ],
          },
          analyst,
        ),
      ),
    ).toEqual([422, 'unknown_requirement', '/items/0/requirementKey unknown']);
    expect(refusal(await world.decide(application, {}, analyst))).toEqual([409, 'checks_incomplete']);
    const consent = {
      action: 'granted',
      purpose: 'identity_verification',
      legalBasis: 'legal_obligation',
      textVersion: '1',
      textSha256: '0'.repeat(64),
      locale: 'pt-BR',
      channel: 'web',
      capturedAt: '2026-11-01T08:00:00.000Z',
    };
    await world.request('POST', `/v1/applications/${application.id}/consents`, { as: key, body: consent });
    const { body: list } = await world.request<{ items: Application[] }>('GET', '/v1/applications', { as: key });
    expect(requirement(list.items[0]!, 'legal_bases_recorded')?.status).toBe('verified');
    expect((await world.decide((await world.get(application.id, key)).body, {}, analyst)).status).toBe(200);
  });
});
