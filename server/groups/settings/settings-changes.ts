import type { Settings } from './document.ts';
import { isObject, type JsonValue } from './overlay.ts';

/** The members that differ, as they were and as they are, for the audit log, in which no personal data stands. */
export function settingsDifference(before: Settings, after: Settings): { old: JsonValue; new: JsonValue } {
  const [was, is] = [redacted(before), redacted(after)];
  const [old, now] = [different(was, is), different(is, was)];
  // Another address of the same domain is a change too, though the log cannot show it.
  return { old: old ?? {}, new: now ?? {} };
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
function redacted({ branding, ...sections }: Settings): JsonValue {
  const { supportEmail } = branding;
  const reduced = supportEmail === null ? null : supportEmail.replace(/^.*@/, '***@');
  return { ...sections, branding: { ...branding, supportEmail: reduced } } as unknown as JsonValue;
}
