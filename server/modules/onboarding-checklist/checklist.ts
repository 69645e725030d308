/**
 * Rules of the checklist, without input or output: the state of each step, what has changed, and which is next. Used by
 * observe.ts and the handlers. A step is done by its evidence alone, so nothing here may set it.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { callerMay, type Doing, type Reader } from './caller-may.ts';
import type { StepRow, TenantRow } from './store.ts';

export type Evidence = components['schemas']['ChecklistEvidence'];

export interface StepContext {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly now: RealTime;
}

/**
 * Step that a tenant completes before it goes live. Nobody marks a step as done: it is done if there is evidence of it.
 */
export interface Step {
  readonly key: string;
  readonly title: string;
  /** Whether going live requires the step. A required step cannot be dismissed. */
  readonly required: boolean;
  /** Keys of the steps that must be done first. */
  readonly after: readonly string[];
  /** Page of the dashboard. */
  readonly howTo: string;
  readonly doing: Doing;
  readonly evidence: (ctx: StepContext) => Promise<readonly Evidence[]>;
}

/** Returns why a step is dismissed, or null to restore it. */
export function readDismissal({ reason, restore = false }: components['schemas']['ChecklistDismissRequest']): {
  readonly reason: string | null;
} {
  if (restore && reason !== undefined) {
    throw new Problem('validation_failed', {
      errors: [
        { pointer: '/reason', code: 'not_allowed', message: 'is for putting a step aside, not for taking it up again' },
      ],
    });
  }
  if (!restore && reason === undefined)
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/reason', code: 'required', message: 'is required' }],
    });
  return { reason: reason ?? null };
}

type Checklist = components['schemas']['Checklist'];
type ChecklistStep = Checklist['steps'][number];

/** Data of a checklist at one time. */
export interface Observation {
  readonly tenant: TenantRow;
  readonly evidence: ReadonlyMap<string, readonly Evidence[]>;
  readonly rows: ReadonlyMap<string, StepRow>;
}

interface Changes {
  readonly completed: readonly string[];
  readonly regressed: readonly string[];
}

/** Returns the steps whose state differs from the recorded one. */
export function changesIn(steps: readonly Step[], { evidence, rows }: Observation): Changes {
  const keys = steps.map(({ key }) => key);
  const was = (key: string): boolean => isRemembered(rows.get(key));
  const is = (key: string): boolean => (evidence.get(key) ?? []).length > 0;
  return {
    completed: keys.filter((key) => is(key) && !was(key)),
    regressed: keys.filter((key) => !is(key) && was(key)),
  };
}

function isRemembered(row: StepRow | undefined): boolean {
  return row !== undefined && row.completedAt !== null && row.regressedAt === null;
}

export function checklistOf(steps: readonly Step[], observation: Observation, reader: Reader): Checklist {
  const shown = steps.map((step) => shownStep(step, observation, reader));
  const missingRequired = shown.filter(({ required, status }) => required && status !== 'done').map(({ key }) => key);
  const all = [...shown, goLiveStep(observation.tenant, missingRequired, reader)];
  const settled = all.filter(({ status }) => status === 'done' || status === 'dismissed').length;
  return {
    tenantStatus: observation.tenant.status,
    steps: all,
    progressPercent: Math.floor((100 * settled) / all.length),
    goLiveReady: missingRequired.length === 0,
    missingRequired,
    nextStep: nextOf(all)?.key ?? null,
  };
}

/**
 * Returns the next step: a required one that can be done now, preferably one that the reader may do. Going live is the
 * last.
 */
function nextOf(steps: readonly ChecklistStep[]): ChecklistStep | undefined {
  const open = steps.filter(({ required, status }) => required && status === 'todo');
  return open.find((step) => step.callerMay) ?? open[0];
}

function shownStep(
  { key, title, required, after, howTo, doing }: Step,
  { evidence, rows }: Observation,
  reader: Reader,
): ChecklistStep {
  const isDone = (step: string): boolean => (evidence.get(step) ?? []).length > 0;
  const row = rows.get(key);
  const blockedBy = isDone(key) ? [] : after.filter((step) => !isDone(step));
  const dismissal =
    row === undefined || row.dismissedAt === null
      ? null
      : { reason: row.dismissedReason!, by: row.dismissedBy!, at: row.dismissedAt };
  return {
    key,
    title,
    required,
    howTo,
    blockedBy,
    dismissal,
    operationId: doing.operationId,
    callerMay: callerMay(doing, reader),
    status: isDone(key) ? 'done' : statusOfOpen(dismissal !== null, blockedBy),
    completedAt: row?.completedAt ?? null,
    regressedAt: row?.regressedAt ?? null,
    evidence: [...(evidence.get(key) ?? [])],
  };
}

/** Returns the status of a step that is not done. */
function statusOfOpen(isDismissed: boolean, blockedBy: readonly string[]): ChecklistStep['status'] {
  if (isDismissed) return 'dismissed';
  return blockedBy.length > 0 ? 'blocked' : 'todo';
}

/** Returns the last step, going live. A tenant that never was in onboarding has no time of it. */
function goLiveStep({ id, status, goLiveAt }: TenantRow, missing: readonly string[], reader: Reader): ChecklistStep {
  const isLive = status !== 'onboarding';
  return {
    key: 'go_live',
    title: 'Go live',
    required: true,
    howTo: '/onboarding',
    dismissal: null,
    completedAt: goLiveAt,
    regressedAt: null,
    operationId: 'goLive',
    callerMay: callerMay({ operationId: 'goLive' }, reader),
    status: isLive ? 'done' : statusOfOpen(false, missing),
    evidence: isLive ? [{ type: 'tenant', id }] : [],
    blockedBy: isLive ? [] : [...missing],
  };
}
