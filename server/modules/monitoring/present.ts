/**
 * Wire form of subscriptions and alerts, without input or output. Used by the handlers. Alerts pass through `shown`,
 * which masks personal data for readers who must not see it.
 */
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { shown } from '../../rules/mask.ts';
import type { Alert, Run, Subscription } from '../subscriptions/index.ts';

type Schemas = components['schemas'];

export function presentInList({ intervalDays, waitingFor: _, ...own }: Subscription): Schemas['SubscriptionSummary'] {
  return { ...own, schedule: { kind: intervalDays === null ? 'on_list_update' : 'interval', intervalDays } };
}

export function present(found: Subscription, recentRuns: Run[]): Schemas['Subscription'] {
  return { ...presentInList(found), recentRuns };
}

/** Presents an alert to its reader. */
export function presentAlert(
  {
    screeningId,
    hitId,
    listId,
    score,
    scoreBefore,
    outcome,
    reasonCode,
    note,
    triagedBy,
    triagedAt,
    stateBefore,
    stateAfter,
    ...own
  }: Alert,
  reader: { readonly principal: AnyPrincipal },
): Schemas['Alert'] {
  return shown(
    'Alert',
    {
      ...own,
      change: stateBefore === null || stateAfter === null ? null : { before: stateBefore, after: stateAfter },
      hit:
        screeningId === null || hitId === null || listId === null || score === null
          ? null
          : {
              screeningId,
              hitId,
              listId,
              score,
              scoreBefore,
            },
      triage:
        outcome === null || reasonCode === null || note === null || triagedBy === null || triagedAt === null
          ? null
          : {
              outcome,
              reasonCode,
              note,
              by: triagedBy,
              at: triagedAt,
            },
    },
    reader,
  );
}
