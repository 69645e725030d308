import { afterAll, describe, expect, it } from 'vitest';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { listeners } from '../../server/modules.ts';
import { registerListeners, type SubjectEvent } from '../../server/modules/subject-events/index.ts';
import { smallModel } from '../support/risk-models.ts';
import { type Assessment, type Backtest, type Model, startRiskWorld } from './risk-world.ts';

const { service, team } = await startRiskWorld();
const us = await team(await service.tenant());

const heard: SubjectEvent<'assessment.changed'>[] = [];
registerListeners([...listeners, { event: 'assessment.changed', hear: async (_, event) => heard.push(event) }]);
afterAll(() => registerListeners(listeners));

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MILLISECONDS).toISOString();
const override = (level: string, more: object = {}) => ({
  level,
  reasonCode: 'mitigating_controls',
  note: 'The account has a low limit for a year.',
  expiresAt: inDays(30),
  ...more,
});
const levelsOf = (applicationId: string): unknown[] =>
  heard.filter(({ subject }) => subject.id === applicationId).map(({ fromLevel, toLevel }) => [fromLevel, toLevel]);

describe('an override', () => {
  it('sets the level that counts, for a person and a time, and publishes the change', async () => {
    const applicationId = await us.submit();
    const { id, level, score } = await us.current(applicationId);
    const after = await us.call<Assessment>('POST', `/v1/risk/assessments/${id}/override`, us.maker, override('high'));
    expect(after).toMatchObject({
      id,
      level,
      score,
      effectiveLevel: 'high',
      override: { level: 'high', endedAt: null },
    });
    expect(levelsOf(applicationId)).toEqual([
      [null, level],
      [level, 'high'],
    ]);
    const { items } = await us.call<{ items: { id: string }[] }>(
      'GET',
      '/v1/risk/assessments?overridden=true&level=high',
    );
    expect(items.map((one) => one.id)).toContain(id);
  });

  it('holds for later assessments of the subject until it ends, and then the level of the model counts', async () => {
    const tenant = await service.tenant();
    const them = await team(tenant);
    const applicationId = await them.submit();
    const before = await them.current(applicationId);
    await them.call('POST', `/v1/risk/assessments/${before.id}/override`, them.maker, override('high'));
    await them.activate();
    const during = await them.current(applicationId);
    expect([during.id === before.id, during.effectiveLevel, during.override?.level]).toEqual([false, 'high', 'high']);
    await service.database.sql(`UPDATE risk_override SET expires_at = now() WHERE application_id = $1`, [
      applicationId,
    ]);
    await service.running.runJob('risk.override_expiry');
    const after = await them.current(applicationId);
    expect(after.effectiveLevel).toBe(after.level);
    expect(levelsOf(applicationId).at(-1)).toEqual(['high', after.level]);
  });

  it('is replaced by the next one', async () => {
    const { id } = await us.current(await us.submit());
    const path = `/v1/risk/assessments/${id}/override`;
    await us.call('POST', path, us.maker, override('high'));
    const after = await us.call<Assessment>('POST', path, us.checker, override('medium'));
    expect([after.effectiveLevel, after.override?.level]).toEqual(['medium', 'medium']);
  });
});

describe('an override is refused', () => {
  it('if it lowers a prohibited subject', async () => {
    const them = await team(await service.tenant());
    const rule = {
      key: 'pep',
      when: { eq: [{ fact: 'applicant.pepDeclared' }, true] },
      effect: 'prohibit',
      reasonCode: 'pep',
    } as const;
    await them.activate({ hardRules: [rule as never] });
    const { id, level } = await them.current(await them.submit({ isPep: true }));
    expect(level).toBe('prohibited');
    const refused = them.refused('POST', `/v1/risk/assessments/${id}/override`, override('high'), them.maker);
    expect(await refused).toEqual([422, 'prohibited_cannot_be_lowered']);
  });

  it('if it ends in the past or in more than twelve months', async () => {
    const { id } = await us.current(await us.submit());
    const until = (expiresAt: string) =>
      us.refused('POST', `/v1/risk/assessments/${id}/override`, override('high', { expiresAt }), us.maker);
    expect(await until(inDays(-1))).toEqual([422, 'validation_failed']);
    expect(await until(inDays(400))).toEqual([422, 'validation_failed']);
  });

  it('of an assessment that a later one has superseded', async () => {
    const them = await team(await service.tenant());
    const { id } = await them.current(await them.submit());
    await them.activate();
    const refused = them.refused('POST', `/v1/risk/assessments/${id}/override`, override('high'), them.maker);
    expect(await refused).toEqual([409, 'assessment_superseded']);
  });
});

describe('a shadow run', () => {
  it('scores new assessments beside the active model, and is compared like a backtest', async () => {
    const them = await team(await service.tenant());
    const draft = await them.draft({ thresholds: { medium: 1, high: 2 } });
    const path = `/v1/risk/models/${draft.id}/shadow`;
    const shadow = await them.call<Backtest>('POST', path, them.admin, { days: 10 });
    expect(await them.refused('POST', path, {})).toEqual([409, 'shadow_running']);
    expect(await them.refused('PUT', `/v1/risk/models/${draft.id}`, smallModel())).toEqual([409, 'shadow_running']);
    expect((await them.call<Model>('GET', `/v1/risk/models/${draft.id}`)).shadowId).toBe(shadow.id);
    const applicationId = await them.submit();
    const { level } = await them.current(applicationId);
    const running = await them.call<Backtest>('GET', `/v1/risk/backtests/${shadow.id}`);
    expect(running).toMatchObject({
      kind: 'shadow',
      status: 'running',
      results: { scored: 1, levelsAfter: { high: 1 } },
    });
    expect(running.movers?.items).toMatchObject([{ applicationId, from: level, to: 'high' }]);
    await them.call('DELETE', path);
    expect(await them.refused('DELETE', path, undefined)).toEqual([409, 'shadow_not_running']);
    const ended = await them.call<Backtest>('GET', `/v1/risk/backtests/${shadow.id}`);
    expect(ended).toMatchObject({ status: 'completed', total: 1, results: { scored: 1 } });
  });

  it('ends by itself when its time is over', async () => {
    const them = await team(await service.tenant());
    const draft = await them.draft();
    const { id } = await them.call<Backtest>('POST', `/v1/risk/models/${draft.id}/shadow`, them.admin, {});
    await service.database.sql(`UPDATE risk_comparison SET ends_at = now() WHERE id = $1`, [id]);
    await service.running.runJob('risk.shadow');
    expect((await them.call<Backtest>('GET', `/v1/risk/backtests/${id}`)).status).toBe('completed');
  });

  it('is refused for the active model', async () => {
    const { items } = await us.call<{ items: Model[] }>('GET', '/v1/risk/models?status=active&subjectType=individual');
    const refused = await us.refused('POST', `/v1/risk/models/${items[0]!.id}/shadow`, {});
    expect(refused).toEqual([409, 'invalid_state_transition']);
  });
});
