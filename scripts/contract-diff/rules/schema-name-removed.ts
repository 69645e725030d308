import type { DiffRule } from '../change.ts';

/** Both SDKs export the named schemas as types. */
export const schemaNameRemoved: DiffRule = (base, revision) => {
  const remaining = revision.components.schemas ?? {};
  return Object.keys(base.components.schemas ?? {})
    .filter((name) => !(name in remaining))
    .map((name) => ({ impact: 'major', place: name, message: 'is no longer a type of the SDKs' }));
};
