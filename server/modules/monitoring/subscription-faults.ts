/**
 * What is wrong with a request about a subscription beyond its schema, without input or output. Used by the handlers
 * and by change-subscription.ts. A check that does not suit the kind of its subject would never be performed.
 */
import type { components } from '../../contract/generated/types.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import type { Subject } from '../../rules/subject.ts';
import { CHECKS_OF } from '../subscriptions/index.ts';

type Schemas = components['schemas'];
type Wanted = ValidPart<Pick<Schemas['SubscriptionCreate'], 'checks' | 'schedule'>>;

/** Returns the contradictions within a request for a subscription, as far as its members are valid. */
export function creationFaults(body: ValidPart<Schemas['SubscriptionCreate']>): FieldError[] {
  const { applicationId, businessId } = body;
  if (applicationId === undefined && businessId === undefined) return scheduleFaults(body);
  if (applicationId !== undefined && businessId !== undefined) return scheduleFaults(body);
  return subjectFaults(businessId === undefined ? 'application' : 'business', body);
}

/** Returns what does not suit the kind of the subject, and the contradictions within the schedule. */
export function subjectFaults(kind: Subject['kind'], { checks = [], schedule }: Wanted): FieldError[] {
  return [
    ...checks.flatMap((check, index) =>
      check === undefined || CHECKS_OF[kind].includes(check)
        ? []
        : [{ pointer: `/checks/${index}`, code: 'not_allowed', message: `is no check of ${PLURALS[kind]}` }],
    ),
    ...(kind === 'business' && schedule?.kind === 'on_list_update'
      ? [{ pointer: '/schedule/kind', code: 'not_allowed', message: 'must be interval for a business' }]
      : scheduleFaults({ schedule })),
  ];
}

const PLURALS = { application: 'applicants', business: 'businesses' } as const;

/** Returns the contradictions within a schedule. */
export function scheduleFaults({ schedule }: ValidPart<Pick<Schemas['SubscriptionUpdate'], 'schedule'>>): FieldError[] {
  const { kind, intervalDays = null } = schedule ?? {};
  if (kind === 'interval' && intervalDays === null)
    return [{ pointer: '/schedule/intervalDays', code: 'required', message: 'is required for interval' }];
  return kind === 'on_list_update' && intervalDays !== null
    ? [
        {
          pointer: '/schedule/intervalDays',
          code: 'not_allowed',
          message: 'must be null or left out for on_list_update',
        },
      ]
    : [];
}

/**
 * Returns the contradictions within a patch: an interval with `on_list_update`, and a pause without its reason and end.
 */
export function updateFaults({ schedule, ...patch }: ValidPart<Schemas['SubscriptionUpdate']>): FieldError[] {
  const faults = schedule?.kind === 'on_list_update' ? scheduleFaults({ schedule }) : [];
  for (const name of ['pauseReason', 'pauseUntil'] as const) {
    const isSet = (patch[name] ?? null) !== null;
    if (patch.status === 'paused' && !isSet)
      faults.push({ pointer: `/${name}`, code: 'required', message: 'is required for paused' });
    if (patch.status !== 'paused' && isSet)
      faults.push({
        pointer: `/${name}`,
        code: 'not_allowed',
        message: 'must be left out unless the status is paused',
      });
  }
  return faults;
}

export function assertFaultless(errors: FieldError[]): void {
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}
