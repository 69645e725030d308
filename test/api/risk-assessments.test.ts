import { describe, expect, it } from 'vitest';
import { smallModel } from '../support/risk-models.ts';
import { startRiskWorld } from './risk-world.ts';

const { service, team } = await startRiskWorld();
const us = await team(await service.tenant());

const unitsOf = (points: string): number => Number(points.replace('.', ''));
const eventsOf = async (id: string): Promise<string[]> =>
  (
    await service.database.sql<{ action: string }>(
      'SELECT action FROM audit_event WHERE resource_id = $1 ORDER BY sequence',
      [id],
    )
  ).map(({ action }) => action);

describe('an assessment', () => {
  it('is made when an application is submitted, by the shipped model, and its points add up to the score', async () => {
    const applicationId = await us.submit();
    const made = await us.current(applicationId);
    expect(made).toMatchObject({
      applicationId,
      trigger: 'submit',
      modelNumber: 1,
      override: null,
      reproduced: null,
    });
    const sum = made.contributions.reduce((all, { points }) => all + unitsOf(points), 0);
    expect(sum).toBe(unitsOf(made.score));
    expect(await eventsOf(made.id!)).toEqual(['risk.assessed']);
  });

  it('rates a person who declares nothing beyond identity low or medium', async () => {
    const made = await us.current(await us.submit());
    expect(['low', 'medium']).toContain(made.level);
  });

  it('is computed again from what was stored, with the same result', async () => {
    const made = await us.current(await us.submit({ isPep: true }));
    expect((await us.assessment(made.id!, '?recompute=true')).reproduced).toBe(true);
  });

  it('is not repeated for the same facts: only the time of the calculation moves', async () => {
    const applicationId = await us.submit();
    const before = await us.current(applicationId);
    const again = await service.request<typeof before>('POST', '/v1/risk/assessments', {
      as: us.maker,
      body: { applicationId },
    });
    expect(again.status).toBe(200);
    const { lastRecalculatedAt, ...same } = again.body;
    expect(same).toEqual((({ lastRecalculatedAt: _, ...rest }) => rest)(before));
    expect(lastRecalculatedAt > before.lastRecalculatedAt).toBe(true);
  });

  it('is repeated in a task after a screening, and supersedes the one before', async () => {
    const applicationId = await us.submit(
      { isPep: false },
      { fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' },
    );
    const before = await us.current(applicationId);
    const key = await us.tenant.key(['screening']);
    await us.call('POST', '/v1/screenings', key, { applicationId });
    await service.running.runTasks();
    const after = await us.current(applicationId);
    expect(after).toMatchObject({ trigger: 'event', supersededById: null });
    expect((await us.assessment(before.id!)).supersededById).toBe(after.id);
    expect(unitsOf(after.score)).toBeGreaterThan(unitsOf(before.score));
    const states = after.contributions.filter(({ fact }) => fact === 'screening.state').map(({ value }) => value);
    expect(states).toEqual(['open']);
  });

  it('names changes of one fact that move the level by one step, and each does so when it is tried', async () => {
    const made = await us.current(await us.submit());
    const modelId = (await us.draft()).id;
    const facts = { 'applicant.age': 50, channel: 'branch', 'applicant.pepDeclared': false };
    const dry = await us.call<typeof made>('POST', '/v1/risk/assessments', us.maker, { facts, modelId, dryRun: true });
    expect([dry.id, dry.score, dry.level]).toEqual([null, '30.0000', 'medium']);
    expect(dry.counterfactuals).toContainEqual(expect.objectContaining({ fact: 'applicant.age', newLevel: 'low' }));
    const young = { ...facts, 'applicant.age': 39 };
    const tried = await us.call<typeof made>('POST', '/v1/risk/assessments', us.maker, {
      facts: young,
      modelId,
      dryRun: true,
    });
    expect([tried.score, tried.level]).toEqual(['6.0000', 'low']);
  });

  it('hides its explanation from readers who see personal data masked', async () => {
    const made = await us.current(await us.submit());
    const viewer = await us.tenant.key(['read'], { personalData: 'masked' });
    const shown = await us.call<typeof made>('GET', `/v1/risk/assessments/${made.id}`, viewer);
    expect(shown).toMatchObject({
      personalDataMasked: true,
      contributions: [],
      counterfactuals: [],
      level: made.level,
    });
  });

  it('loses its facts and its explanation with the erasure of the application', async () => {
    const applicationId = await us.submit();
    const id = await us.currentId(applicationId);
    await us.call('POST', `/v1/applications/${applicationId}/withdraw`, await us.tenant.key(['write']), {
      reasonCode: 'created_in_error',
    });
    await service.database.sql(
      `UPDATE application SET submitted_at = '2010-01-01', updated_at = '2010-01-01' WHERE id = $1`,
      [applicationId],
    );
    const eraser = await us.tenant.user('compliance_officer', { secondFactor: true, purpose: 'erases' });
    await us.call('POST', `/v1/applications/${applicationId}/erase`, eraser, { reason: 'data_subject_request' });
    const [row] = await service.database.sql<{ result: string; snapshot: string }>(
      'SELECT result, snapshot FROM risk_assessment WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ result: '', snapshot: '' });
    expect(await us.refused('GET', `/v1/risk/assessments/${id}`)).toEqual([410, 'erased']);
    const override = {
      level: 'high',
      reasonCode: 'mitigating_controls',
      note: 'The account has a low limit for a year.',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    };
    expect(await us.refused('POST', `/v1/risk/assessments/${id}/override`, override, us.maker)).toEqual([
      410,
      'erased',
    ]);
    expect(await us.refused('POST', '/v1/risk/assessments', { applicationId })).toEqual([410, 'erased']);
  });

  it('uses the facts that the tenant declares over the metadata', async () => {
    const tenant = await service.tenant();
    const own = await team(tenant);
    const answer = await service.request<{ version: number }>('GET', '/v1/settings', { as: own.admin });
    await service.request('PATCH', '/v1/settings', {
      as: { ...own.admin, 'If-Match': `"${answer.body.version}"` },
      body: { risk: { facts: [{ name: 'segment', type: 'string', description: 'The segment.' }] } },
    });
    const facts = await own.call<{ items: { path: string }[] }>('GET', '/v1/risk/facts?subjectType=individual');
    expect(facts.items.map(({ path }) => path)).toContain('metadata.segment');
    const definition = smallModel();
    const factor = { ...definition.factors[1]!, fact: 'metadata.segment' };
    const made = await own.draft({ factors: [definition.factors[0]!, factor] });
    expect(made.status).toBe('draft');
  });
});

describe('an assessment is refused', () => {
  const post = (body: object) => us.refused('POST', '/v1/risk/assessments', body);

  it('without an application, unless it is a dry run with facts', async () => {
    expect(await post({})).toEqual([422, 'validation_failed']);
    expect(await post({ facts: { channel: 'web' } })).toEqual([422, 'validation_failed']);
  });

  it('if a dry run names a fact that does not exist, or a value of another type', async () => {
    expect(await post({ dryRun: true, facts: { 'applicant.shoeSize': 43 } })).toEqual([422, 'unknown_fact']);
    expect(await post({ dryRun: true, facts: { 'applicant.age': 'old' } })).toEqual([422, 'validation_failed']);
  });

  it('if the model needs a fact that is missing', async () => {
    const { id: modelId } = await us.draft({ missingDataPolicy: 'unscorable' });
    expect(await post({ dryRun: true, modelId, facts: { channel: 'web' } })).toEqual([422, 'unscorable']);
  });

  it('of an application that another tenant has', async () => {
    const theirs = await (await team(await service.tenant())).submit();
    expect(await post({ applicationId: theirs })).toEqual([404, 'not_found']);
  });
});
