/**
 * The state of the sandbox for its page: switch, contents, clock, and keys that the switch redirects. Called by the
 * handlers. It only reads; the list of simulations must follow the contract.
 */
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { personas } from '../../providers/personas/index.ts';
import { countRecords, findDivertedKeys, findSwitch } from './store.ts';

type SandboxStatus = components['schemas']['SandboxStatus'];

const SIMULATIONS = [
  'advance_clock',
  'document_expiry',
  'list_update_hit',
  'registry_change',
  'power_expiry',
  'funds_recovery_event',
] as const satisfies SandboxStatus['simulationTypes'];

const REDIRECTED = {
  on: {
    code: 'unpinned_live_keys_in_use',
    message:
      'Live keys without pinEnvironment were used in the last 24 hours. What they create now goes to the sandbox, ' +
      'and followers of the live feed stop.',
  },
  off: {
    code: 'unpinned_live_keys_would_be_redirected',
    message:
      'Live keys without pinEnvironment were used in the last 24 hours. Sandbox mode would send what they create ' +
      'to the sandbox and stop followers of the live feed.',
  },
} as const;

/**
 * Returns the state of the switch, the contents and options of the sandbox, its clock, and the live keys that the
 * switch redirects or would redirect.
 */
export async function readStatus(tx: Transaction, now: RealTime): Promise<SandboxStatus> {
  const tenant = { tenantId: tx.tenantId! };
  const [[row], [counts], diverted] = await Promise.all([
    tx.run(findSwitch, tenant),
    tx.run(countRecords, tenant),
    tx.run(findDivertedKeys, { ...tenant, since: new Date(now.getTime() - DAY_MILLISECONDS) }),
  ]);
  const prefixes = diverted.map(({ prefix }) => prefix);
  return {
    enabled: row!.sandboxEnabled,
    enabledAt: row!.sandboxEnabledAt,
    enabledBy: row!.sandboxEnabledBy,
    counts: { applications: counts!.applications, documents: counts!.documents, fundsRecoveryEvents: counts!.events },
    clock: clockOf(row!.sandboxClockOffsetSeconds, now),
    personas: [...personas],
    simulationTypes: [...SIMULATIONS],
    warnings: prefixes.length === 0 ? [] : [{ ...REDIRECTED[row!.sandboxEnabled ? 'on' : 'off'], prefixes }],
  };
}

/** Returns the business time of the sandbox. */
function clockOf(offsetSeconds: number, now: RealTime): SandboxStatus['clock'] {
  return { offsetSeconds, now: new Date(now.getTime() + offsetSeconds * 1000).toISOString() };
}
