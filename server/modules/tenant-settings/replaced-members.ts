import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../contract/problem.ts';
import { isObject, type JsonValue, mergePatchKeepingNull } from '../../rules/merge-patch.ts';
import { ofEachKind, SHIPPED_PROFILE, withAlert } from './screening-profile.ts';
import type { SettingsPatch, TenantSettings } from './settings.ts';

/**
 * This file holds the single numbers of before that others have replaced: `validityMonths` by `validityByRisk`, and `threshold` by `profile`. Both can still be read
 * and set. Many callers send back what they have read, so a number that is the same as before sets nothing.
 */

/** With what such a number stands for in each member that the tenant has not set itself. */
export function unfolded(own: JsonValue): JsonValue {
  const months = numberIn(own, 'decisionPolicy', 'validityMonths');
  const threshold = numberIn(own, 'screening', 'threshold');
  return mergePatchKeepingNull({
    decisionPolicy: months === undefined ? {} : { validityByRisk: { low: months, medium: months, high: months } },
    screening: threshold === undefined ? {} : { profile: ofEachKind(SHIPPED_PROFILE, (lines) => withAlert(lines, threshold)) },
  }, own);
}

function numberIn(own: JsonValue, section: string, member: string): number | undefined {
  const members = isObject(own) ? own[section] : undefined;
  const value = isObject(members) ? members[member] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** The settings with what these numbers are now. */
export function withReplaced({ decisionPolicy, screening, ...settings }: TenantSettings): TenantSettings {
  return {
    ...settings, decisionPolicy: { ...decisionPolicy, validityMonths: decisionPolicy.validityByRisk.medium }, screening: { ...screening, threshold: screening.profile.sanctions.person.alert },
  };
}

/** A patch by which whoever sets such a number sets all that it stands for. */
export function withReplacing({ decisionPolicy, screening, ...patch }: SettingsPatch, current: TenantSettings): JsonValue {
  return { ...patch, ...(decisionPolicy !== undefined && { decisionPolicy: inMonthsByRisk(decisionPolicy, current) }), ...(screening !== undefined && { screening: inLines(screening, current) }) };
}

function inMonthsByRisk({ validityMonths, ...policy }: NonNullable<SettingsPatch['decisionPolicy']>, { decisionPolicy: current }: TenantSettings): JsonValue {
  const months = { pointer: '/decisionPolicy/validityMonths', value: validityMonths, before: current.validityMonths };
  const byRisk = { name: 'validityByRisk', before: current.validityByRisk, after: merged(current.validityByRisk, policy.validityByRisk) };
  if (!sets(months, byRisk, byRisk.after.medium)) return policy;
  return { ...policy, validityByRisk: { low: validityMonths, medium: validityMonths, high: validityMonths } };
}

function inLines({ threshold, ...rules }: NonNullable<SettingsPatch['screening']>, { screening: current }: TenantSettings): JsonValue {
  const profile = { name: 'profile', before: current.profile, after: merged(current.profile, rules.profile) };
  if (!sets({ pointer: '/screening/threshold', value: threshold, before: current.threshold }, profile, profile.after.sanctions.person.alert)) return rules;
  // The number stays as well: review and strong lines that are not set rise with it, and fall again.
  return { ...rules, threshold, profile: ofEachKind(SHIPPED_PROFILE, () => ({ alert: threshold })) };
}

const merged = <T extends object>(before: T, patch: object | undefined): T => mergePatchKeepingNull(before as JsonValue, (patch ?? {}) as JsonValue) as T;

/** Whether a number of before sets anything. One of two that contradict each other would have to be ignored, so both are refused. */
function sets(number: { readonly pointer: string; readonly value: number | undefined; readonly before: number }, by: { readonly name: string; readonly before: object; readonly after: object }, same: number): boolean {
  if (number.value === undefined || number.value === number.before || number.value === same) return false;
  if (isDeepStrictEqual(by.before, by.after)) return true;
  throw new Problem('validation_failed', { errors: [{ pointer: number.pointer, code: 'not_allowed', message: `does not agree with ${by.name}, which replaces it` }] });
}
