import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { differingMembers, type JsonValue, mergePatchKeepingNull, withoutNulls } from '../../rules/merge-patch.ts';
import { enqueueTask } from '../../tasks/task.ts';
import { withReplacing } from './replaced-members.ts';
import { assertNoErrors, catalogueErrors, deadErrors, settingsErrors, valuesAtPointer } from './settings-rules.ts';
import { ownPatch, type Section, type SettingsPatch, type TenantSettings, type VersionedSettings } from './settings.ts';
import { lockSettings, logoErrors, merged, replaceSettings } from './store.ts';

/** The task that screens everybody again who is monitored and was compared with something else than is wanted now (module monitoring). */
export const COMPARISON_CHANGED = { name: 'monitoring.catch_up' } as const;

/** The task that finds out anew when the deadlines of open recoveries are announced (module recoveries). */
export const NOTICES_CHANGED = { name: 'recoveries.renew_notices' } as const;

/** The members that differ, as they were and as they are, for the audit log, in which no personal data stands. */
export function settingsDifference(before: TenantSettings, after: TenantSettings): { old: JsonValue; new: JsonValue } {
  const [was, is] = [before, after] as const;
  return { old: redacted(differingMembers(was, is) ?? {}), new: redacted(differingMembers(is, was) ?? {}) };
}

/** Of the address of a person only the domain is kept. */
function redacted(difference: JsonValue): JsonValue {
  const [[, address] = []] = valuesAtPointer(difference, '/branding/supportEmail');
  return typeof address === 'string' ? mergePatchKeepingNull(difference, { branding: { supportEmail: address.replace(/^.*@/, '***@') } }) : difference;
}

type Looser<T> = (before: T, after: T) => boolean;

const lowered: Looser<number> = (before, after) => after < before;
const raised: Looser<number> = (before, after) => after > before;
const dropped: Looser<boolean> = (before, after) => before && !after;
/** What was hidden of persons is shown again. */
const uncovered: Looser<string> = (before, after) => before === 'masked' && after !== 'masked';

const granted: Looser<boolean> = (before, after) => after && !before;
const shortened: Looser<readonly string[]> = (before, after) => before.some((entry) => !after.includes(entry));

/** `null` stands for no limit. */
const limitRaised: Looser<number | null> = (before, after) => (after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY);

/** An empty list stands for every domain. */
const opened: Looser<readonly string[]> = (before, after) => before.length > 0 && (after.length === 0 || shortened(after, before));

type Amount = TenantSettings['decisionPolicy']['fourEyes']['amountAbove'];

/** The member guards nothing. */
const never: Looser<unknown> = () => false;

/** Amounts of two currencies cannot be compared, so that a person shall look. */
const amountRaised: Looser<Amount> = (before, after) =>
  before !== null && (after === null || after.currency !== before.currency || after.amount > before.amount);

/** For every member that guards something, what makes it guard less. A member that is missing here does not compile. */
const RULES: {
  readonly [S in 'retention' | 'security' | 'fundsRecovery']: { readonly [M in Exclude<keyof TenantSettings[S], 'allowPlatformImpersonation'>]: Looser<TenantSettings[S][M]> }
} & { readonly fourEyes: { readonly [M in keyof TenantSettings['decisionPolicy']['fourEyes']]: Looser<TenantSettings['decisionPolicy']['fourEyes'][M]> } } = {
  fourEyes: { levels: shortened, onPep: dropped, onConfirmedHit: dropped, onNotScreened: dropped, onOverride: dropped, amountAbove: amountRaised },
  // What is deleted too early cannot be shown to an auditor; what is kept of a body too long should not exist.
  retention: { customerYears: lowered, rejectedYears: lowered, biometricDays: raised, auditYears: lowered },
  security: {
    mfaRequired: dropped, passwordMinLength: lowered, sessionHours: raised, idleMinutes: raised, allowedEmailDomains: opened,
    inactivityDays: limitRaised,
  },
  fundsRecovery: { rawPayload: uncovered, receivesReports: never, deadlineNoticeHours: never },
};

/** The members of four-eyes, retention, security and funds recovery that protect less than before, and automatic approval where there was none, by JSON Pointer. */
export function weakenedMembers(before: TenantSettings, after: TenantSettings): string[] {
  return [
    ...granted(before.decisionPolicy.autoApprove, after.decisionPolicy.autoApprove) ? ['/decisionPolicy/autoApprove'] : [],
    ...looserMembers('/decisionPolicy/fourEyes', RULES.fourEyes, before.decisionPolicy.fourEyes, after.decisionPolicy.fourEyes),
    ...looserMembers('/retention', RULES.retention, before.retention, after.retention),
    ...looserMembers('/security', RULES.security, before.security, after.security),
    ...looserMembers('/fundsRecovery', RULES.fundsRecovery, before.fundsRecovery, after.fundsRecovery),
  ];
}

function looserMembers<T extends object, K extends keyof T & string>(pointer: string, rules: { readonly [M in K]: Looser<T[M]> }, before: T, after: T): string[] {
  return (Object.keys(rules) as K[]).filter((member) => rules[member](before[member], after[member])).map((member) => `${pointer}/${member}`);
}

interface Request {
  readonly ifMatch: string | undefined;
  readonly patch: SettingsPatch;
  readonly stepUp: () => Promise<void>;
  /** What the contract says of the settings as they are after the patch. */
  readonly resultFaults: (result: object) => readonly FieldError[];
  readonly now: Date;
}

interface SettingsChange {
  readonly before: VersionedSettings;
  readonly after: VersionedSettings;
  readonly sections: readonly Section[];
  /** What protects less than before, by JSON Pointer. */
  readonly weakened: readonly string[];
}

/**
 * First who may, then whether the caller has seen what it changes, then whether the law and the rest of the document
 * allow it, and a second factor last: a code is used up by nothing that is refused anyway.
 */
export async function updateSettings(tx: Transaction, caller: AnyPrincipal, { ifMatch, patch, stepUp, resultFaults, now }: Request): Promise<SettingsChange> {
  const sections = Object.keys(patch) as Section[];
  assertMayChange(caller, sections);
  if (ifMatch === undefined) throw new Problem('precondition_required');
  const { own, current } = await lockSettings(tx, caller.tenantId);
  assertMatch(ifMatch, current.version);
  const document = mergePatchKeepingNull(own, withReplacing(ownPatch(patch), current.settings));
  const settings = merged(document);
  assertNoErrors([...resultFaults(withoutNulls(settings) as object), ...catalogueErrors(patch), ...deadErrors(patch), ...settingsErrors(settings, sections), ...await logoErrors(tx, caller.tenantId, patch.branding?.logoDocumentId)]);
  const weakened = weakenedMembers(current.settings, settings);
  if (weakened.length > 0) await demandPerson(caller, weakened, stepUp);
  const changesOf = (section: Section) => (differingMembers(settings[section], current.settings[section]) === undefined ? 0 : 1);
  const replacement = { document, updatedBy: actorOf(caller), policyChanges: changesOf('decisionPolicy'), profileChanges: changesOf('screening'), now } as const;
  if (replacement.profileChanges > 0) enqueueTask(tx, COMPARISON_CHANGED, caller.tenantId, now);
  if (differingMembers(settings.fundsRecovery.deadlineNoticeHours, current.settings.fundsRecovery.deadlineNoticeHours) !== undefined) enqueueTask(tx, NOTICES_CHANGED, caller.tenantId, now);
  return { before: current, after: await replaceSettings(tx, caller.tenantId, replacement), sections, weakened };
}

/** How the tenant shows itself and how its people sign in is not for compliance to decide. */
const NOT_COMPLIANCE: readonly Section[] = ['branding', 'security'];

function assertMayChange(caller: AnyPrincipal, sections: readonly Section[]): void {
  if (caller.kind !== 'user') {
    if (caller.keyEnvironment === 'test') throw new Problem('human_required', { detail: 'A test key reaches the sandbox only, and settings hold for production too.' });
    return;
  }
  const forbidden = caller.role === 'compliance_officer' ? sections.filter((section) => NOT_COMPLIANCE.includes(section)) : [];
  if (forbidden.length > 0) throw new Problem('role_forbidden', { detail: `Compliance officers do not change ${forbidden.join(' and ')}.` });
}

async function demandPerson(caller: AnyPrincipal, weakened: readonly string[], stepUp: () => Promise<void>): Promise<void> {
  if (caller.kind !== 'user') throw new Problem('human_required', { detail: `Only a person may weaken ${weakened.join(', ')}.` });
  await stepUp();
}
