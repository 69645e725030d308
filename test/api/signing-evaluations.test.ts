/** Tests of evaluations of who may sign for a business, and of their receipts. */
import { describe, expect, it } from 'vitest';
import { newBusiness } from '../operations/business-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower, newEvaluation, newPower } from '../operations/powers.ts';
import { success } from '../support/api.ts';
import { type Tenant, useService } from '../support/service.ts';

const service = await useService();

const read = async (tenant: Tenant, businessId: string, evaluationId: string) =>
  (
    await success(
      service.api.GET('/v1/businesses/{businessId}/signing-evaluations/{evaluationId}', {
        params: { path: { businessId, evaluationId } },
        headers: await tenant.key(['read']),
      }),
    )
  ).body;
const loan = { type: 'borrow', amount: { amount: 25_000_000, currency: 'BRL' } } as const;

describe('a signing evaluation', () => {
  it('names who must sign as well, and whoever could sign', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const powerId = await newActivePower(service, tenant, businessId);
    const alone = await newEvaluation(service, tenant, businessId, { act: loan, signers: [{ partyKey: 'ana' }] });
    expect(alone).toMatchObject({ result: 'indeterminate', coverage: 'complete', missing: [['bruno']] });
    expect(alone.reasons.map(({ code }) => code)).toContain('joint_signature_required');
    expect(alone.instrumentVersions).toMatchObject([{ instrumentId: powerId, version: 2 }]);
    const who = await newEvaluation(service, tenant, businessId, { act: loan });
    expect(who).toMatchObject({ signers: null, minimalSets: [['ana', 'bruno']], missing: [] });
  });

  it('takes a number for the person who has it, and one person twice for one', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    await newActivePower(service, tenant, businessId);
    const signers = [{ partyKey: 'ana' }, { taxId: '529.982.247-25' }];
    const { reasons, missing } = await newEvaluation(service, tenant, businessId, { act: loan, signers });
    expect(reasons).toContainEqual({ code: 'distinct_persons_required', partyKey: 'ana', instrumentId: null });
    expect(missing).toEqual([['bruno']]);
  });

  it('is never authorized by a draft, nor without articles on file', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    await newPower(service, tenant, businessId);
    const signers = [{ partyKey: 'ana' }, { partyKey: 'bruno' }];
    const drafted = await newEvaluation(service, tenant, businessId, { act: loan, signers });
    expect(drafted).toMatchObject({ result: 'indeterminate', coverage: 'partial', satisfiedBy: [] });
    const empty = await newEvaluation(service, tenant, await newBusiness(service, tenant), { act: loan, signers });
    expect(empty).toMatchObject({ result: 'indeterminate', coverage: 'none', ownershipVersion: 0 });
  });

  it('stays as it was when a power is revoked, and is evaluated again to the same bytes', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const powerId = await newActivePower(service, tenant, businessId);
    const before = await newEvaluation(service, tenant, businessId, { act: loan });
    await success(
      service.api.POST('/v1/businesses/{businessId}/powers/{powerId}/revoke', {
        params: { path: { businessId, powerId } },
        headers: await tenant.key(['kyb']),
        body: { reasonCode: 'resigned' },
      }),
    );
    expect(await read(tenant, businessId, before.id)).toEqual({ ...before, reproducible: true });
    service.advance(1000);
    const after = await newEvaluation(service, tenant, businessId, { act: loan });
    expect([before.coverage, after.coverage]).toEqual(['complete', 'none']);
    const yesterday = await newEvaluation(service, tenant, businessId, { act: { ...loan, at: before.act.at! } });
    expect(yesterday).toMatchObject({ coverage: 'complete', minimalSets: before.minimalSets });
  });

  it('is listed, newest first, with pages', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const first = await newEvaluation(service, tenant, businessId);
    service.advance(1000);
    const second = await newEvaluation(service, tenant, businessId, { act: loan });
    const list = async (query: object) =>
      (
        await success(
          service.api.GET('/v1/businesses/{businessId}/signing-evaluations', {
            params: { path: { businessId }, query },
            headers: await tenant.key(['read']),
          }),
        )
      ).body;
    const page = await list({ limit: 1 });
    expect(page.items).toMatchObject([{ id: second.id, actType: 'borrow', digest: second.digest }]);
    expect((await list({ limit: 1, cursor: page.cursor })).items).toMatchObject([{ id: first.id }]);
  });

  it('is refused for an unknown type of acts, and for a signer with no name or two', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const { error } = await service.api.POST('/v1/businesses/{businessId}/signing-evaluations', {
      params: { path: { businessId } },
      headers: await tenant.key(['kyb']),
      body: { act: { type: 'dance' }, signers: [{}, { partyKey: 'ana', taxId: '52998224725' }] },
    });
    expect(error?.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/act/type unknown_act_type',
      '/signers/0/partyKey required',
      '/signers/1/partyKey required',
    ]);
  });
});
