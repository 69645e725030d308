/** Tests of what the level of risk of an applicant means for the application: who finds it, and who may approve it. */
import { describe, expect, it } from 'vitest';
import { newCpf } from '../support/cpf.ts';
import { type Answer, shared, type Tenant } from '../support/service.ts';
import { type Application, type List, type Refusal, refusal } from './applications-world.ts';
import { exposed, highRisk, rejection, startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());
const unscreened = { fourEyes: { onNotScreened: false } };

/** Sets the level of an application by the judgement of a compliance officer, for a month. */
async function override({ id, riskAssessmentId }: Application, level: string): Promise<Application> {
  const expiresAt = new Date((await world.get(id)).body.createdAt);
  expiresAt.setUTCDate(expiresAt.getUTCDate() + 30);
  const answer = await world.request('POST', `/v1/risk/assessments/${riskAssessmentId}/override`, {
    as: world.officer,
    body: {
      level,
      reasonCode: 'additional_information',
      note: 'Known to the branch for many years.',
      expiresAt: expiresAt.toISOString(),
    },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return (await world.get(id)).body;
}

const riskOf = ({ riskLevel, riskScore, riskAssessmentId }: Application) => ({
  riskLevel,
  riskScore,
  riskAssessmentId,
});

describe('An application', () => {
  it('has no risk as a draft, and is assessed in the submission', async () => {
    const applicant = { ...exposed.applicant, taxId: { type: 'cpf', value: newCpf() } };
    const { body: draft } = await world.create({ purpose: 'other', level: 'basic', applicant });
    expect(riskOf(draft)).toEqual({ riskLevel: null, riskScore: null, riskAssessmentId: null });
    const { body: submitted } = await world.request<Application>('POST', `/v1/applications/${draft.id}/submit`, {
      as: world.key,
    });
    expect(riskOf(submitted)).toEqual({
      riskLevel: 'medium',
      riskScore: expect.stringMatching(/^\d+\.\d{4}$/),
      riskAssessmentId: expect.any(String),
    });
    expect(riskOf((await world.get(draft.id)).body)).toEqual(riskOf(submitted));
    const { body: assessment } = await world.request<{ applicationId: string; score: string; level: string }>(
      'GET',
      `/v1/risk/assessments/${submitted.riskAssessmentId}`,
      { as: world.analyst },
    );
    expect(assessment).toMatchObject({
      applicationId: draft.id,
      score: submitted.riskScore,
      level: 'medium',
      trigger: 'submit',
    });
  });

  it('that is created and submitted in one step is answered with its risk', async () => {
    expect((await world.submitted(highRisk)).riskLevel).toBe('high');
  });

  it('shows the level that counts while an override lasts', async () => {
    const application = await world.submitted(highRisk);
    const after = await override(application, 'low');
    expect([after.riskLevel, after.riskScore]).toEqual(['low', application.riskScore]);
  });
});

describe('A list of applications', () => {
  async function four(): Promise<{ readonly tenant: Tenant; readonly names: Map<string, string> }> {
    const tenant = await world.tenant();
    const as = await tenant.key(['read', 'write']);
    const names = new Map<string, string>();
    for (const [name, wanted] of Object.entries({
      low: {},
      medium: exposed,
      high: highRisk,
      draft: { submit: false },
    }))
      names.set((await world.submitted(wanted, as)).id, name);
    return { tenant, names };
  }

  it('is filtered by levels of risk, and sorted by the score, page by page', async () => {
    const { tenant, names } = await four();
    const as = await tenant.key(['read']);
    const page = (query: string): Promise<Answer<List & Refusal>> =>
      world.request('GET', `/v1/applications?${query}`, { as });
    const found = async (query: string) =>
      (await page(query)).body.items.map(({ id }: { id: string }) => names.get(id)).sort();
    expect(await found('riskLevel=high&riskLevel=medium')).toEqual(['high', 'medium']);
    expect(await found('riskLevel=low&sort=createdAt')).toEqual(['low']);
    expect(await found('riskLevel=prohibited')).toEqual([]);

    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: Answer<List> = await page(
        `sort=-riskScore&limit=1${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      walked.push(...body.items.map(({ riskScore }: { riskScore: string | null }) => riskScore!));
      cursor = body.cursor;
    } while (cursor !== null);
    expect(walked).toHaveLength(3);
    expect(walked.map(Number)).toEqual(walked.map(Number).sort((one, other) => other - one));
    expect((await page('sort=riskScore')).body.items.map(({ riskScore }) => riskScore)).toEqual(walked.toReversed());
  });
});

describe('An approval', () => {
  it('is refused if the risk is prohibited, and one that waits is invalidated; a rejection is not', async () => {
    const application = await override(await world.inReview(), 'prohibited');
    expect(refusal(await world.decide(application))).toEqual([422, 'prohibited_risk']);
    expect((await world.decide(application, rejection)).status).toBe(202);

    const waiting = await world.inReview(exposed);
    const { body: decision } = await world.decide(waiting);
    const prohibited = await override(waiting, 'prohibited');
    expect(refusal(await world.review(prohibited, decision))).toEqual([409, 'evidence_changed']);
    expect((await world.get(waiting.id)).body.status).toBe('in_review');
  });

  it('of somebody whose level was lowered takes two people, and no program', async () => {
    const application = await override(await world.inReview(highRisk), 'medium');
    const { status, body } = await world.decide(application);
    expect([status, body.fourEyesReasons, body.riskAssessmentId]).toEqual([
      202,
      ['risk_overridden'],
      application.riskAssessmentId,
    ]);
  });

  it('rests on the assessment that its evidence names: another level changes the evidence', async () => {
    const application = await world.inReview();
    await override(application, 'medium');
    expect(refusal(await world.decide(application))).toEqual([409, 'evidence_changed']);
  });

  it('is not invalidated by an assessment that repeats the level', async () => {
    const application = await world.submitted();
    const screened = await world.screened(application);
    await world.running.runTasks();
    const again = (await world.get(application.id)).body;
    expect(again.riskScore).not.toBe(screened.riskScore);
    expect(again.evidenceDigest).toBe(screened.evidenceDigest);
  });

  it.each([
    ['low', {}, 5, 24],
    ['medium', { applicant: { nationality: 'IR' } }, 3, 12],
    ['high', highRisk, 1, 6],
  ])('at %s risk is valid, and due for review, as policy and model say', async (level, wanted, years, months) => {
    const application = await world.inReview(wanted);
    expect(application.riskLevel).toBe(level);
    const { body: decision } = await world.decide(application);
    if (decision.status === 'pending_review') await world.review(application, decision);
    const { body: after } = await world.get(application.id);
    const [decided, valid, due] = [after.decidedAt, after.validUntil, after.reviewDueAt].map((at) => new Date(at!));
    expect(valid!.getUTCFullYear() - decided!.getUTCFullYear()).toBe(years);
    const monthsOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth();
    expect(monthsOf(due!) - monthsOf(decided!)).toBe(months);
  });

  it('of somebody whom the service has not assessed takes two people, as at high risk', async () => {
    const tenant = await world.tenant();
    await world.setPolicy(tenant, unscreened);
    const as = await tenant.key(['read', 'write']);
    const application = await world.submitted({}, as);
    await world.database.sql('DELETE FROM risk_assessment WHERE application_id = $1', [application.id]);
    const current = (await world.get(application.id, as)).body;
    expect(current.riskLevel).toBeNull();
    const { status, body } = await world.decide(current, {}, await tenant.user('analyst'));
    expect([status, body.fourEyesReasons, body.riskAssessmentId]).toEqual([202, ['risk_not_assessed'], null]);
  });
});
