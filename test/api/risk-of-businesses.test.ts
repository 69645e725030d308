/** Tests of the risk of companies: their facts and assessments, overrides, and what follows for decisions. */
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { newDecidedBusiness, newReviewedBusiness } from '../operations/business-records.ts';
import { each } from '../support/each.ts';
import { useService } from '../support/service.ts';
import { businessWorld, newBusiness, rejection, type Schemas, wholeGraph } from './business-world.ts';

const service = await useService();
const { acme, other } = service;
const { key, analyst, colleague, officer, eraser, call, own, read, review, waiting, erase } =
  await businessWorld(service);

type Assessment = Schemas['RiskAssessment'] & Partial<Pick<Schemas['Problem'], 'code' | 'errors'>>;
type Page = Schemas['RiskAssessmentSummaryList'];

const send = (method: 'GET' | 'POST', path: string, body?: object, as = officer) =>
  service.request<Assessment>(method, `/v1/risk/${path}`, { as, ...(body !== undefined && { body }) });
const assess = (businessId: string, as = officer) => send('POST', 'assessments', { businessId }, as);
const current = async (id: string): Promise<Assessment> =>
  (await send('GET', `assessments/${(await read(id)).riskAssessmentId}?recompute=true`)).body;
const fired = ({ hardRulesFired }: Pick<Assessment, 'hardRulesFired'>) => hardRulesFired.map((rule) => rule.key);
const overridden = (id: string, level: string) =>
  send('POST', `assessments/${id}/override`, {
    level,
    reasonCode: 'mitigating_controls',
    note: 'The account has a low limit for a year.',
    expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });
const reviewed = async (): Promise<string> => (await newReviewedBusiness(service, acme)).businessId;

describe('a business', () => {
  it('is assessed when it is submitted, and shows its level; a draft is not assessed', async () => {
    const draft = await newBusiness(service, acme);
    expect(await read(draft)).toMatchObject({ riskLevel: null, riskScore: null, riskAssessmentId: null });
    const id = await reviewed();
    const made = await current(id);
    expect(made).toMatchObject({
      businessId: id,
      applicationId: null,
      trigger: 'submit',
      level: 'high',
      reproduced: true,
    });
    expect(fired(made)).toEqual(['owners_not_recorded']);
    expect(await read(id)).toMatchObject({ riskLevel: 'high', riskScore: made.score });
    const { items } = (await call<Schemas['BusinessEventList']>('GET', `${id}/timeline`, { as: officer })).body;
    expect(items.map(({ type }) => type)).toContain('risk.assessed');
  });

  it('is assessed anew after its owners are recorded, and by their countries, nominees and loops', async () => {
    const id = await reviewed();
    const parties = [
      ...wholeGraph.parties,
      {
        key: 'one',
        kind: 'company',
        name: 'Um Participações Ltda',
        country: 'BR',
        roles: [],
      },
      {
        key: 'two',
        kind: 'company',
        name: 'Dois Participações Ltda',
        country: 'BR',
        roles: [],
      },
    ];
    const edge = (owner: string, owned: string, capitalPercent: number) => ({
      owner,
      owned,
      capitalPercent,
      source: 'declared',
    });
    await own(id);
    await service.running.runTasks();
    const plain = await current(id);
    expect([plain.trigger, plain.level, fired(plain)]).toEqual(['event', 'low', []]);
    expect(
      (
        await own(id, {
          parties: [
            ...parties,
            {
              key: 'carla',
              kind: 'person',
              name: 'Carla Reis',
              nomineeFor: 'ana',
              country: 'KP',
            },
          ],
          edges: [
            edge('one', 'root', 60),
            edge('carla', 'root', 40),
            edge('two', 'one', 50),
            edge('one', 'two', 50),
            edge('ana', 'one', 50),
            edge('bruno', 'two', 50),
          ],
          bearerShares: true,
        })
      ).status,
    ).toBe(200);
    await service.running.runTasks();
    const made = await current(id);
    expect(fired(made)).toEqual(expect.arrayContaining(['ownership_cycle', 'bearer_shares', 'nominee']));
    const layers = made.contributions.find(({ fact }) => fact === 'ownership.layers');
    expect(Number(layers!.value)).toBe(2);
  });

  it('is assessed anew if its people are found on lists, and once its revenue changes', async () => {
    const id = await reviewed();
    await own(id);
    const { items } = (
      await call<Schemas['PartyApplications']>('POST', `${id}/parties/applications`, {
        body: { parties: [{ partyKey: 'ana', fullName: 'Ana Souza' }], level: 'basic' },
      })
    ).body;
    const { applicationId } = items[0]!;
    await service.running.runTasks();
    const before = await current(id);
    expect(fired(before)).not.toContain('party_of_high_risk');
    const { id: risky } = (await send('POST', 'assessments', { applicationId })).body;
    expect((await overridden(risky!, 'high')).status).toBe(200);
    await service.running.runTasks();
    expect(fired(await current(id))).toContain('party_of_high_risk');
    await call('PATCH', id, { body: { legalForm: 'sa_open' } });
    await service.running.runTasks();
    expect((await current(id)).trigger).toBe('event');
  });

  it('is assessed on request, and without a change only the time of the last assessment moves', async () => {
    const id = await reviewed();
    const made = await current(id);
    const again = await assess(id);
    expect([again.status, again.body.id]).toEqual([200, made.id]);
    await own(id);
    const anew = await assess(id);
    expect([anew.status, anew.headers.get('location'), anew.body]).toMatchObject([
      201,
      `/v1/risk/assessments/${anew.body.id}`,
      { trigger: 'manual', businessId: id },
    ]);
    expect((await send('GET', `assessments/${made.id}`)).body.supersededById).toBe(anew.body.id);
    const list = async (query: string) =>
      (await service.request<Page>('GET', `/v1/risk/assessments?businessId=${id}${query}`, { as: officer })).body.items;
    expect((await list('')).map((one) => one.id)).toEqual([anew.body.id]);
    expect((await list('&superseded=true')).map((one) => one.id)).toEqual([anew.body.id, made.id]);
  });

  it('is tried by the facts as they are, and nothing is stored', async () => {
    const id = await newBusiness(service, acme);
    const tried = await send('POST', 'assessments', { businessId: id, dryRun: true });
    expect([tried.status, tried.body]).toMatchObject([200, { id: null, businessId: id, level: 'high' }]);
    expect((await read(id)).riskAssessmentId).toBeNull();
  });

  it('is assessed again with all others once another model of companies is active', async () => {
    const id = await reviewed();
    const reassessment = uuidv7();
    await service.database.sql(`UPDATE risk_assessment SET model_checksum = '' WHERE business_id = $1`, [id]);
    await service.database.sql(
      `INSERT INTO risk_reassessment (tenant_id, id, environment, total, started_at)
        VALUES ($1, $2, 'live', 0, now())`,
      [acme.id, reassessment],
    );
    await service.database.sql(
      `INSERT INTO task (tenant_id, id, kind, subject_id, is_bulk, due_at, created_at)
        VALUES ($1, $2, 'risk.reassess', $3, true, now(), now())`,
      [acme.id, uuidv7(), reassessment],
    );
    await service.running.runTasks();
    expect((await current(id)).trigger).toBe('snapshot');
  });
});

describe('a request to assess is refused', () => {
  it('if it names two subjects, or facts beside the business, and if the business is of another tenant', async () => {
    const id = await reviewed();
    const refusals = each([
      [{ businessId: id, applicationId: id }, '/businessId'],
      [{ businessId: id, facts: { channel: 'web' }, dryRun: true }, '/facts'],
      [{}, '/applicationId'],
    ] as const);
    for (const [body, pointer] of refusals) {
      const answer = await send('POST', 'assessments', body);
      expect([answer.status, answer.body.errors?.map((error) => error.pointer)]).toEqual([422, [pointer]]);
    }
    expect((await assess(id, await other.user('compliance_officer'))).status).toBe(404);
  });
});

describe('the level of a business', () => {
  it('is overridden by an officer until a certain time, and then a second person must agree', async () => {
    const id = await reviewed();
    const { riskAssessmentId } = await read(id);
    const answer = await overridden(riskAssessmentId!, 'low');
    expect([answer.status, answer.body]).toMatchObject([200, { level: 'high', effectiveLevel: 'low' }]);
    const { riskLevel, evidenceDigest } = await read(id);
    expect(riskLevel).toBe('low');
    const decision = await call<Schemas['Decision']>('POST', `${id}/decisions`, {
      as: analyst,
      body: rejection(evidenceDigest!),
    });
    expect([decision.status, decision.body]).toMatchObject([
      202,
      { fourEyesReasons: ['risk_overridden'], riskAssessmentId },
    ]);
  });

  it('ends a decision that waits if it changes before the second person has agreed', async () => {
    const { id, decisionId, evidenceDigest } = await waiting();
    expect((await overridden((await read(id)).riskAssessmentId!, 'medium')).status).toBe(200);
    const refused = await review(id, decisionId, evidenceDigest);
    expect([refused.status, refused.body.code]).toEqual([409, 'evidence_changed']);
    expect((await read(id)).status).toBe('in_review');
  });

  it('rules out an approval if it is prohibited', async () => {
    const id = await reviewed();
    expect((await overridden((await read(id)).riskAssessmentId!, 'prohibited')).status).toBe(200);
    for (const requirementKey of each(['registry_active', 'account_protection_clear']))
      await call('POST', `${id}/waivers`, {
        as: officer,
        body: {
          action: 'granted',
          requirementKey,
          reasonCode: 'verified_elsewhere',
          note: 'Known already.',
        },
      });
    const refused = await call('POST', `${id}/decisions`, {
      as: colleague,
      body: {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: 'Register and articles agree.',
        evidenceDigest: (await read(id)).evidenceDigest,
      },
    });
    expect([refused.status, refused.body.code]).toEqual([422, 'prohibited_risk']);
  });

  it('decides when an approved business is due for review', async () => {
    const { reviewDueAt, decidedAt } = await read(await newDecidedBusiness(service, acme));
    const months = (new Date(reviewDueAt!).getTime() - new Date(decidedAt!).getTime()) / 86_400_000 / 30;
    expect(Math.round(months)).toBe(6);
  });
});

it('forgets the facts of an erased business', async () => {
  const id = await reviewed();
  const { id: assessmentId } = await current(id);
  await call('POST', `${id}/withdraw`, { as: key, body: { reasonCode: 'created_in_error' } });
  await service.database.sql(
    `UPDATE business SET submitted_at = '2010-01-01', updated_at = '2010-01-01' WHERE id = $1`,
    [id],
  );
  expect((await erase(id, eraser)).status).toBe(202);
  expect(
    await service.database.sql('SELECT result, snapshot FROM risk_assessment WHERE business_id = $1', [id]),
  ).toEqual([{ result: '', snapshot: '' }]);
  expect((await send('GET', `assessments/${assessmentId}`)).status).toBe(410);
  expect((await assess(id)).status).toBe(410);
});
