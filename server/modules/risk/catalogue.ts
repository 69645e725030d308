import type { Transaction } from '../../database/index.ts';
import { catalogueOf, FACT_GROUPS, type TenantFact, tenantFacts } from '../../risk/catalogue.ts';
import type { FactCatalogue, SubjectType } from '../../risk/facts.ts';
import { readSettings } from '../tenant-settings/index.ts';

/**
 * First day of the tenant's own facts. They are values of the metadata, which applications always had, so snapshots
 * hold them from the declaration on.
 */
const SINCE = '2026-11-26';

/** Returns the facts that the tenant declares in its settings. */
export async function ownFacts(tx: Transaction): Promise<TenantFact[]> {
  const { risk } = await readSettings(tx, tx.tenantId!);
  return risk.facts.map(({ name, type, description }) => ({
    key: name,
    type,
    description,
    availableSince: SINCE,
  }));
}

/** Returns the facts that models of a kind of subject may use: those of the product and the tenant's own. */
export async function factCatalogue(tx: Transaction, subjectType: SubjectType): Promise<FactCatalogue> {
  return catalogueOf([...FACT_GROUPS, tenantFacts(await ownFacts(tx))], subjectType);
}
