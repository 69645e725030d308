import type { DiffRule } from '../change.ts';
import { answerChanged } from './answer-changed.ts';
import { conditionChanged } from './condition-changed.ts';
import { containsChanged } from './contains-changed.ts';
import { dialectRules } from './dialect.ts';
import { defaultChanged } from './default-changed.ts';
import { dependentRequiredChanged } from './dependent-required-changed.ts';
import { deprecationChanged } from './deprecation-changed.ts';
import { effectiveSecurity } from './effective-security.ts';
import { headerCertaintyChanged } from './header-certainty-changed.ts';
import { mediaSchemaChanged } from './media-schema-changed.ts';
import { nullChanged } from './null-changed.ts';
import { oauthFlowChanged } from './oauth-flow-changed.ts';
import { pathParameterRenamed } from './path-parameter-renamed.ts';
import { patternPropertiesChanged } from './pattern-properties-changed.ts';
import { requestBodyAdded } from './request-body-added.ts';
import { rewrittenSchemaChanged } from './rewritten-schema-changed.ts';
import { schemaNameRemoved } from './schema-name-removed.ts';
import { sdkClassRenamed } from './sdk-class-renamed.ts';
import { sunsetPolicy } from './sunset-policy.ts';

/** The house rules by name; each has fixtures `fixtures/<name>.{base,revision,harmless}.yaml`. */
export const rules: Readonly<Record<string, DiffRule>> = {
  ...dialectRules,
  'answer-changed': answerChanged,
  'condition-changed': conditionChanged,
  'contains-changed': containsChanged,
  'default-changed': defaultChanged,
  'dependent-required-changed': dependentRequiredChanged,
  'deprecation-changed': deprecationChanged,
  'effective-security': effectiveSecurity,
  'header-certainty-changed': headerCertaintyChanged,
  'media-schema-changed': mediaSchemaChanged,
  'null-changed': nullChanged,
  'oauth-flow-changed': oauthFlowChanged,
  'path-parameter-renamed': pathParameterRenamed,
  'pattern-properties-changed': patternPropertiesChanged,
  'request-body-added': requestBodyAdded,
  'rewritten-schema-changed': rewrittenSchemaChanged,
  'schema-name-removed': schemaNameRemoved,
  'sdk-class-renamed': sdkClassRenamed,
  'sunset-policy': sunsetPolicy,
};
