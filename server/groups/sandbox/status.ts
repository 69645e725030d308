import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { countRecords, findDivertedKeys, findSwitch } from './store.ts';

type SandboxStatus = components['schemas']['SandboxStatus'];

const DAY = 86_400_000;

/** The switch, what the sandbox holds, and, while it is on, the live keys whose records it diverts. */
export async function readStatus(tx: Transaction, now: Date): Promise<SandboxStatus> {
  const tenant = { tenantId: tx.tenantId! };
  const [[row], [counts], diverted] = await Promise.all([
    tx.run(findSwitch, tenant),
    tx.run(countRecords, tenant),
    tx.run(findDivertedKeys, { ...tenant, since: new Date(now.getTime() - DAY) }),
  ]);
  const prefixes = row!.sandbox_enabled ? diverted.map(({ prefix }) => prefix) : [];
  return {
    enabled: row!.sandbox_enabled,
    enabledAt: row!.sandbox_enabled_at,
    enabledBy: row!.sandbox_enabled_by,
    counts: { applications: counts!.applications, documents: counts!.documents, fundsRecoveryEvents: counts!.events },
    warnings: prefixes.length === 0 ? [] : [{
      code: 'unpinned_live_keys_in_use',
      message: 'Live keys without pinEnvironment were used in the last 24 hours; what they create now goes to the sandbox.',
      prefixes,
    }],
  };
}
