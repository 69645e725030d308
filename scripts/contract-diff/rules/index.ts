import type { DiffRule } from '../change.ts';
import { defaultChanged } from './default-changed.ts';
import { effectiveSecurity } from './effective-security.ts';
import { enumClosed } from './enum-closed.ts';
import { idempotencyChanged } from './idempotency-changed.ts';
import { paginationChanged } from './pagination-changed.ts';
import { problemsChanged } from './problems-changed.ts';
import { rolesChanged } from './roles-changed.ts';
import { schemaNameRemoved } from './schema-name-removed.ts';
import { sdkNameChanged } from './sdk-name-changed.ts';
import { secondFactorChanged } from './second-factor-changed.ts';
import { selfChanged } from './self-changed.ts';
import { transitionsNarrowed } from './transitions-narrowed.ts';

/** The house rules by name; each has a fixture pair `fixtures/<name>.{base,revision}.yaml`. */
export const rules = {
  'default-changed': defaultChanged,
  'effective-security': effectiveSecurity,
  'enum-closed': enumClosed,
  'idempotency-changed': idempotencyChanged,
  'pagination-changed': paginationChanged,
  'problems-changed': problemsChanged,
  'roles-changed': rolesChanged,
  'schema-name-removed': schemaNameRemoved,
  'sdk-name-changed': sdkNameChanged,
  'second-factor-changed': secondFactorChanged,
  'self-changed': selfChanged,
  'transitions-narrowed': transitionsNarrowed,
} as const satisfies Readonly<Record<string, DiffRule>>;
