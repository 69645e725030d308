/**
 * Changes the settings of a tenant, and finds which safeguards a change weakens. Called by the handler. Weakening needs
 * a second factor; the checks run in an order that never uses up a code for a request that fails anyway. Queues the
 * tasks that follow from a change.
 */
import type { RealTime } from '../../base/time.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { differingMembers, type JsonValue, mergePatchKeepingNull, withoutNulls } from '../../rules/merge-patch.ts';
import { enqueueTask } from '../../tasks/task.ts';
import { withReplacing } from './replaced-members.ts';
import { assertNoErrors, catalogueErrors, deadErrors, settingsErrors, valuesAtPointer } from './settings-rules.ts';
import { ownPatch, type Section, type SettingsPatch, type TenantSettings, type VersionedSettings } from './settings.ts';
import { lockSettings, logoErrors, merged, processErrors, replaceSettings } from './store.ts';

/** Task that re-screens every monitored applicant whose last comparison is outdated (module monitoring). */
export const COMPARISON_CHANGED = { name: 'monitoring.catch_up' } as const;

/** Task that recalculates when the deadlines of open recoveries are announced (module recoveries). */
export const NOTICES_CHANGED = { name: 'recoveries.renew_notices' } as const;

/** Returns the members that differ, before and after, without personal data, for the audit log. */
export function settingsDifference(before: TenantSettings, after: TenantSettings): { old: JsonValue; new: JsonValue } {
  const [was, is] = [before, after] as const;
  return { old: redacted(differingMembers(was, is) ?? {}), new: redacted(differingMembers(is, was) ?? {}) };
}

/** Removes the local part of a person's address. */
function redacted(difference: JsonValue): JsonValue {
  const [[, address] = []] = valuesAtPointer(difference, '/branding/supportEmail');
  return typeof address === 'string'
    ? mergePatchKeepingNull(difference, { branding: { supportEmail: address.replace(/^.*@/, '***@') } })
    : difference;
}

type Looser<T> = (before: T, after: T) => boolean;

const lowered: Looser<number> = (before, after) => after < before;
const raised: Looser<number> = (before, after) => after > before;
const dropped: Looser<boolean> = (before, after) => before && !after;
/** Personal data that was masked becomes visible. */
const uncovered: Looser<string> = (before, after) => before === 'masked' && after !== 'masked';

const granted: Looser<boolean> = (before, after) => after && !before;
const shortened: Looser<readonly string[]> = (before, after) => before.some((entry) => !after.includes(entry));

/** `null` stands for no limit. */
const limitRaised: Looser<number | null> = (before, after) =>
  (after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY);

/** An empty list stands for every domain. */
const restrictionLifted: Looser<readonly string[]> = (before, after) =>
  before.length > 0 && (after.length === 0 || shortened(after, before));

type Amount = TenantSettings['decisionPolicy']['fourEyes']['amountAbove'];

/** For members that are no safeguard. */
const never: Looser<unknown> = () => false;

/** Amounts in two currencies cannot be compared, so a change of currency counts as a weakening and needs a person. */
const amountRaised: Looser<Amount> = (before, after) =>
  before !== null && (after === null || after.currency !== before.currency || after.amount > before.amount);

/** Rule for every safeguard that decides whether a change weakens it. A missing member does not compile. */
const RULES: {
  readonly [S in 'retention' | 'security' | 'fundsRecovery' | 'reports']: {
    readonly [M in Exclude<keyof TenantSettings[S], 'allowPlatformImpersonation'>]: Looser<TenantSettings[S][M]>;
  };
} & {
  readonly fourEyes: {
    readonly [M in keyof TenantSettings['decisionPolicy']['fourEyes']]: Looser<
      TenantSettings['decisionPolicy']['fourEyes'][M]
    >;
  };
} = {
  fourEyes: {
    levels: shortened,
    onPep: dropped,
    onConfirmedHit: dropped,
    onNotScreened: dropped,
    onOverride: dropped,
    amountAbove: amountRaised,
  },
  // Records that are deleted too early cannot be shown to an auditor; biometric data that is kept too long should not
  // exist.
  retention: {
    customerYears: lowered,
    rejectedYears: lowered,
    biometricDays: raised,
    auditYears: lowered,
  },
  security: {
    mfaRequired: dropped,
    passwordMinLength: lowered,
    sessionHours: raised,
    idleMinutes: raised,
    allowedEmailDomains: restrictionLifted,
    inactivityDays: limitRaised,
  },
  fundsRecovery: { rawPayload: uncovered, receivesReports: never, deadlineNoticeHours: never },
  reports: {
    selectionDays: raised,
    analysisDays: raised,
    suspiciousBusinessDays: raised,
    cashBusinessDays: raised,
    nonOccurrenceBusinessDays: raised,
    narrativeTemplate: never,
    submissionFormat: never,
    submissionTemplate: never,
  },
};

/**
 * Returns the members of four-eyes, retention, security, funds recovery and reports that a change weakens, and
 * automatic approval if it is switched on, by JSON Pointer.
 */
export function weakenedMembers(before: TenantSettings, after: TenantSettings): string[] {
  return [
    ...(granted(before.decisionPolicy.autoApprove, after.decisionPolicy.autoApprove)
      ? ['/decisionPolicy/autoApprove']
      : []),
    ...looserMembers(
      '/decisionPolicy/fourEyes',
      RULES.fourEyes,
      before.decisionPolicy.fourEyes,
      after.decisionPolicy.fourEyes,
    ),
    ...looserMembers('/retention', RULES.retention, before.retention, after.retention),
    ...looserMembers('/security', RULES.security, before.security, after.security),
    ...looserMembers('/fundsRecovery', RULES.fundsRecovery, before.fundsRecovery, after.fundsRecovery),
    ...looserMembers('/reports', RULES.reports, before.reports, after.reports),
  ];
}

function looserMembers<T extends object, K extends keyof T & string>(
  pointer: string,
  rules: { readonly [M in K]: Looser<T[M]> },
  before: T,
  after: T,
): string[] {
  return (Object.keys(rules) as K[])
    .filter((member) => rules[member](before[member], after[member]))
    .map((member) => `${pointer}/${member}`);
}

interface Request {
  readonly ifMatch: string | undefined;
  readonly patch: SettingsPatch;
  readonly stepUp: () => Promise<void>;
  /** Validates the settings after the patch against the contract. */
  readonly resultFaults: (result: object) => readonly FieldError[];
  readonly now: RealTime;
}

interface SettingsChange {
  readonly before: VersionedSettings;
  readonly after: VersionedSettings;
  readonly sections: readonly Section[];
  /** Weakened members, by JSON Pointer. */
  readonly weakened: readonly string[];
}

/**
 * Updates the settings. Checks the role first, then the version that the caller has seen, then the law and the rest of
 * the document, and the second factor last, because a request that fails anyway must not use up a code.
 */
export async function updateSettings(
  tx: Transaction,
  caller: AnyPrincipal,
  { ifMatch, patch, stepUp, resultFaults, now }: Request,
): Promise<SettingsChange> {
  const sections = Object.keys(patch) as Section[];
  assertMayChange(caller, sections);
  if (ifMatch === undefined) throw new Problem('precondition_required');
  const { own, current } = await lockSettings(tx, caller.tenantId);
  assertMatch(ifMatch, current.version);
  const document = mergePatchKeepingNull(own, withReplacing(ownPatch(patch), current.settings));
  const settings = merged(document);
  assertNoErrors([
    ...resultFaults(withoutNulls(settings) as object),
    ...catalogueErrors(patch),
    ...deadErrors(patch),
    ...settingsErrors(settings, sections),
    ...(await logoErrors(tx, caller.tenantId, patch.branding?.logoDocumentId)),
    ...(await processErrors(tx, caller.tenantId, patch.workflows?.application)),
  ]);
  const weakened = weakenedMembers(current.settings, settings);
  if (weakened.length > 0) await demandPerson(caller, weakened, stepUp);
  const changesOf = (section: Section) =>
    differingMembers(settings[section], current.settings[section]) === undefined ? 0 : 1;
  const replacement = {
    document,
    updatedBy: actorOf(caller),
    policyChanges: changesOf('decisionPolicy'),
    profileChanges: changesOf('screening'),
    now,
  } as const;
  if (replacement.profileChanges > 0) enqueueTask(tx, COMPARISON_CHANGED, caller.tenantId, now);
  const { deadlineNoticeHours: hours } = settings.fundsRecovery;
  const { deadlineNoticeHours: hoursBefore } = current.settings.fundsRecovery;
  if (differingMembers(hours, hoursBefore) !== undefined) enqueueTask(tx, NOTICES_CHANGED, caller.tenantId, now);
  return {
    before: current,
    after: await replaceSettings(tx, caller.tenantId, replacement),
    sections,
    weakened,
  };
}

/** Sections that compliance officers do not change: the presentation of the tenant and the sign-in of its people. */
const NOT_COMPLIANCE: readonly Section[] = ['branding', 'security'];

function assertMayChange(caller: AnyPrincipal, sections: readonly Section[]): void {
  if (caller.kind !== 'user') {
    if (caller.keyEnvironment === 'test')
      throw new Problem('human_required', {
        detail: 'A test key reaches the sandbox only, and settings hold for production too.',
      });
    return;
  }
  const forbidden =
    caller.role === 'compliance_officer' ? sections.filter((section) => NOT_COMPLIANCE.includes(section)) : [];
  if (forbidden.length > 0)
    throw new Problem('role_forbidden', { detail: `Compliance officers do not change ${forbidden.join(' and ')}.` });
}

async function demandPerson(
  caller: AnyPrincipal,
  weakened: readonly string[],
  stepUp: () => Promise<void>,
): Promise<void> {
  if (caller.kind !== 'user')
    throw new Problem('human_required', { detail: `Only a person may weaken ${weakened.join(', ')}.` });
  await stepUp();
}
