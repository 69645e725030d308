import type { DiffRule } from '../change.ts';
import { acknowledgementChanged } from './acknowledgement-changed.ts';
import { answerChanged } from './answer-changed.ts';
import { auditEventsChanged } from './audit-events-changed.ts';
import { conditionChanged } from './condition-changed.ts';
import { containsChanged } from './contains-changed.ts';
import { defaultChanged } from './default-changed.ts';
import { dependentRequiredChanged } from './dependent-required-changed.ts';
import { deprecationChanged } from './deprecation-changed.ts';
import { effectiveSecurity } from './effective-security.ts';
import { enumClosed } from './enum-closed.ts';
import { followChanged } from './follow-changed.ts';
import { headerCertaintyChanged } from './header-certainty-changed.ts';
import { humanOnlyChanged } from './human-only-changed.ts';
import { idempotencyChanged } from './idempotency-changed.ts';
import { mediaSchemaChanged } from './media-schema-changed.ts';
import { nullChanged } from './null-changed.ts';
import { oauthFlowChanged } from './oauth-flow-changed.ts';
import { paginationChanged } from './pagination-changed.ts';
import { pathParameterRenamed } from './path-parameter-renamed.ts';
import { patternPropertiesChanged } from './pattern-properties-changed.ts';
import { personalDataChanged } from './personal-data-changed.ts';
import { problemsChanged } from './problems-changed.ts';
import { requestBodyAdded } from './request-body-added.ts';
import { rewrittenSchemaChanged } from './rewritten-schema-changed.ts';
import { rolesChanged } from './roles-changed.ts';
import { schemaNameRemoved } from './schema-name-removed.ts';
import { sdkClassRenamed } from './sdk-class-renamed.ts';
import { sdkNameChanged } from './sdk-name-changed.ts';
import { secondFactorChanged } from './second-factor-changed.ts';
import { selfChanged } from './self-changed.ts';
import { sunsetPolicy } from './sunset-policy.ts';
import { transitionsChanged } from './transitions-changed.ts';

/** The house rules by name; each has fixtures `fixtures/<name>.{base,revision,harmless}.yaml`. */
export const rules = {
  'acknowledgement-changed': acknowledgementChanged,
  'answer-changed': answerChanged,
  'audit-events-changed': auditEventsChanged,
  'condition-changed': conditionChanged,
  'contains-changed': containsChanged,
  'default-changed': defaultChanged,
  'dependent-required-changed': dependentRequiredChanged,
  'deprecation-changed': deprecationChanged,
  'effective-security': effectiveSecurity,
  'enum-closed': enumClosed,
  'follow-changed': followChanged,
  'header-certainty-changed': headerCertaintyChanged,
  'human-only-changed': humanOnlyChanged,
  'idempotency-changed': idempotencyChanged,
  'media-schema-changed': mediaSchemaChanged,
  'null-changed': nullChanged,
  'oauth-flow-changed': oauthFlowChanged,
  'pagination-changed': paginationChanged,
  'path-parameter-renamed': pathParameterRenamed,
  'pattern-properties-changed': patternPropertiesChanged,
  'personal-data-changed': personalDataChanged,
  'problems-changed': problemsChanged,
  'request-body-added': requestBodyAdded,
  'rewritten-schema-changed': rewrittenSchemaChanged,
  'roles-changed': rolesChanged,
  'schema-name-removed': schemaNameRemoved,
  'sdk-class-renamed': sdkClassRenamed,
  'sdk-name-changed': sdkNameChanged,
  'second-factor-changed': secondFactorChanged,
  'self-changed': selfChanged,
  'sunset-policy': sunsetPolicy,
  'transitions-changed': transitionsChanged,
} as const satisfies Readonly<Record<string, DiffRule>>;
