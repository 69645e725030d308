import { DAY_MILLISECONDS } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { personas } from '../../providers/personas/index.ts';
import { countRecords, findDivertedKeys, findSwitch } from './store.ts';

type SandboxStatus = components['schemas']['SandboxStatus'];

const SIMULATIONS = ['advance_clock', 'document_expiry', 'list_update_hit', 'funds_recovery_event'] as const satisfies SandboxStatus['simulationTypes'];

/** The switch, what the sandbox holds and offers, its clock, and, while it is on, the live keys whose records it diverts. */
export async function readStatus(tx: Transaction, now: Date): Promise<SandboxStatus> {
  const tenant = { tenantId: tx.tenantId! };
  const [[row], [counts], diverted] = await Promise.all([
    tx.run(findSwitch, tenant),
    tx.run(countRecords, tenant),
    tx.run(findDivertedKeys, { ...tenant, since: new Date(now.getTime() - DAY_MILLISECONDS) }),
  ]);
  const prefixes = row!.sandboxEnabled ? diverted.map(({ prefix }) => prefix) : [];
  return {
    enabled: row!.sandboxEnabled,
    enabledAt: row!.sandboxEnabledAt,
    enabledBy: row!.sandboxEnabledBy,
    counts: { applications: counts!.applications, documents: counts!.documents, fundsRecoveryEvents: counts!.events },
    clock: clockOf(row!.sandboxClockOffsetSeconds, now),
    personas: [...personas],
    simulationTypes: [...SIMULATIONS],
    warnings: prefixes.length === 0 ? [] : [{
      code: 'unpinned_live_keys_in_use',
      message: 'Live keys without pinEnvironment were used in the last 24 hours; what they create now goes to the sandbox.',
      prefixes,
    }],
  };
}

/** The business time of the sandbox. */
function clockOf(offsetSeconds: number, now: Date): SandboxStatus['clock'] {
  return { offsetSeconds, now: new Date(now.getTime() + offsetSeconds * 1000).toISOString() };
}
