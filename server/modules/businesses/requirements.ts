/**
 * The requirements that a policy may demand of a business, without input or output. Used by submission, decisions and
 * presentation; nothing stores the result. A rule that is too lenient lets a company be approved that nobody has
 * checked.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import { readStatedTime } from '../../base/time.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import {
  type Attestation,
  ATTESTED_ADVERSE,
  attestedOutcome,
  documentOutcome,
  type Evidence,
  isMet,
  listedRequirement,
  missingDocument,
  type Outcome,
  type Requirement,
  type Rule as RuleOf,
  type Source,
  typesOf,
  VERIFIED,
  type Waiver,
} from '../decisions/index.ts';
import type { Business } from './store.ts';
import type { OwnershipEvidence, PartyEvidence, PowerEvidence, StructureEvidence } from './structure-store.ts';

type Schemas = components['schemas'];

/** Records from which requirements are computed. */
export interface Assessed extends StructureEvidence {
  /** Checks that the policy demands at the level. */
  readonly checks: readonly string[];
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

/** A company that its registry does not regard as active. Nobody waives that. */
const NOT_ACTIVE = 'registry_not_active';

/** Judges what is recorded of a company. Null if nothing is, so that an attestation may stand in for it. */
type Judgement = (assessed: Assessed) => Outcome | null;

const outcomeOf = (isMetNow: boolean, reasonCode: string): Outcome =>
  isMetNow ? VERIFIED : { status: 'failed', reasonCode };

const JUDGEMENTS: Readonly<Record<string, { readonly by: Source; readonly judge: Judgement }>> = {
  registry_active: {
    by: { kind: 'registry' },
    judge: ({ registry }) => registry && outcomeOf(registry.situation === 'active', NOT_ACTIVE),
  },
  officers_match: {
    by: { kind: 'registry' },
    // Without owners there is nothing to compare.
    judge: ({ registry, ownership }) =>
      registry &&
      ownership &&
      outcomeOf(
        registry.differences.every(({ field, resolution }) => field === 'situation' || resolution !== null),
        'differences_open',
      ),
  },
  ownership_complete: {
    by: { kind: 'ownership' },
    judge: ({ ownership }) => ownership && outcomeOf(ownership.isComplete, 'ownership_incomplete'),
  },
  bo_identified: {
    by: { kind: 'ownership' },
    judge: ({ ownership }) =>
      ownership &&
      outcomeOf(ownership.beneficialOwners > 0 && ownership.unidentifiedOwners === 0, 'owners_not_identified'),
  },
  bo_screened: {
    by: { kind: 'party_application' },
    judge: (assessed) =>
      byParties(assessed, ({ ownerKeys }) => ownerKeys, {
        isMet: ({ isScreened }) => isScreened,
        reasonCode: 'owners_not_screened',
      }),
  },
  representatives_verified: {
    by: { kind: 'party_application' },
    judge: (assessed) =>
      byParties(assessed, ({ representativeKeys }) => representativeKeys, {
        isMet: ({ status }) => status === 'approved',
        reasonCode: 'representatives_not_verified',
      }),
  },
  powers_confirmed: {
    by: { kind: 'power' },
    judge: ({ powers, today }) =>
      powers.length === 0
        ? null
        : outcomeOf(
            powers.some((power) => isInForce(power, today)),
            'no_power_in_force',
          ),
  },
};

/** A person of the company is a confirmed match on a sanctions list. Nobody waives that. */
const SANCTIONED = 'party_sanctioned';

/** Judges persons by their applications. Null while no person has one, so that an attestation may stand in. */
function byParties(
  { ownership, parties }: Assessed,
  personsOf: (ownership: OwnershipEvidence) => readonly (readonly string[])[],
  { isMet: isMetBy, reasonCode }: { readonly isMet: (party: PartyEvidence) => boolean; readonly reasonCode: string },
): Outcome | null {
  if (ownership === null || parties.length === 0) return null;
  const persons = personsOf(ownership).map((keys) => parties.filter(({ partyKey }) => keys.includes(partyKey)));
  if (persons.flat().some(({ isSanctioned }) => isSanctioned)) return outcomeOf(false, SANCTIONED);
  return outcomeOf(persons.length > 0 && persons.every((person) => person.some(isMetBy)), reasonCode);
}

function isInForce({ validFrom, validUntil, revokedAt }: PowerEvidence, today: string): boolean {
  return (
    validFrom <= today &&
    (validUntil === null || today <= validUntil) &&
    (revokedAt === null || calendarDate(readStatedTime(revokedAt)!) > today)
  );
}

/** Requirement that is judged by what is recorded, or attested if nothing is. An adverse look-up counts in any case. */
function judged(key: string): Rule {
  const { by, judge } = JUDGEMENTS[key]!;
  return {
    kind: 'established',
    by: [by, ...ATTESTED.by],
    met: (assessed) => {
      const attested = ATTESTED.met(assessed, key);
      return attested.reasonCode === ATTESTED_ADVERSE ? attested : (judge(assessed) ?? attested);
    },
  };
}

const RULES: Readonly<Record<string, Rule>> = {
  constitutive_document: {
    kind: 'provided',
    by: CONSTITUTION,
    met: ({ documents, today }) => documentOutcome(typesOf(CONSTITUTION), documents, today),
  },
  registry_active: judged('registry_active'),
  officers_match: judged('officers_match'),
  ownership_complete: judged('ownership_complete'),
  bo_identified: judged('bo_identified'),
  bo_screened: judged('bo_screened'),
  powers_confirmed: judged('powers_confirmed'),
  representatives_verified: judged('representatives_verified'),
  account_protection_clear: ATTESTED,
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

/** Returns whether a requirement is met by an attestation, because nothing that it is about is recorded. */
export function isAttested(assessed: Assessed, key: string): boolean {
  return isAttestable(key) === true && (JUDGEMENTS[key]?.judge(assessed) ?? null) === null;
}

/**
 * Returns whether a requirement applies at every level and cannot be waived, because an attestation is
 * adverse, the registry does not regard the company as active, or one of its people is on a sanctions list.
 */
export function isBinding(assessed: Assessed, key: string): boolean {
  return [ATTESTED_ADVERSE, NOT_ACTIVE, SANCTIONED].includes(RULES[key]?.met(assessed, key).reasonCode ?? '');
}

export function requirementsOf(assessed: Assessed): Schemas['Requirements'] {
  const { waivers, checks } = assessed;
  // Adverse findings count even if the level does not demand the check.
  const found = Object.keys(RULES).filter((key) => isBinding(assessed, key));
  const items = [...new Set([...checks, ...found])].flatMap((key) => {
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
