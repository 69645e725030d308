/** Tests of branches of companies: they are recorded after their head office, and its powers count for them. */
import { describe, expect, it } from 'vitest';
import { branchOf, newBusiness, newCnpj } from '../operations/business-records.ts';
import { newOwnership } from '../operations/ownership.ts';
import { articles, newActivePower, newEvaluation } from '../operations/powers.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { whileChangesWait } from '../support/locks.ts';
import { type Credential, type Tenant, useService } from '../support/service.ts';

const service = await useService();

const record = (headers: Credential, number: string, level: 'basic' | 'enhanced' = 'basic') =>
  service.api.POST('/v1/businesses', {
    headers,
    body: {
      legalName: 'Padaria Aurora Ltda',
      legalForm: 'ltda',
      level,
      registration: { type: 'cnpj', number },
    },
  });
const refusal = async (headers: Credential, number: string) => {
  const { response, error } = await record(headers, number);
  return [response.status, error?.code, error?.errors?.map(({ pointer, code }) => `${pointer} ${code}`)];
};
const WITHOUT_ROOT = [422, 'validation_failed', ['/registration/number branch_without_root']];

/** Records a head office whose articles let two directors sign, and a branch about which nothing else is recorded. */
async function headAndBranch(
  tenant: Tenant,
  change: Parameters<typeof newActivePower>[3] = {},
  level: 'basic' | 'enhanced' = 'enhanced',
) {
  const as = await tenant.key(['kyb']);
  const number = newCnpj();
  const { body: head } = await success(record(as, number), 201);
  await newOwnership(service, tenant, head.id);
  const powerId = await newActivePower(service, tenant, head.id, change);
  const { body: branch } = await success(record(as, branchOf(number), level), 201);
  return { headId: head.id, branchId: branch.id, powerId };
}
const evaluate = (tenant: Tenant, businessId: string, place?: { state: string }) =>
  newEvaluation(service, tenant, businessId, {
    act: { type: 'borrow', amount: { amount: 25_000_000, currency: 'BRL' }, ...(place && { place }) },
    signers: [{ partyKey: 'ana' }],
  });

describe('a branch', () => {
  it('is refused until its head office is recorded in the same environment of the same tenant', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()];
    const as = await tenant.key(['kyb']);
    const number = newCnpj();
    const branches = ['0002', '01DE', '9999'].map((order) => branchOf(number, order));
    await success(record(await other.key(['kyb']), number), 201);
    for (const branch of each(branches)) expect(await refusal(as, branch)).toEqual(WITHOUT_ROOT);
    await success(record(as, number), 201);
    for (const branch of each(branches)) await success(record(as, branch), 201);
    await success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
    expect(await refusal(as, branches[0]!)).toEqual(WITHOUT_ROOT);
  });

  it('is refused again once its head office is erased, unless it exists, and no other number helps', async () => {
    const tenant = await service.tenant();
    const as = await tenant.key(['kyb']);
    const number = newCnpj();
    const { body: head } = await success(record(as, number), 201);
    const { body: branch } = await success(record(as, branchOf(number, '0002')), 201);
    const { status } = await service.request('POST', `/v1/businesses/${head.id}/erase`, {
      as: await tenant.user('compliance_officer', { secondFactor: true }),
      body: { reason: 'data_subject_request' },
    });
    expect(status).toBe(202);
    expect(await refusal(as, branchOf(number, '0003'))).toEqual(WITHOUT_ROOT);
    expect((await record(as, branchOf(number, '0002'))).error).toMatchObject({
      code: 'duplicate_registration',
      existingId: branch.id,
    });
    const { body: list } = await success(service.api.GET('/v1/businesses', { headers: as }));
    expect(list.items.map(({ id }) => id)).toEqual([branch.id]);
  });

  it('lets sign who may sign for its head office, and says by which of its powers', async () => {
    const tenant = await service.tenant();
    const { headId, branchId, powerId } = await headAndBranch(tenant);
    const [ofHead, ofBranch] = [await evaluate(tenant, headId), await evaluate(tenant, branchId)];
    expect(ofBranch).toMatchObject({ coverage: 'complete', missing: [['bruno']], ownershipVersion: 0 });
    expect(ofBranch.missing).toEqual(ofHead.missing);
    expect(ofBranch.instrumentVersions.map(({ instrumentId }) => instrumentId)).toEqual([powerId]);
    const { body: sheet } = await success(
      service.api.GET('/v1/businesses/{businessId}/signatories', {
        params: { path: { businessId: branchId } },
        headers: await tenant.key(['read']),
      }),
    );
    expect(new Set(sheet.items.map(({ instrumentId }) => instrumentId))).toEqual(new Set([powerId]));
    expect(new Set(sheet.items.map(({ name }) => name))).toEqual(new Set(['Ana Souza', 'Bruno Lima']));
  });

  it('names parties of its head office apart if it has parties of its own with the same keys', async () => {
    const tenant = await service.tenant();
    const { branchId } = await headAndBranch(tenant);
    await newOwnership(service, tenant, branchId);
    // Ana has the same CPF in both, so she is one person; of Bruno nobody knows that.
    expect((await evaluate(tenant, branchId)).missing).toEqual([['bruno-head']]);
  });

  it('is not covered by a power of its head office for another territory', async () => {
    const tenant = await service.tenant();
    const rules = articles.rules!.map((rule) => ({ ...rule, territory: 'PR' }));
    const { branchId } = await headAndBranch(tenant, { rules });
    expect((await evaluate(tenant, branchId, { state: 'PR' })).missing).toEqual([['bruno']]);
    const elsewhere = await evaluate(tenant, branchId, { state: 'SP' });
    expect([elsewhere.coverage, elsewhere.missing]).toEqual(['complete', []]);
  });

  it('has confirmed powers through the articles of its head office, and not through its powers of attorney', async () => {
    const tenant = await service.tenant();
    const [articled, attorney] = [
      await headAndBranch(tenant),
      await headAndBranch(tenant, { type: 'power_of_attorney', grantedBy: ['ana'], grantedOn: '2024-01-10' }),
    ];
    const requirement = async (businessId: string) => {
      const { body } = await success(
        service.api.GET('/v1/businesses/{businessId}', {
          params: { path: { businessId } },
          headers: await tenant.key(['read']),
        }),
      );
      return body.requirements!.items.find(({ key }) => key === 'powers_confirmed')?.status;
    };
    expect([await requirement(articled.branchId), await requirement(attorney.branchId)]).toEqual([
      'verified',
      'missing',
    ]);
  });

  it('holds its head office as long as the law demands that the branch is kept, whose receipts it shares', async () => {
    const tenant = await service.tenant();
    const { headId, branchId } = await headAndBranch(tenant, {}, 'basic');
    const receipt = await evaluate(tenant, branchId);
    const as = await tenant.key(['kyb']);
    const params = { path: { businessId: branchId } };
    await success(service.api.POST('/v1/businesses/{businessId}/submit', { params, headers: as }), 202);
    await success(
      service.api.POST('/v1/businesses/{businessId}/withdraw', {
        params,
        headers: as,
        body: { reasonCode: 'duplicate' },
      }),
    );
    const erased = async () => {
      const { status, body } = await service.request<{ code?: string }>('POST', `/v1/businesses/${headId}/erase`, {
        as: await tenant.user('compliance_officer', { secondFactor: true }),
        body: { reason: 'data_subject_request' },
      });
      return [status, body.code];
    };
    const read = async () =>
      (
        await service.request('GET', `/v1/businesses/${branchId}/signing-evaluations/${receipt.id}`, {
          as: await tenant.key(['read']),
        })
      ).status;
    expect([await erased(), await read()]).toEqual([[409, 'retention_hold'], 200]);
    await service.database.sql('UPDATE business SET submitted_at = $2, updated_at = $2 WHERE id = $1', [
      branchId,
      '2015-03-15T12:00:00Z',
    ]);
    expect([await erased(), await read()]).toEqual([[202, undefined], 410]);
  });

  it('keeps no receipt about the people of a head office that is erased', async () => {
    const tenant = await service.tenant();
    const { headId, branchId } = await headAndBranch(tenant);
    const stranger = await newBusiness(service, tenant);
    const [receipt, other] = [await evaluate(tenant, branchId), await newEvaluation(service, tenant, stranger)];
    const { status } = await service.request('POST', `/v1/businesses/${headId}/erase`, {
      as: await tenant.user('compliance_officer', { secondFactor: true }),
      body: { reason: 'data_subject_request' },
    });
    expect(status).toBe(202);
    const read = async (businessId: string, evaluationId: string) =>
      (
        await service.request('GET', `/v1/businesses/${businessId}/signing-evaluations/${evaluationId}`, {
          as: await tenant.key(['read']),
        })
      ).status;
    expect([await read(branchId, receipt.id), await read(stranger, other.id)]).toEqual([410, 200]);
    expect(await evaluate(tenant, branchId)).toMatchObject({ coverage: 'none', instrumentVersions: [] });
  });

  it('is evaluated without its head office while that is being erased, so no receipt keeps its people', async () => {
    const tenant = await service.tenant();
    const { headId, branchId } = await headAndBranch(tenant);
    const as = await tenant.user('compliance_officer', { secondFactor: true });
    const { erasing, evaluating } = await whileChangesWait(service.database, async (isWaitedFor) => {
      const erasure = service.request('POST', `/v1/businesses/${headId}/erase`, {
        as,
        body: { reason: 'data_subject_request' },
      });
      await isWaitedFor();
      const evaluation = evaluate(tenant, branchId);
      await isWaitedFor(2);
      return { erasing: erasure, evaluating: evaluation };
    });
    expect((await erasing).status).toBe(202);
    expect(await evaluating).toMatchObject({ coverage: 'none', instrumentVersions: [] });
  });
});
