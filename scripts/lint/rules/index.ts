import type { Rule } from '../rule.ts';
import { acknowledges } from './acknowledges.ts';
import { allOfAlone } from './all-of-alone.ts';
import { arrayBounds } from './array-bounds.ts';
import { auditEvents } from './audit-events.ts';
import { bodyExamples } from './body-examples.ts';
import { deprecations } from './deprecations.ts';
import { extensionsKnown } from './extensions-known.ts';
import { follow } from './follow.ts';
import { humanOnly } from './human-only.ts';
import { idempotency } from './idempotency.ts';
import { memberNames } from './member-names.ts';
import { mfaExempt } from './mfa-exempt.ts';
import { needsFullData } from './needs-full-data.ts';
import { nullableStyle } from './nullable-style.ts';
import { numberBounds } from './number-bounds.ts';
import { objectBounds } from './object-bounds.ts';
import { openapiVersion } from './openapi-version.ts';
import { operationIdCamelCase } from './operation-id.ts';
import { operationOrder } from './operation-order.ts';
import { pagination } from './pagination.ts';
import { parameterExamples } from './parameter-examples.ts';
import { pathVersion } from './path-version.ts';
import { patternWords } from './pattern-words.ts';
import { personalData } from './personal-data.ts';
import { problemCatalogue } from './problem-catalogue.ts';
import { problemExamples } from './problem-examples.ts';
import { problemResponses } from './problem-responses.ts';
import { referenceAlone } from './reference-alone.ts';
import { requestsClosed } from './requests-closed.ts';
import { responseEnumsOpen } from './response-enums-open.ts';
import { responseHeaders } from './response-headers.ts';
import { roles } from './roles.ts';
import { schemaDescriptions } from './schema-descriptions.ts';
import { schemasNamed } from './schemas-named.ts';
import { sdkArguments } from './sdk-arguments.ts';
import { sdkIdentifiers } from './sdk-identifiers.ts';
import { sdkName } from './sdk-name.ts';
import { securedStatuses } from './secured-statuses.ts';
import { securityExplicit } from './security-explicit.ts';
import { self } from './self.ts';
import { stateTransitions } from './state-transitions.ts';
import { statusesEnumerated } from './statuses-enumerated.ts';
import { stepUp } from './step-up.ts';
import { stringBounds } from './string-bounds.ts';
import { textFormats } from './text-formats.ts';
import { threeJsonResponses } from './three-json-responses.ts';
import { unionsTagged } from './unions-tagged.ts';

/** The house rules by name; each has a passing and a failing fixture of that name in `fixtures/`. */
export const rules = {
  'acknowledges': acknowledges,
  'all-of-alone': allOfAlone,
  'array-bounds': arrayBounds,
  'audit-events': auditEvents,
  'body-examples': bodyExamples,
  'deprecations': deprecations,
  'extensions-known': extensionsKnown,
  'follow': follow,
  'human-only': humanOnly,
  'idempotency': idempotency,
  'member-names': memberNames,
  'mfa-exempt': mfaExempt,
  'needs-full-data': needsFullData,
  'nullable-style': nullableStyle,
  'number-bounds': numberBounds,
  'object-bounds': objectBounds,
  'openapi-version': openapiVersion,
  'operation-id': operationIdCamelCase,
  'operation-order': operationOrder,
  'pagination': pagination,
  'parameter-examples': parameterExamples,
  'path-version': pathVersion,
  'pattern-words': patternWords,
  'personal-data': personalData,
  'problem-catalogue': problemCatalogue,
  'problem-examples': problemExamples,
  'problem-responses': problemResponses,
  'reference-alone': referenceAlone,
  'requests-closed': requestsClosed,
  'response-enums-open': responseEnumsOpen,
  'response-headers': responseHeaders,
  'roles': roles,
  'schema-descriptions': schemaDescriptions,
  'schemas-named': schemasNamed,
  'sdk-arguments': sdkArguments,
  'sdk-identifiers': sdkIdentifiers,
  'sdk-name': sdkName,
  'secured-statuses': securedStatuses,
  'security-explicit': securityExplicit,
  'self': self,
  'state-transitions': stateTransitions,
  'statuses-enumerated': statusesEnumerated,
  'step-up': stepUp,
  'string-bounds': stringBounds,
  'text-formats': textFormats,
  'three-json-responses': threeJsonResponses,
  'unions-tagged': unionsTagged,
} as const satisfies Readonly<Record<string, Rule>>;
