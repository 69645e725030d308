/** Tests of the powers of a business: drafts, their confirmation by a second person, and their end. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { articles, newActivePower, newBusinessDocument, newConfirmable, newPower } from '../operations/powers.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { type Credential, type Tenant, useService } from '../support/service.ts';

const service = await useService();

type Schemas = components['schemas'];

const at = (businessId: string, powerId: string) => ({ path: { businessId, powerId } });
const draft = (as: Credential, businessId: string, body: object) =>
  service.api.POST('/v1/businesses/{businessId}/powers', {
    params: { path: { businessId } },
    headers: as,
    body: { ...articles, ...body },
  });
const patch = (as: Credential, businessId: string, powerId: string, body: Schemas['PowerUpdate']) =>
  service.api.PATCH('/v1/businesses/{businessId}/powers/{powerId}', {
    params: at(businessId, powerId),
    headers: as,
    body,
  });
const confirm = (as: Credential, businessId: string, powerId: string, body: Schemas['PowerConfirm']) =>
  service.api.POST('/v1/businesses/{businessId}/powers/{powerId}/confirm', {
    params: at(businessId, powerId),
    headers: as,
    body,
  });
const revoke = (as: Credential, businessId: string, powerId: string, body: Partial<Schemas['PowerRevoke']> = {}) =>
  service.api.POST('/v1/businesses/{businessId}/powers/{powerId}/revoke', {
    params: at(businessId, powerId),
    headers: as,
    body: { reasonCode: 'revoked_by_company', ...body },
  });
const list = async (tenant: Tenant, businessId: string, query: object = {}) =>
  (
    await success(
      service.api.GET('/v1/businesses/{businessId}/powers', {
        params: { path: { businessId }, query },
        headers: await tenant.key(['read']),
      }),
    )
  ).body.items;

describe('the draft of a power', () => {
  it('becomes active when a second person confirms it, who states the digest of the file', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const { powerId, confirmation } = await newConfirmable(service, tenant, businessId);
    const officer = await tenant.user('compliance_officer');
    const { body } = await success(confirm(officer, businessId, powerId, { ...confirmation, note: 'Agrees.' }));
    expect(body).toMatchObject({
      status: 'active',
      version: 2,
      confirmationNote: 'Agrees.',
      extractedBy: 'manual',
    });
    expect(body.confirmedBy).toMatchObject({ type: 'user' });
    expect((await confirm(officer, businessId, powerId, confirmation)).error).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'active',
    });
  });

  it('is confirmed by none of its authors, also not by one whose text was changed by another', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const { powerId } = await newConfirmable(service, tenant, businessId);
    const [author, editor] = [
      await tenant.user('analyst', { purpose: 'proposes' }),
      await tenant.user('analyst', { purpose: 'edits' }),
    ];
    const { body } = await success(patch(editor, businessId, powerId, { registryNumber: '7' }));
    const sourceDocumentSha256 = await shaOf(body.documentId!);
    const { evidenceDigest = '' } = body;
    for (const person of each([author, editor]))
      expect(
        (await confirm(person, businessId, powerId, { evidenceDigest, sourceDocumentSha256 })).error,
      ).toMatchObject({
        code: 'self_approval_forbidden',
      });
    const officer = await tenant.user('compliance_officer');
    await success(confirm(officer, businessId, powerId, { evidenceDigest, sourceDocumentSha256 }));
  });

  it('is confirmed only with its document, and only as it is now', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const officer = await tenant.user('compliance_officer');
    const { powerId, confirmation } = await newConfirmable(service, tenant, businessId);
    const wrongFile = { ...confirmation, sourceDocumentSha256: '0a'.repeat(32) };
    const wrongDraft = { ...confirmation, evidenceDigest: `sha256:${'0a'.repeat(32)}` };
    expect((await confirm(officer, businessId, powerId, wrongFile)).error?.code).toBe('document_changed');
    expect((await confirm(officer, businessId, powerId, wrongDraft)).error?.code).toBe('evidence_changed');
    const { id } = await newPower(service, tenant, businessId);
    expect((await confirm(officer, businessId, id, confirmation)).error?.code).toBe('document_missing');
    await success(confirm(officer, businessId, powerId, confirmation));
  });

  it('is changed only in the version that was read, and not after it was confirmed', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const as = await tenant.key(['kyb']);
    const { id } = await newPower(service, tenant, businessId);
    const { headers } = await success(
      patch({ ...as, 'If-Match': '"1"' }, businessId, id, { validUntil: '2030-01-01' }),
    );
    expect(headers.get('etag')).toBe('"2"');
    const stale = await patch({ ...as, 'If-Match': '"1"' }, businessId, id, { validUntil: null });
    expect(stale.response.status).toBe(412);
    const active = await newActivePower(service, tenant, businessId);
    expect((await patch(as, businessId, active, { validUntil: null })).error).toMatchObject({
      code: 'invalid_state_transition',
      allowedTransitions: ['revoked'],
    });
  });
});

async function shaOf(documentId: string): Promise<string> {
  const [row] = await service.database.sql<{ sha256: string }>(
    'SELECT coalesce(original_sha256, sha256) AS sha256 FROM document WHERE id = $1',
    [documentId],
  );
  return row!.sha256;
}

describe('the status of a power', () => {
  it('is that of the day, so a power expires and is superseded without anybody doing anything', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const old = await newActivePower(service, tenant, businessId, {
      validFrom: '2020-01-01',
      registeredOn: '2020-01-01',
    });
    const minutes = await newActivePower(service, tenant, businessId, {
      type: 'election_minutes',
      validFrom: '2020-01-01',
      validUntil: '2025-12-31',
    });
    const current = await newActivePower(service, tenant, businessId);
    const statuses = async (asOf?: string) =>
      Object.fromEntries(
        (await list(tenant, businessId, asOf === undefined ? {} : { asOf })).map(({ id, status }) => [id, status]),
      );
    expect(await statuses()).toEqual({ [old]: 'superseded', [minutes]: 'expired', [current]: 'active' });
    expect(await statuses('2023-06-01')).toEqual({ [old]: 'active', [minutes]: 'active', [current]: 'active' });
    expect((await list(tenant, businessId, { status: ['expired'] })).map(({ id }) => id)).toEqual([minutes]);
    expect((await list(tenant, businessId, { type: ['articles'] })).map(({ id }) => id)).toEqual([current, old]);
  });

  it('is revoked from an instant on, which is not before its first day, and only once', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const as = await tenant.key(['kyb']);
    const active = await newActivePower(service, tenant, businessId);
    const early = await revoke(as, businessId, active, { revokedAt: '2024-01-14T12:00:00Z' });
    expect(early.error?.errors).toMatchObject([{ pointer: '/revokedAt', code: 'revocation_before_validity' }]);
    const { id: documentId } = await newBusinessDocument(service, tenant, businessId);
    const { body } = await success(revoke(as, businessId, active, { revokedAt: '2026-05-05T12:00:00Z', documentId }));
    expect(body).toMatchObject({ status: 'revoked', revokedAt: '2026-05-05T12:00:00.000Z' });
    expect((await list(tenant, businessId, { asOf: '2026-05-04' }))[0]!.status).toBe('active');
    expect((await revoke(as, businessId, active)).error?.code).toBe('invalid_state_transition');
  });

  it('is revoked for a draft that is given up, which nobody confirms any more', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const { powerId, confirmation } = await newConfirmable(service, tenant, businessId, { validFrom: '2099-01-01' });
    await success(revoke(await tenant.key(['kyb']), businessId, powerId));
    const late = await confirm(await tenant.user('compliance_officer'), businessId, powerId, confirmation);
    expect(late.error).toMatchObject({ code: 'invalid_state_transition', allowedTransitions: [] });
  });
});

describe('a power is refused, with the member that is wrong,', () => {
  const formula = (of: Schemas['PowerFormula']) => ({ rules: [{ key: 'a', actTypes: ['*'], formula: of }] });
  const refusals: readonly (readonly [string, object, readonly string[]])[] = [
    [
      'if more persons must sign than there are',
      formula({ atLeast: 3, of: [{ group: 'directors' }, { group: 'directors' }, { group: 'directors' }] }),
      ['/rules/0/formula formula_unsatisfiable'],
    ],
    [
      'if a group has no members',
      { groups: [{ key: 'directors', members: [] }], rules: [] },
      ['/groups/0/members group_empty'],
    ],
    ['if a group is unknown', formula({ group: 'x' }), ['/rules/0/formula unknown_group']],
    ['if a party is unknown', formula({ party: 'x' }), ['/rules/0/formula unknown_party']],
    ['if it ends before it begins', { validUntil: '2024-01-14' }, ['/validUntil validity_inverted']],
    [
      'if a formula has two meanings',
      formula({ party: 'ana', group: 'directors' }),
      ['/rules/0/formula formula_shape'],
    ],
    [
      'if a formula has five levels',
      formula({ all: [{ all: [{ all: [{ all: [{ all: [{ party: 'ana' }] }] }] }] }] }),
      ['/rules/0/formula formula_too_large'],
    ],
    [
      'if a formula has 21 names',
      formula({ any: [{ any: Array.from({ length: 20 }, () => ({ party: 'ana' })) }, { party: 'bruno' }] }),
      ['/rules/0/formula formula_too_large'],
    ],
    [
      'if a type of acts is unknown',
      { rules: [{ key: 'a', actTypes: ['custom:lease'], formula: { party: 'ana' } }] },
      ['/rules/0/actTypes/0 unknown_act_type'],
    ],
    [
      'if two rules have one key',
      { rules: [1, 2].map(() => ({ key: 'a', actTypes: ['*'], formula: { party: 'ana' } })) },
      ['/rules/1/key duplicate_key'],
    ],
    [
      'if it names records that are not of the business',
      {
        documentId: '0197f301-2b1e-7d3a-a4c2-7e9b0d1f6a21',
        supersedes: '0197f301-2b1e-7d3a-a4c2-7e9b0d1f6a21',
        grantorInstrumentId: '0197f301-2b1e-7d3a-a4c2-7e9b0d1f6a21',
      },
      ['/documentId not_found', '/supersedes not_found', '/grantorInstrumentId not_found'],
    ],
  ];

  it.each(refusals)('%s', async (_, body, expected) => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const { response, error } = await draft(await tenant.key(['kyb']), businessId, body);
    expect([response.status, error?.errors?.map(({ pointer, code }) => `${pointer} ${code}`)]).toEqual([422, expected]);
  });

  it('if its document is that of an application, or of another business', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const { id: documentId } = await newBusinessDocument(service, tenant, await newOwnedBusiness(service, tenant));
    const { error } = await draft(await tenant.key(['kyb']), businessId, { documentId });
    expect(error?.errors).toMatchObject([{ pointer: '/documentId', code: 'not_found' }]);
  });

  it('if it closes a cycle of powers of attorney, or is the sixth of a chain', async () => {
    const tenant = await service.tenant();
    const businessId = await newOwnedBusiness(service, tenant);
    const as = await tenant.key(['kyb']);
    let { id: grantorInstrumentId } = await newPower(service, tenant, businessId);
    const chain: string[] = [];
    const type = 'power_of_attorney' as const;
    for (let link = 0; link < 5; link++) {
      ({ id: grantorInstrumentId } = await newPower(service, tenant, businessId, { type, grantorInstrumentId }));
      chain.push(grantorInstrumentId);
    }
    const sixth = await draft(as, businessId, { type, grantorInstrumentId });
    expect(sixth.error?.errors).toMatchObject([{ pointer: '/grantorInstrumentId', code: 'too_many_delegations' }]);
    const cycle = await patch(as, businessId, chain[0]!, { grantorInstrumentId: chain[1]! });
    expect(cycle.error?.errors).toMatchObject([{ pointer: '/grantorInstrumentId', code: 'delegation_cycle' }]);
  });
});
