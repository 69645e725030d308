import { statement, type Transaction } from '../../database/index.ts';

const setTenant = statement<{ tenantId: string }>('auth.setTenant', (knex, p) =>
  knex.raw(`SELECT set_config('app.tenant_id', ?, true)`, [p.tenantId]));

/**
 * The same transaction, from here on within a tenant. A public operation learns only on the way which tenant its
 * caller belongs to, and writes that tenant's rows together with those that belong to none.
 */
export function withinTenant(tx: Transaction, tenantId: string): Transaction {
  if (tx.tenantId === tenantId) return tx;
  void tx.run(setTenant, { tenantId });
  return {
    tenantId,
    run: (statement, values) => tx.run(statement, values),
    count: (statement, values) => tx.count(statement, values),
    query: (query) => tx.query(query),
    // What travels at the end may follow rows of another tenant.
    atEnd: (statement, values) => {
      tx.atEnd(setTenant, { tenantId });
      tx.atEnd(statement, values);
    },
  };
}
