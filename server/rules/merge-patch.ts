/**
 * Merge patches (RFC 7396), for records and for the settings. Used by applications, monitoring and settings. Member
 * names from outside are data, even `__proto__`.
 */

type Member = readonly [name: string, value: unknown];

/**
 * Applies a JSON merge patch (RFC 7396): `null` removes a member, objects merge, anything else replaces. Members are
 * copied as own properties, so that a member named `__proto__` is data like any other.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const members = new Map<string, unknown>(isRecord(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch) as Member[]) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/** Returns the document for a merge patch, in which absence represents null members. */
export function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    (Object.entries(value) as Member[])
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Any JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue | undefined };

/**
 * Applies a merge patch (RFC 7396) to a document whose members cannot be removed: objects are merged member by member,
 * and everything else, including lists and `null`, replaces the former value. `null` clears a member by becoming its
 * value; if a member cannot be null, the contract has refused the patch before.
 */
export function mergePatchKeepingNull(base: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  // A map is used, because a member may have the name of an inherited property.
  const merged = new Map(isObject(base) ? Object.entries(base) : []);
  for (const [member, value] of Object.entries(patch))
    if (value !== undefined) merged.set(member, mergePatchKeepingNull(merged.get(member), value));
  return Object.fromEntries(merged);
}

export function isObject(value: JsonValue | undefined): value is { readonly [member: string]: JsonValue | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the members of `value` that differ in `other`; lists are compared as a whole. */
export function differingMembers(value: JsonValue | undefined, other: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(value) || !isObject(other)) return JSON.stringify(value) === JSON.stringify(other) ? undefined : value;
  const members = Object.keys(value)
    .map((member) => [member, differingMembers(value[member], other[member])] as const)
    .filter(([, difference]) => difference !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
