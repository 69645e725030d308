/**
 * Table `simulated_registry_change`: what the registry of the sandbox says otherwise of a business, as a simulation has
 * asked for. Used by ask.ts and, through the index, by simulations. Never read in live.
 */
import type { BusinessTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  businessTimestamp,
  code,
  type InsertOf,
  sql,
  statement,
  table,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { RegistryFinding } from '../../providers/business-registry/index.ts';

export type RegistryChange = NonNullable<components['schemas']['SimulationParams']['registryChange']>;

const simulatedChange = table(
  'simulated_registry_change',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    businessId: uuid(),
    change: code<RegistryChange>(),
    createdAt: businessTimestamp(),
  },
  {
    owner: 'business',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { environment: 'sandbox', change: 'closed' },
  },
);

const insert = statement<InsertOf<typeof simulatedChange>>('simulatedRegistry.insert', (p) =>
  simulatedChange.insert(p),
);

const list = statement<{ tenantId: string; businessId: string }, { change: RegistryChange }>(
  'simulatedRegistry.list',
  (p) => sql`
  SELECT change FROM simulated_registry_change
    WHERE ${simulatedChange.equal({ tenantId: p.tenantId, businessId: p.businessId })} ORDER BY id`,
);

/** Lists the simulated changes of a business, oldest first. */
export async function simulatedChanges(tx: Transaction, businessId: string): Promise<RegistryChange[]> {
  return (await tx.run(list, { tenantId: tx.tenantId!, businessId })).map(({ change }) => change);
}

export function addSimulatedChange(
  tx: Transaction,
  businessId: string,
  change: RegistryChange,
  at: BusinessTime,
): Promise<unknown> {
  return tx.run(insert, {
    tenantId: tx.tenantId!,
    id: uuidv7(),
    environment: 'sandbox',
    businessId,
    change,
    createdAt: at,
  });
}

/** Returns what the registry says after all changes of a business: the last situation counts, and partners add up. */
export function withChanges(finding: RegistryFinding, changes: readonly RegistryChange[]): RegistryFinding {
  const situation = changes.findLast((change) => change !== 'new_partner');
  const added = changes.filter((change) => change === 'new_partner');
  return {
    ...finding,
    ...(situation !== undefined && { situation }),
    partners: [
      ...finding.partners,
      ...added.map((_, index) => ({
        name: `Sócio Simulado ${index + 1}`,
        kind: 'person' as const,
        taxId: null,
        country: 'BR',
        role: 'partner' as const,
        capitalPercent: null,
        since: null,
      })),
    ],
  };
}
