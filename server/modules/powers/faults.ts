import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { FieldError } from '../../contract/problem.ts';
import { waysOf } from '../../powers/formula.ts';
import { instrumentFaults } from '../../powers/instrument-faults.ts';
import type { Formula, PowerParty } from '../../powers/powers.ts';
import { engineInstrument, type Instrument } from './instrument.ts';

type SentFormula = components['schemas']['PowerFormula'];

const MOST_LEVELS = 4;
const MOST_LEAVES = 20;
/** Ways to satisfy one formula. Alternatives among names are one way, so only nodes within nodes multiply. */
const MOST_WAYS = 300;
/** Powers of attorney that may be drawn from each other. */
const LONGEST_CHAIN = 5;
/** Ways to satisfy the formulas that all powers of a business may have together. An evaluation looks at each. */
const MOST_WAYS_TOGETHER = 2000;

const ACT_TYPES = [
  '*',
  'general_contract',
  'open_account',
  'move_funds',
  'manage_pix_keys',
  'borrow',
  'give_guarantee',
  'issue_credit_note',
  'fx_contract',
  'sell_real_estate',
  'sell_assets',
  'ip_license',
  'hire_staff',
  'tax_filing',
  'public_tender',
  'litigation',
  'delegate_powers',
  'corporate_resolution',
];

const MESSAGES: Readonly<Record<ReturnType<typeof instrumentFaults>[number]['code'], string>> = {
  formula_unsatisfiable: 'can be satisfied by nobody: it needs more different persons than there are',
  group_empty: 'has no members',
  unknown_group: 'names a group that the document does not have',
  unknown_party: 'must be the key of a party of the latest version of the ownership',
  validity_inverted: 'must not be before the first day',
};

/** What a power is checked against. */
export interface Surroundings {
  readonly id: Uuid;
  readonly parties: readonly PowerParty[];
  readonly customActTypes: readonly string[];
  /** Other powers of the business, by id. */
  readonly others: ReadonlyMap<string, Instrument>;
  /** Ids of documents of the business among those that the power names. */
  readonly documents: ReadonlySet<string>;
}

/** Returns everything for which a power is refused, in the order of its members. */
export function powerFaults(instrument: Instrument, around: Surroundings): FieldError[] {
  const { id, parties, documents, others } = around;
  const { documentId, rules } = instrument;
  const shapes = rules.flatMap(({ formula }, index) => shapeFaults(formula, `/rules/${index}/formula`));
  const broken = new Set(shapes.map(({ pointer }) => pointer));
  const sound = {
    ...instrument,
    // A formula that has no meaning is judged no further.
    rules: rules.map((rule, index) => (broken.has(`/rules/${index}/formula`) ? { ...rule, formula: NONE } : rule)),
  };
  const row = { id, confirmedAt: null, revokedAt: null };
  const ways = [sound, ...others.values()].reduce((sum, other) => sum + wayCount(other), 0);
  return [
    ...(documentId === null || documents.has(documentId)
      ? []
      : [{ pointer: '/documentId', code: 'not_found', message: 'must name a document of the business' }]),
    ...repeated(instrument),
    ...instrumentFaults(engineInstrument(row, sound), parties)
      .filter(({ pointer }) => !broken.has(pointer))
      .map(({ code, pointer }) => ({ pointer, code, message: MESSAGES[code] })),
    ...shapes,
    ...actTypeFaults(instrument, around),
    ...(ways <= MOST_WAYS_TOGETHER
      ? []
      : [
          {
            pointer: '/rules',
            code: 'too_many_rules',
            message: `must not bring the ways to satisfy all rules of the business above ${MOST_WAYS_TOGETHER}`,
          },
        ]),
    ...linkFaults(instrument, around),
  ];
}

function wayCount({ rules }: Pick<Instrument, 'rules'>): number {
  return rules.reduce((sum, { formula }) => sum + waysOf(formula as Formula).length, 0);
}

/** A formula about which there is nothing to find. */
const NONE: SentFormula = { role: 'administrator' };

function repeated({ groups, rules }: Instrument): FieldError[] {
  const twice = (list: readonly { readonly key: string }[], at: string): FieldError[] =>
    list.flatMap(({ key }, index) =>
      list.findIndex((other) => other.key === key) === index
        ? []
        : [{ pointer: `${at}/${index}/key`, code: 'duplicate_key', message: 'must be a key that no other one has' }],
    );
  return [...twice(groups, '/groups'), ...twice(rules, '/rules')];
}

function actTypeFaults({ rules }: Instrument, { customActTypes }: Pick<Surroundings, 'customActTypes'>): FieldError[] {
  return rules.flatMap(({ actTypes, excludeActTypes = [] }, index) =>
    [
      ...actTypes.map((type, at) => ({ type, pointer: `/rules/${index}/actTypes/${at}` })),
      ...excludeActTypes.map((type, at) => ({ type, pointer: `/rules/${index}/excludeActTypes/${at}` })),
    ].flatMap(({ type, pointer }) => (isActType(type, customActTypes) ? [] : [unknownActType(pointer)])),
  );
}

/** Tells whether a type of acts exists: in the catalogue, or among those of the settings. */
export function isActType(type: string, customActTypes: readonly string[]): boolean {
  return ACT_TYPES.includes(type) || customActTypes.some((key) => type === `custom:${key}`);
}

export function unknownActType(pointer: string): FieldError {
  return { pointer, code: 'unknown_act_type', message: 'must be a type of acts of the catalogue or of the settings' };
}

/** A power that this one replaces, or is drawn from, is another one of the business, without a cycle. */
function linkFaults({ supersedes, grantorInstrumentId }: Instrument, { id, others }: Surroundings): FieldError[] {
  const missing = (pointer: string): FieldError[] => [
    { pointer, code: 'not_found', message: 'must name another power of the business' },
  ];
  const faults = supersedes === null || others.has(supersedes) ? [] : missing('/supersedes');
  if (grantorInstrumentId === null) return faults;
  const pointer = '/grantorInstrumentId';
  if (grantorInstrumentId === id)
    return [...faults, { pointer, code: 'delegation_cycle', message: 'must not be the power itself' }];
  if (!others.has(grantorInstrumentId)) return [...faults, ...missing(pointer)];
  let links = 1;
  for (let above = others.get(grantorInstrumentId); above?.type === 'power_of_attorney'; links++) {
    const next: string | null = above.grantorInstrumentId;
    if (next === id)
      return [...faults, { pointer, code: 'delegation_cycle', message: 'is drawn from this power in the end' }];
    if (links >= LONGEST_CHAIN) {
      const message = `makes a chain of more than ${LONGEST_CHAIN} powers of attorney`;
      return [...faults, { pointer, code: 'too_many_delegations', message }];
    }
    above = next === null ? undefined : others.get(next);
  }
  return faults;
}

const SHAPES = ['party', 'group', 'role', 'all', 'any', 'atLeast,of'];

/** Returns what is wrong with the form of a formula: at most one fault, at the formula as a whole. */
function shapeFaults(formula: SentFormula, pointer: string): FieldError[] {
  let leaves = 0;
  let isMisshapen = false;
  const levels = (part: SentFormula): number => {
    const names = Object.keys(part).sort().join(',');
    if (!SHAPES.includes(names)) isMisshapen = true;
    const parts = part.all ?? part.any ?? part.of;
    if (parts === undefined) {
      leaves++;
      return 0;
    }
    return 1 + Math.max(...parts.map(levels));
  };
  const depth = levels(formula);
  if (isMisshapen)
    return [{ pointer, code: 'formula_shape', message: 'must have one member in each part, or atLeast and of' }];
  if (depth > MOST_LEVELS || leaves > MOST_LEAVES || waysOf(formula as Formula).length > MOST_WAYS) {
    const message = `must have at most ${MOST_LEVELS} levels, ${MOST_LEAVES} names and ${MOST_WAYS} ways to satisfy it`;
    return [{ pointer, code: 'formula_too_large', message }];
  }
  return [];
}
