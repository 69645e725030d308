/** API tests that an open hit on a mandatory list blocks an approval in every way, and what other hits do. */
import { beforeAll, describe, expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { newCpf } from '../support/cpf.ts';
import { type Application, refusal, type Refusal } from './applications-world.ts';
import { highRisk, rejection, startDecisionWorld } from './decisions-world.ts';
import type { Screening } from './screenings-world.ts';

const world = await shared(startDecisionWorld());
/** A person of the list of the United Nations, which binds everybody, with the data of the invented lists. */
const LISTED = { fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' };
const LEVELS = ['basic', 'standard', 'enhanced'] as const;
// The shipped policy requires a screening at no level.
beforeAll(() => world.setPolicy(world.acme, { fourEyes: { onNotScreened: false } }));

const screen = async (applicationId: string, body: object = {}): Promise<Screening> => {
  const answer = await world.request<Screening>('POST', '/v1/screenings', {
    as: world.analyst,
    body: { applicationId, ...body },
  });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
};
const now = async ({ id }: Pick<Application, 'id'>): Promise<Application> => (await world.get(id)).body;
const requirementOf = async (application: Pick<Application, 'id'>) =>
  (await now(application)).requirements.items.find(({ key }) => key === 'screening_clear');
const decideHit = (
  { id }: Screening,
  hit: string,
  status: string,
  as: Credential = world.analyst,
): Promise<Answer<{ status: string } & Refusal>> =>
  world.request('POST', `/v1/screenings/${id}/hits/${hit}/adjudicate`, {
    as,
    body: { status, reasonCode: 'other', note: 'Compared with the passport that we hold.' },
  });
const waive = (id: string): Promise<Answer<Refusal>> =>
  world.request('POST', `/v1/applications/${id}/waivers`, {
    as: world.officer,
    body: {
      action: 'granted',
      requirementKey: 'screening_clear',
      reasonCode: 'verified_elsewhere',
      note: 'Known from another account.',
    },
  });

/** Returns an application in review at a level, with everything that the level requires. */
async function submitted(level: (typeof LEVELS)[number], applicant: object = LISTED): Promise<Application> {
  const {
    body: { id },
  } = await world.create({
    purpose: 'account_opening',
    level,
    applicant: {
      address: {
        line1: 'Rua 1',
        city: 'Recife',
        state: 'PE',
        country: 'BR',
      },
      ...applicant,
      taxId: { type: 'cpf', value: newCpf() },
      monthlyIncome: { amount: 1, currency: 'BRL' },
      sourceOfFunds: ['salary'],
    },
  });
  for (const type of ['passport', 'proof_of_address'])
    await world.upload(id, jpeg({ text: `${type} ${id}` }), { type });
  expect((await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key })).status).toBe(202);
  return now({ id });
}

/** Dismisses all hits; if a dismissal needs a second person (202), the officer confirms it. */
async function dismissAll(screening: Screening): Promise<void> {
  for (const { id } of screening.hits)
    if ((await decideHit(screening, id, 'false_positive')).status === 202)
      await decideHit(screening, id, 'false_positive', world.officer);
}

const OPEN = { kind: 'established', status: 'missing', reasonCode: 'hits_open' };

describe('an open hit on a mandatory list', () => {
  it.each(LEVELS.flatMap((level) => (['open', 'inconclusive'] as const).map((status) => ({ level, status }))))(
    'blocks an approval at the level $level while it is $status, by the shipped policy',
    async ({ level, status }) => {
      const application = await submitted(level);
      const screening = await screen(application.id);
      if (status === 'inconclusive')
        for (const { id } of screening.hits) expect((await decideHit(screening, id, status)).status).toBe(200);
      const current = await now(application);
      expect(current.requirements.items.find(({ key }) => key === 'screening_clear')).toMatchObject(OPEN);
      const answer = await world.decide(current);
      expect([
        answer.status,
        answer.body.code,
        answer.body.items?.map(({ key, reasonCode }) => [key, reasonCode]),
      ]).toEqual([409, 'checks_incomplete', [['screening_clear', 'hits_open']]]);
      expect(refusal(await waive(application.id))).toEqual([422, 'validation_failed', '/requirementKey not_waivable']);
      expect((await world.decide(current, rejection)).body.status).toBe('effective');
    },
  );

  it('is not undone by a waiver that was granted before', async () => {
    const tenant = await world.tenant();
    await world.setPolicy(tenant, { requiredChecks: { basic: ['screening_clear'] } });
    const [key, analyst, officer] = [
      await tenant.key(['read', 'write']),
      await tenant.user('analyst'),
      await tenant.user('compliance_officer'),
    ];
    const { id } = await world.submitted({ applicant: LISTED }, key);
    const body = {
      action: 'granted',
      requirementKey: 'screening_clear',
      reasonCode: 'verified_elsewhere',
      note: 'Known from another account.',
    };
    expect((await world.request('POST', `/v1/applications/${id}/waivers`, { as: officer, body })).status).toBe(201);
    await world.request('POST', '/v1/screenings', { as: analyst, body: { applicationId: id } });
    expect(refused(await world.decide((await world.get(id, key)).body, {}, analyst))).toEqual([
      409,
      'checks_incomplete',
    ]);
  });

  it.each([
    ['by a higher threshold', { criteria: { threshold: 1 } }],
    ['of somebody else', { subject: { type: 'person', names: ['Rosalva Quintiliano Prado'] } }],
    [
      'of the same name born on another day',
      { subject: { type: 'person', names: [LISTED.fullName], dateOfBirth: '1990-10-31' }, criteria: { threshold: 1 } },
    ],
  ])('is not undone by a screening %s', async (_, body) => {
    const application = await submitted('basic');
    await screen(application.id);
    await screen(application.id, body);
    expect(await requirementOf(application)).toMatchObject(OPEN);
    expect(refused(await world.decide(await now(application)))).toEqual([409, 'checks_incomplete']);
  });

  it('blocks nothing any more once people have decided that it is a different person', async () => {
    const application = await submitted('basic');
    await dismissAll(await screen(application.id));
    expect(await requirementOf(application)).toBeUndefined();
    expect((await world.decide(await now(application))).body).toMatchObject({
      status: 'effective',
      fourEyesReasons: [],
    });
  });

  it('that appears while a decision waits prevents its confirmation', async () => {
    const application = await submitted('basic', { ...LISTED, address: highRisk.applicant.address });
    const { body: decision } = await world.decide(application);
    expect(decision.status).toBe('pending_review');
    await screen(application.id);
    expect((await world.review(await now(application), decision)).status).toBe(409);
    expect((await now(application)).status).not.toBe('approved');
  });
});

describe('an open hit on any other list', () => {
  it('takes two people to approve and one to reject, and is named as the reason', async () => {
    const application = await submitted('basic', { fullName: 'Maria da Silva', dateOfBirth: '1990-04-12' });
    const screening = await screen(application.id);
    expect([...new Set(screening.hits.map(({ listId }) => listId))]).toEqual(['ofac-sdn']);
    const { status, body } = await world.decide(await now(application));
    expect([status, body.fourEyesReasons]).toEqual([202, ['hits_open']]);
    const other = await submitted('basic', { fullName: 'Maria da Silva', dateOfBirth: '1990-04-12' });
    await screen(other.id);
    expect((await world.decide(await now(other), rejection)).body).toMatchObject({
      status: 'effective',
      fourEyesReasons: [],
    });
  });

  it('does so while it is inconclusive, and no longer once it is decided', async () => {
    const application = await submitted('basic', { fullName: 'Maria da Silva', dateOfBirth: '1990-04-12' });
    const screening = await screen(application.id);
    const [last, ...others] = screening.hits;
    for (const { id } of others) await decideHit(screening, id, 'false_positive');
    await decideHit(screening, last!.id, 'inconclusive');
    const { body: decision } = await world.decide(await now(application));
    expect(decision.fourEyesReasons).toEqual(['hits_open']);
    await world.review(await now(application), decision, { verdict: 'return' });
    await decideHit(screening, last!.id, 'false_positive', world.officer);
    expect((await world.decide(await now(application))).body).toMatchObject({
      status: 'effective',
      fourEyesReasons: [],
    });
  });
});
