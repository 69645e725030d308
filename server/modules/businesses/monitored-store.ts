/**
 * Which businesses are customers and therefore monitored, as an SQL condition and lists. Exported by the index for
 * monitoring and cases. Monitoring begins and ends by the same rule (monitoring.ts).
 */
import type { Uuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, sql, statement, type Transaction } from '../../database/index.ts';
import { isCustomerAmong } from '../decisions/index.ts';
import { business } from './store.ts';

/** Returns the condition that a business is a customer, under its alias in the statement. */
export const isCustomerBusiness = (of: string): Fragment => isCustomerAmong(business.as(of), 'businessId');

const findCustomer = statement<{ tenantId: string; id: string }>(
  'business.findCustomer',
  (p) => sql`
  SELECT FROM business b WHERE ${business.as('b').equal({ tenantId: p.tenantId, id: p.id })}
    AND ${isCustomerBusiness('b')}`,
);

/** Customers without a subscription. Skips locked ones, because another process is changing them. */
const listUnwatched = statement<{ tenantId: string; environment: Environment; limit: number }, { id: Uuid }>(
  'business.unwatched',
  (p) => sql`
  SELECT b.id FROM business b
    WHERE ${business.as('b').equal({ tenantId: p.tenantId, environment: p.environment })}
    AND ${isCustomerBusiness('b')}
    AND NOT EXISTS (SELECT FROM monitoring_subscription s
      WHERE s.tenant_id = b.tenant_id AND s.business_id = b.id AND s.status <> 'ended')
  ORDER BY b.id LIMIT ${p.limit}::integer FOR UPDATE SKIP LOCKED`,
);

export async function isCustomerBusinessNow(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.count(findCustomer, { tenantId: tx.tenantId!, id })) > 0;
}

/**
 * Finds and locks customers without a subscription, for example companies that were approved before companies could be
 * monitored.
 */
export async function unwatchedBusinesses(tx: Transaction, environment: Environment, limit: number): Promise<Uuid[]> {
  return (await tx.run(listUnwatched, { tenantId: tx.tenantId!, environment, limit })).map(({ id }) => id);
}
