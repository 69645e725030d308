/** Table of the applications of the people of companies, and its statements. */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  businessTimestamp,
  code,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  subjectTable,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';

type Schemas = components['schemas'];

const businessParty = subjectTable(
  'business',
  'business_party',
  {
    environment: code<Environment>(),
    partyKey: text().unsealed('a key that the integrator assigns').erasedTo(''),
    linkedApplicationId: uuid(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the business is erased'),
  },
  {
    timeline: { 'party.application_linked': null, 'application.created': null },
  },
);

const columns = businessParty.except('tenantId', 'erasedAt');
export type PartyRow = RowOf<typeof columns>;

const insert = statement<InsertOf<typeof businessParty>>('party.insert', (p) => businessParty.insert(p));

const list = statement<{ tenantId: string; businessId: string }, Schemas['PartyApplication']>(
  'party.list',
  (p) => sql`
  SELECT b.party_key AS "partyKey", a.id AS "applicationId", a.status, b.created_at AS "createdAt"
  FROM business_party b
  JOIN application a ON a.tenant_id = b.tenant_id AND a.id = b.linked_application_id AND a.erased_at IS NULL
  WHERE ${businessParty.as('b').equal({ tenantId: p.tenantId, businessId: p.businessId })} ORDER BY b.id`,
);

export function insertParty(tx: Transaction, row: PartyRow): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Lists the applications of the people of a business that are not erased, the first first. */
export function listPartyApplications(tx: Transaction, businessId: string): Promise<Schemas['PartyApplication'][]> {
  return tx.run(list, { tenantId: tx.tenantId!, businessId });
}
