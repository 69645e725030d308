/**
 * API tests of what the level of risk of a company depends on and decides: activities, powers, thresholds, overrides.
 */
import { describe, expect, it } from 'vitest';
import { newReviewedBusiness } from '../operations/business-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower } from '../operations/powers.ts';
import { newSandboxBusiness } from '../operations/registry.ts';
import { useService } from '../support/service.ts';
import { smallModel } from '../support/risk-models.ts';
import { businessWorld, type Schemas, wholeGraph } from './business-world.ts';

const service = await useService();
const { acme } = service;
const { officer, call, own, read } = await businessWorld(service);

const send = <Body>(method: 'GET' | 'POST', path: string, body?: object, as = officer) =>
  service.request<Body>(method, `/v1/${path}`, { as, ...(body !== undefined && { body }) });

/** A draft of a model that scores what powers and the registry say. */
const MODEL = {
  subjectType: 'business',
  definition: smallModel({
    factors: ['powers.coverage', 'business.cnae'].map((fact, index) => ({
      key: `factor_${index}`,
      label: fact,
      category: 'customer',
      weight: 1,
      fact,
      scoring: { by: 'lookup', lookup: [{ match: 'complete', score: 0 }], default: 30 },
      rationale: 'It is looked at.',
    })),
    hardRules: [],
  }),
};
const { body: model } = await send<Schemas['RiskModel']>('POST', 'risk/models', MODEL);

/** Returns the values of the facts of a business that the draft scores. */
const valuesOf = async (businessId: string, as = officer, modelId: string = model.id): Promise<unknown[]> => {
  const { body } = await send<Schemas['RiskAssessment']>(
    'POST',
    'risk/assessments',
    { businessId, modelId, dryRun: true },
    as,
  );
  return body.contributions.map(({ value }) => value);
};

const override = async (id: string, level: string) =>
  send('POST', `risk/assessments/${(await read(id)).riskAssessmentId}/override`, {
    level,
    reasonCode: 'mitigating_controls',
    note: 'Somebody has thought about it.',
    expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });

describe('the facts about a company', () => {
  it('tell how far its confirmed powers say who may sign', async () => {
    const businessId = await newOwnedBusiness(service, acme);
    expect((await valuesOf(businessId))[0]).toBe('none');
    await newActivePower(service, acme, businessId, { type: 'election_minutes' });
    expect((await valuesOf(businessId))[0]).toBe('partial');
    await newActivePower(service, acme, businessId);
    expect((await valuesOf(businessId))[0]).toBe('complete');
  });

  it('name no main activity while no registry has answered', async () => {
    const businessId = await newOwnedBusiness(service, acme);
    expect((await valuesOf(businessId))[1]).toBeNull();
    const asked = await call<Schemas['BusinessRegistry']>('POST', `${businessId}/registry`);
    expect(asked.body.code).toBe('provider_not_configured');
  });

  it('name the main activity that the registry of the sandbox has answered', async () => {
    const { tenant, businessId } = await newSandboxBusiness(service);
    const as = await tenant.user('compliance_officer');
    const { body: own } = await send<Schemas['RiskModel']>('POST', 'risk/models', MODEL, as);
    const asked = await call<Schemas['BusinessRegistry']>('POST', `${businessId}/registry`, {
      as: await tenant.key(['kyb'], { environment: 'test' }),
    });
    const { mainActivity } = asked.body.answer!;
    expect([mainActivity, (await valuesOf(businessId, as, own.id))[1]]).toEqual(['1091102', mainActivity]);
  });

  it('are assessed again after a power is confirmed and after it is revoked', async () => {
    const { businessId } = await newReviewedBusiness(service, acme);
    await own(businessId);
    const assessed = async () => {
      await service.running.runTasks();
      return (await read(businessId)).riskAssessmentId;
    };
    const first = await assessed();
    const powerId = await newActivePower(service, acme, businessId);
    const second = await assessed();
    await call('POST', `${businessId}/powers/${powerId}/revoke`, {
      as: officer,
      body: { reasonCode: 'revoked_by_company' },
    });
    const third = await assessed();
    expect(new Set([first, second, third]).size).toBe(3);
    const path = `risk/assessments/${third}`;
    expect((await send<Schemas['RiskAssessment']>('GET', path)).body.trigger).toBe('event');
  });
});

describe('the threshold of beneficial owners', () => {
  it('follows the level of risk, and other owners by it are recorded as the next version', async () => {
    const { businessId } = await newReviewedBusiness(service, acme);
    await override(businessId, 'low');
    const [ana, bruno] = wholeGraph.edges;
    const edges = [
      { ...ana!, capitalPercent: 85 },
      { ...bruno!, capitalPercent: 15 },
    ];
    const { body: first } = await own(businessId, { ...wholeGraph, edges });
    const found = async () => {
      const { body } = await call<Schemas['BeneficialOwners']>('GET', `${businessId}/beneficial-owners`, {
        as: officer,
      });
      const { threshold, items } = body.assessment;
      const keys = items.filter((one) => one.isBeneficialOwner === 'yes').map(({ partyKey }) => partyKey);
      return [body.versionNumber, threshold.percent, keys.sort()];
    };
    expect([first.version, await found()]).toEqual([1, [1, 25, ['ana']]]);
    await override(businessId, 'high');
    expect(await found()).toEqual([2, 10, ['ana', 'bruno']]);
    const { body } = await call<Schemas['Ownership']>('GET', `${businessId}/ownership`, { as: officer });
    expect([body.version, body.edges, body.createdBy]).toMatchObject([2, edges, { id: 'ownership.follow_risk' }]);
    await override(businessId, 'high');
    expect((await found())[0]).toBe(2);
    const refused = await call('GET', `${businessId}/beneficial-owners?thresholdPercent=20`, { as: officer });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ code: 'threshold_above_policy' }]]);
  });
});

describe('an override of the level of a business', () => {
  it('ends at its time: the level of the model counts again, and the business is assessed', async () => {
    const { businessId } = await newReviewedBusiness(service, acme);
    await override(businessId, 'low');
    expect((await read(businessId)).riskLevel).toBe('low');
    await service.database.sql(
      `UPDATE risk_override SET expires_at = now() - interval '1 minute' WHERE business_id = $1`,
      [businessId],
    );
    await service.running.runJob('risk.override_expiry');
    expect((await read(businessId)).riskLevel).toBe('high');
    const { body } = await send<Schemas['RiskAssessment']>(
      'GET',
      `risk/assessments/${(await read(businessId)).riskAssessmentId}`,
    );
    expect([body.effectiveLevel, body.override?.endedAt === null]).toEqual(['high', false]);
    const { items } = (await call<Schemas['BusinessEventList']>('GET', `${businessId}/timeline`, { as: officer })).body;
    expect(items.map(({ type }) => type)).toContain('risk.override_expired');
  });
});
