/**
 * The state of the page in its address, and the query that list, numbers and export share. Used by shell/routes.tsx and
 * the files of this folder.
 */
import type { Schemas } from '../../core/api.ts';
import { oneOf, textIn } from '../../core/search.ts';

type Status = Schemas['FundsRecoveryStatusFilter'];

/** Statuses of unfinished recoveries. */
const UNDER_WAY = [
  'CREATED',
  'TRACKED',
  'AWAITING_ANALYSIS',
  'ANALYSED',
  'REFUNDING',
] as const satisfies readonly Status[];
export const STATUSES = [...UNDER_WAY, 'COMPLETED', 'CANCELLED'] as const satisfies readonly Status[];
export const ROLES = ['SENT', 'RECEIVED', 'BOTH'] as const satisfies readonly Schemas['FundsRecoveryRoleFilter'][];
export const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Schemas['EnvironmentFilter'][];
export const STAGES = ['open', 'finished', ...STATUSES] as const;

/** State of the page in the URL: the filters, the open recovery, and the run whose clock is shown. */
export interface RecoverySearch {
  readonly status?: (typeof STAGES)[number] | undefined;
  readonly role?: (typeof ROLES)[number] | undefined;
  /** End-to-end id of a payment, and other search terms. */
  readonly payment?: string | undefined;
  readonly counterparty?: string | undefined;
  readonly taxId?: string | undefined;
  /** The environment of the signed-in user if absent. */
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
    taxId:
      textIn(search['taxId'])
        ?.replaceAll(/[^0-9A-Za-z]/g, '')
        .slice(0, 40) || undefined,
    environment: oneOf(ENVIRONMENTS, search['environment']),
    recovery: textIn(search['recovery']),
    run: textIn(search['run']),
  };
}

/** Checks of search terms. One that is still incomplete is not sent. */
export const isPayment = (text: string): boolean => /^[ED][0-9A-Za-z]{31}$/.test(text);
export const isParticipant = (text: string): boolean => /^[0-9A-Z]{8}$/.test(text);

export function isFiltered({ status, role, payment, counterparty, taxId }: RecoverySearch): boolean {
  return [status, role, payment, counterparty, taxId].some((value) => value !== undefined);
}

/** Returns the query that the list, the counts and the export share. */
export function parametersOf(
  { status, role, payment, counterparty, taxId }: RecoverySearch,
  environment: (typeof ENVIRONMENTS)[number],
  mayUseTaxId: boolean,
) {
  return {
    environment,
    status: statusesOf(status),
    role,
    ...(payment !== undefined && isPayment(payment) && { endToEndId: payment }),
    ...(counterparty !== undefined && isParticipant(counterparty) && { counterparty }),
    ...(taxId !== undefined && mayUseTaxId && { taxId }),
  };
}

/** Returns the statuses of a filter; undefined for all of them. */
export function statusesOf(filter: RecoverySearch['status']): Status[] | undefined {
  if (filter === undefined) return undefined;
  if (filter === 'open') return [...UNDER_WAY];
  return filter === 'finished' ? ['COMPLETED', 'CANCELLED'] : [filter];
}

export function isFinished(status: string): boolean {
  return status === 'COMPLETED' || status === 'CANCELLED';
}
