import type { Schemas } from '../../app/api.ts';
import { oneOf, textIn } from '../../app/search.ts';

type Status = Schemas['FundsRecoveryStatusFilter'];

/** Statuses in which something is still to come. */
const UNDER_WAY = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING'] as const satisfies readonly Status[];
export const STATUSES = [...UNDER_WAY, 'COMPLETED', 'CANCELLED'] as const satisfies readonly Status[];
export const ROLES = ['SENT', 'RECEIVED', 'BOTH'] as const satisfies readonly Schemas['FundsRecoveryRoleFilter'][];
export const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Schemas['EnvironmentFilter'][];
export const STAGES = ['open', 'finished', ...STATUSES] as const;

/** What stands in the address of the recoveries: the filters, the recovery that is open, and the run whose clock is shown. */
export interface RecoverySearch {
  readonly status?: (typeof STAGES)[number] | undefined;
  readonly role?: (typeof ROLES)[number] | undefined;
  /** The end-to-end id of a payment, and what else recoveries are found by. */
  readonly payment?: string | undefined;
  readonly counterparty?: string | undefined;
  readonly taxId?: string | undefined;
  /** That of the signed-in person, where it is left out. */
  readonly environment?: (typeof ENVIRONMENTS)[number] | undefined;
  readonly recovery?: string | undefined;
  readonly run?: string | undefined;
}

export function recoverySearch(search: Readonly<Record<string, unknown>>): RecoverySearch {
  return {
    status: oneOf(STAGES, search['status']),
    role: oneOf(ROLES, search['role']),
    payment: textIn(search['payment']),
    counterparty: textIn(search['counterparty']),
    taxId: textIn(search['taxId'])?.replaceAll(/[^0-9A-Za-z]/g, '').slice(0, 40) || undefined,
    environment: oneOf(ENVIRONMENTS, search['environment']),
    recovery: textIn(search['recovery']),
    run: textIn(search['run']),
  };
}

/** The filters that find particular recoveries; what cannot be one yet, because it is still being typed, is left out. */
export const isPayment = (text: string): boolean => /^[ED][0-9A-Za-z]{31}$/.test(text);
export const isParticipant = (text: string): boolean => /^[0-9A-Z]{8}$/.test(text);

export function isFiltered({ status, role, payment, counterparty, taxId }: RecoverySearch): boolean {
  return [status, role, payment, counterparty, taxId].some((value) => value !== undefined);
}

/** The query that the list, the counts and the export have in common. */
export function parametersOf({ status, role, payment, counterparty, taxId }: RecoverySearch, environment: (typeof ENVIRONMENTS)[number], mayUseTaxId: boolean) {
  return {
    environment, status: statusesOf(status), role,
    ...(payment !== undefined && isPayment(payment) && { endToEndId: payment }),
    ...(counterparty !== undefined && isParticipant(counterparty) && { counterparty }),
    ...(taxId !== undefined && mayUseTaxId && { taxId }),
  };
}

/** The statuses that a filter stands for; all of them without one. */
export function statusesOf(filter: RecoverySearch['status']): Status[] | undefined {
  if (filter === undefined) return undefined;
  if (filter === 'open') return [...UNDER_WAY];
  return filter === 'finished' ? ['COMPLETED', 'CANCELLED'] : [filter];
}

export function isFinished(status: string): boolean {
  return status === 'COMPLETED' || status === 'CANCELLED';
}
