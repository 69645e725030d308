import type { Settings } from './document.ts';
import { membersAt } from './members.ts';
import { isObject, overlay, type JsonValue } from './overlay.ts';

/** The members that differ, as they were and as they are, for the audit log, in which no personal data stands. */
export function settingsDifference(before: Settings, after: Settings): { old: JsonValue; new: JsonValue } {
  const [was, is] = [before as unknown as JsonValue, after as unknown as JsonValue];
  return { old: redacted(different(was, is) ?? {}), new: redacted(different(is, was) ?? {}) };
}

/** What of `value` is not the same in `other`; lists are compared whole. */
function different(value: JsonValue | undefined, other: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(value) || !isObject(other)) return same(value, other) ? undefined : value;
  const members = Object.keys(value).map((member) => [member, different(value[member], other[member])] as const).filter(([, difference]) => difference !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Of the address of a person only the domain is kept. */
function redacted(difference: JsonValue): JsonValue {
  const [[, address] = []] = membersAt(difference, '/branding/supportEmail');
  return typeof address === 'string' ? overlay(difference, { branding: { supportEmail: address.replace(/^.*@/, '***@') } }) : difference;
}
