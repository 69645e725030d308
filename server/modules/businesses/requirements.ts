/**
 * The requirements of a business at each level, without input or output. Used by submission, decisions and
 * presentation; nothing stores the result. A rule that is too lenient lets a company be approved that nobody has
 * checked.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import {
  type Attestation,
  ATTESTED_ADVERSE,
  attestedOutcome,
  documentOutcome,
  type Evidence,
  isMet,
  listedRequirement,
  missingDocument,
  type Requirement,
  type Rule as RuleOf,
  type Source,
  typesOf,
  type Waiver,
} from '../decisions/index.ts';
import type { Business } from './store.ts';

type Schemas = components['schemas'];

/** Records from which requirements are computed. */
export interface Assessed {
  readonly business: Pick<Business, 'level' | 'legalName' | 'legalForm'>;
  readonly documents: readonly Evidence[];
  readonly waivers: readonly Pick<Waiver, 'action' | 'requirementKey'>[];
  readonly attestations: readonly Pick<Attestation, 'requirementKey' | 'outcome' | 'lookedUpAt' | 'subject'>[];
  /** YYYY-MM-DD */
  readonly today: string;
}

type Rule = RuleOf<Assessed>;

const scan = (documentType: string): Source => ({ kind: 'document', documentType, sides: ['single'] });
const CONSTITUTION: readonly Source[] = [scan('articles'), scan('bylaws')];

/** Requirement that no provider establishes: a person looks it up elsewhere and attests the result. */
const ATTESTED: Rule = {
  kind: 'established',
  by: [{ kind: 'attestation' }],
  met: ({ business, attestations, today }, key) =>
    attestedOutcome(key, { attestations, identity: identityOf(business), today }),
};

const RULES: Readonly<Record<string, Rule>> = {
  constitutive_document: {
    kind: 'provided',
    by: CONSTITUTION,
    met: ({ documents, today }) => documentOutcome(typesOf(CONSTITUTION), documents, today),
  },
  registry_active: ATTESTED,
  officers_match: ATTESTED,
  ownership_complete: ATTESTED,
  bo_identified: ATTESTED,
  bo_screened: ATTESTED,
  powers_confirmed: ATTESTED,
  representatives_verified: ATTESTED,
  account_protection_clear: ATTESTED,
};

const BASIC = ['registry_active', 'account_protection_clear'];
const STANDARD = [
  'constitutive_document',
  ...BASIC,
  'officers_match',
  'ownership_complete',
  'bo_identified',
  'bo_screened',
];

/** Requirements of each level. */
const LEVELS: Readonly<Record<Schemas['DiligenceLevel'], readonly string[]>> = {
  basic: BASIC,
  standard: STANDARD,
  enhanced: [...STANDARD, 'powers_confirmed', 'representatives_verified'],
};

/** Returns the identifying data of the company that was looked up. The registration never changes. */
export function identityOf({ legalName, legalForm }: Assessed['business']): string {
  return canonicalJson({ legalName, legalForm });
}

/** Returns the sources that meet a requirement; none for a requirement that there is not. */
export function sourcesOf(key: string): readonly Source[] {
  return RULES[key]?.by ?? [];
}

/** Returns whether an attestation meets the requirement, or null if there is no such requirement. */
export function isAttestable(key: string): boolean | null {
  return RULES[key] === undefined ? null : sourcesOf(key).some(({ kind }) => kind === 'attestation');
}

/** Returns whether a requirement applies at every level and cannot be waived, because an attestation is adverse. */
export function isBinding(assessed: Assessed, key: string): boolean {
  return RULES[key]?.met(assessed, key).reasonCode === ATTESTED_ADVERSE;
}

export function requirementsOf(assessed: Assessed): Schemas['Requirements'] {
  const { waivers, business } = assessed;
  // Adverse findings count even if the level does not demand the check.
  const found = Object.keys(RULES).filter((key) => isBinding(assessed, key));
  const items = [...new Set([...LEVELS[business.level], ...found])].flatMap((key) => {
    const rule = RULES[key];
    if (rule === undefined) return [];
    return listedRequirement(key, rule, rule.met(assessed, key), { binds: isBinding(assessed, key), waivers });
  });
  return { met: items.every((item) => item.kind !== 'provided' || isMet(item)), items };
}

/** Rejects a submission if a document that the level requires is missing. */
export function assertProvided(requirements: readonly Requirement[]): void {
  assertNoneMissing(requirements.filter((item) => item.kind === 'provided' && !isMet(item)));
}

/** Rejects a submission while requirements are missing. */
export function assertNoneMissing(items: Requirement[]): void {
  if (items.length > 0) throw new Problem('requirements_missing', { items, errors: items.map(missingDocument) });
}

/** Rejects an approval unless all requirements are met or waived. */
export function assertApprovable(requirements: readonly Requirement[]): void {
  const items = requirements.filter((item) => !isMet(item));
  if (items.length > 0) throw new Problem('checks_incomplete', { items });
}
