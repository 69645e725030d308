/**
 * Former members of the settings that other members have replaced. Used by the store and by changes of settings. A
 * client that sends back what it has read must change nothing; a patch that contradicts itself is refused.
 */
import { Problem } from '../../contract/problem.ts';
import { differingMembers, isObject, type JsonValue, mergePatchKeepingNull } from '../../rules/merge-patch.ts';
import { ofEachKind, SHIPPED_PROFILE, withAlert } from './screening-profile.ts';
import type { OwnPatch, SettingsPatch, TenantSettings } from './settings.ts';

/**
 * This file handles former single-number members: `validityMonths`, which `validityByRisk` replaced, and `threshold`,
 * which `profile` replaced. Both can still be read and set. Many callers send back what they have read, so an unchanged
 * number sets nothing.
 */

/** Expands such a number into each member that replaced it and that the tenant has not set itself. */
export function unfolded(own: JsonValue): JsonValue {
  const months = numberIn(own, 'decisionPolicy', 'validityMonths');
  const threshold = numberIn(own, 'screening', 'threshold');
  return mergePatchKeepingNull(
    {
      decisionPolicy: months === undefined ? {} : { validityByRisk: { low: months, medium: months, high: months } },
      screening:
        threshold === undefined ? {} : { profile: ofEachKind(SHIPPED_PROFILE, (lines) => withAlert(lines, threshold)) },
    },
    own,
  );
}

function numberIn(own: JsonValue, section: string, member: string): number | undefined {
  const members = isObject(own) ? own[section] : undefined;
  const value = isObject(members) ? members[member] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** Returns the settings with the current values of the former members. */
export function withReplaced({ decisionPolicy, screening, security, ...settings }: TenantSettings): TenantSettings {
  return {
    ...settings,
    security: { ...security, allowPlatformImpersonation: false },
    decisionPolicy: { ...decisionPolicy, validityMonths: decisionPolicy.validityByRisk.medium },
    screening: { ...screening, threshold: screening.profile.sanctions.person.alert },
  };
}

/** Returns a patch in which a former member sets all members that replaced it. */
export function withReplacing({ decisionPolicy, screening, ...patch }: OwnPatch, current: TenantSettings): JsonValue {
  return {
    ...patch,
    ...(decisionPolicy !== undefined && { decisionPolicy: inMonthsByRisk(decisionPolicy, current) }),
    ...(screening !== undefined && { screening: inLines(screening, current) }),
  };
}

function inMonthsByRisk(
  { validityMonths, ...policy }: NonNullable<OwnPatch['decisionPolicy']>,
  { decisionPolicy: current }: TenantSettings,
): JsonValue {
  const { medium } = merged(current.validityByRisk, policy.validityByRisk);
  const isChanged = changes(current.validityByRisk, policy.validityByRisk) !== undefined;
  const areMonthsSet = sets(validityMonths, [current.validityMonths, medium], {
    pointer: '/decisionPolicy/validityMonths',
    replacement: 'validityByRisk',
    isChanged,
  });
  if (!areMonthsSet) return policy;
  return { ...policy, validityByRisk: { low: validityMonths, medium: validityMonths, high: validityMonths } };
}

/**
 * Expands a threshold into lines. Unchanged lines in the patch set nothing either, so that lines that the tenant has
 * not set itself follow the threshold up and down.
 */
function inLines(
  { threshold, profile, ...rules }: NonNullable<SettingsPatch['screening']>,
  { screening: current }: TenantSettings,
): JsonValue {
  const { alert } = merged(current.profile, profile).sanctions.person;
  const changed = changes(current.profile, profile);
  const isThresholdSet = sets(threshold, [current.threshold, alert], {
    pointer: '/screening/threshold',
    replacement: 'profile',
    isChanged: changed !== undefined,
  });
  if (!isThresholdSet) return { ...rules, ...(changed !== undefined && { profile: changed }) };
  return { ...rules, threshold, profile: ofEachKind(SHIPPED_PROFILE, () => ({ alert: threshold })) };
}

const merged = <T extends object>(before: T, patch: object | undefined): T =>
  mergePatchKeepingNull(before as JsonValue, (patch ?? {}) as JsonValue) as T;
const changes = (before: object, patch: object | undefined): JsonValue | undefined =>
  differingMembers(merged(before, patch) as JsonValue, before as JsonValue);

interface Replaced {
  readonly pointer: string;
  readonly replacement: string;
  /** Whether the same patch changes the replacement. */
  readonly isChanged: boolean;
}

/**
 * Returns whether a former member sets anything. Rejects a patch that contradicts the replacement, because one of the
 * two would have to be ignored.
 */
function sets(
  value: number | undefined,
  same: readonly number[],
  { pointer, replacement, isChanged }: Replaced,
): value is number {
  if (value === undefined || same.includes(value)) return false;
  if (!isChanged) return true;
  throw new Problem('validation_failed', {
    errors: [{ pointer, code: 'not_allowed', message: `does not agree with ${replacement}, which replaces it` }],
  });
}
