/**
 * The draft of a power as the rows of a form, and back. Used by edit-power.tsx. What the form does not show, such as a
 * formula within a formula, stays as it is recorded.
 */
import type { Schemas } from '../../core/api.ts';
import { textOrNull } from '../../ui/text-or-null.ts';

type Power = Schemas['Power'];
type Rule = Schemas['PowerRule'];
type Formula = Schemas['PowerFormula'];
type Member = NonNullable<Power['groups'][number]['members']>[number];
type Condition = NonNullable<Rule['conditions']>[number];

/** A member of a group with the term of office. A group has a row for each member. */
export interface MemberRow {
  readonly group: string;
  readonly partyKey: string;
  readonly termFrom: string;
  readonly termUntil: string;
}

/** How many of the chosen ones sign. `recorded` keeps a formula that the form cannot show. */
export type HowMany = 'one' | 'all' | 'some' | 'recorded';

/** A rule of a power. */
export interface RuleRow {
  readonly clause: string;
  readonly actTypes: readonly string[];
  readonly excludeActTypes: readonly string[];
  readonly maxAmount: Schemas['Money'] | null;
  readonly howMany: HowMany;
  readonly atLeast: string;
  /** Who signs: `party:ana`, `group:directors` or `role:director`. */
  readonly formula: readonly string[];
  readonly conditions: readonly Condition['kind'][];
  readonly territory: string;
  readonly page: string;
  readonly sourceText: string;
  readonly canDelegate: boolean;
  readonly recorded: Rule | null;
}

export interface PowerValues {
  readonly type: Power['type'];
  readonly documentId: string;
  readonly registryOffice: string;
  readonly registryNumber: string;
  readonly registeredOn: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly supersedes: string;
  readonly grantorInstrumentId: string;
  readonly grantedBy: readonly string[];
  readonly grantedOn: string;
  readonly members: MemberRow[];
  readonly rules: RuleRow[];
}

export const BLANK_MEMBER: MemberRow = {
  group: '',
  partyKey: '',
  termFrom: '',
  termUntil: '',
};

export const BLANK_RULE: RuleRow = {
  clause: '',
  actTypes: [],
  excludeActTypes: [],
  maxAmount: null,
  howMany: 'one',
  atLeast: '2',
  formula: [],
  conditions: [],
  territory: '',
  page: '',
  sourceText: '',
  canDelegate: false,
  recorded: null,
};

export const BLANK: PowerValues = {
  type: 'articles',
  documentId: '',
  registryOffice: '',
  registryNumber: '',
  registeredOn: '',
  validFrom: '',
  validUntil: '',
  supersedes: '',
  grantorInstrumentId: '',
  grantedBy: [],
  grantedOn: '',
  members: [],
  rules: [],
};

/** Returns the name of a leaf of a formula, null for a formula that contains others. */
function leafOf({ party, group, role }: Formula): string | null {
  if (party !== undefined) return `party:${party}`;
  if (group !== undefined) return `group:${group}`;
  return role === undefined ? null : `role:${role}`;
}

const isText = (leaf: string | null): leaf is string => leaf !== null;

/** Returns a formula as a choice of signers. */
function signersOf(formula: Formula): Pick<RuleRow, 'howMany' | 'atLeast' | 'formula'> {
  const { all, any, of, atLeast = 2 } = formula;
  const leaf = leafOf(formula);
  if (leaf !== null) return { howMany: 'one', atLeast: '2', formula: [leaf] };
  const leaves = (all ?? any ?? of ?? []).map(leafOf);
  const chosen = leaves.filter(isText);
  if (chosen.length < leaves.length || new Set(chosen).size < leaves.length)
    return { howMany: 'recorded', atLeast: '2', formula: [] };
  if (of !== undefined) return { howMany: 'some', atLeast: `${atLeast}`, formula: chosen };
  return { howMany: all === undefined ? 'one' : 'all', atLeast: '2', formula: chosen };
}

/** Returns the formula of a choice of signers. */
function formulaOf({ howMany, atLeast, formula, recorded }: RuleRow): Formula {
  if (howMany === 'recorded' && recorded !== null) return recorded.formula;
  const leaves = formula.map((leaf): Formula => {
    const [kind = '', key = ''] = leaf.split(':');
    return { [kind]: key };
  });
  if (howMany === 'some') return { atLeast: Number(atLeast), of: leaves };
  const [only, ...others] = leaves;
  if (only !== undefined && others.length === 0) return only;
  return howMany === 'all' ? { all: leaves } : { any: leaves };
}

/** Returns the draft of a power as the values of a form. */
export function valuesOf(power: Power): PowerValues {
  const { type, validFrom, grantedBy, groups, rules } = power;
  return {
    type,
    validFrom,
    grantedBy,
    documentId: power.documentId ?? '',
    registryOffice: power.registryOffice ?? '',
    registryNumber: power.registryNumber ?? '',
    registeredOn: power.registeredOn ?? '',
    validUntil: power.validUntil ?? '',
    supersedes: power.supersedes ?? '',
    grantorInstrumentId: power.grantorInstrumentId ?? '',
    grantedOn: power.grantedOn ?? '',
    members: groups.flatMap(({ key: group, members }) =>
      members.map(({ partyKey, termFrom = null, termUntil = null }) => ({
        group,
        partyKey,
        termFrom: termFrom ?? '',
        termUntil: termUntil ?? '',
      })),
    ),
    rules: rules.map((recorded) => ({
      ...signersOf(recorded.formula),
      clause: recorded.clause ?? '',
      actTypes: recorded.actTypes,
      excludeActTypes: recorded.excludeActTypes ?? [],
      maxAmount: recorded.maxAmount ?? null,
      conditions: (recorded.conditions ?? []).map(({ kind }) => kind),
      territory: recorded.territory ?? '',
      page: recorded.anchor == null ? '' : `${recorded.anchor.page}`,
      sourceText: recorded.sourceText ?? '',
      canDelegate: recorded.canDelegate ?? false,
      recorded,
    })),
  };
}

/** Returns the place of a clause. The words that were marked are words of the recorded page. */
function anchorOf(page: string, recorded: Rule['anchor']): Schemas['PowerAnchor'] | null {
  if (page.trim() === '') return null;
  return recorded?.page === Number(page) ? recorded : { page: Number(page) };
}

function ruleOf(row: RuleRow, key: string): Rule {
  const { recorded, page, conditions } = row;
  return {
    key,
    clause: textOrNull(row.clause),
    actTypes: [...row.actTypes],
    excludeActTypes: [...row.excludeActTypes],
    maxAmount: row.maxAmount,
    formula: formulaOf(row),
    // A rule may have several conditions of one kind, which the form shows as one.
    conditions: [...new Set(conditions)].flatMap((kind) => {
      const kept = (recorded?.conditions ?? []).filter((one) => one.kind === kind);
      return kept.length > 0 ? kept : [{ kind }];
    }),
    territory: textOrNull(row.territory),
    sourceText: textOrNull(row.sourceText),
    canDelegate: row.canDelegate,
    anchor: anchorOf(page, recorded?.anchor ?? null),
  };
}

/** Returns the rules of rows. A new rule gets a key that no other one has. */
function rulesOf(rules: readonly RuleRow[]): Rule[] {
  const taken = new Set(rules.flatMap(({ recorded }) => recorded?.key ?? []));
  let number = 0;
  return rules.map((row) => {
    if (row.recorded !== null) return ruleOf(row, row.recorded.key);
    do number += 1;
    while (taken.has(`r${number}`));
    return ruleOf(row, `r${number}`);
  });
}

const memberOf = ({ partyKey, termFrom, termUntil }: MemberRow): Member => ({
  partyKey,
  termFrom: textOrNull(termFrom),
  termUntil: textOrNull(termUntil),
});

/** Returns the power that the values of a form describe. */
export function powerOf(values: PowerValues): Schemas['PowerCreate'] {
  const { type, validFrom, grantedBy, members, rules } = values;
  const isAttorney = type === 'power_of_attorney';
  return {
    type,
    validFrom,
    documentId: textOrNull(values.documentId),
    registryOffice: textOrNull(values.registryOffice),
    registryNumber: textOrNull(values.registryNumber),
    registeredOn: textOrNull(values.registeredOn),
    validUntil: textOrNull(values.validUntil),
    supersedes: textOrNull(values.supersedes),
    grantorInstrumentId: isAttorney ? textOrNull(values.grantorInstrumentId) : null,
    grantedBy: isAttorney ? [...grantedBy] : [],
    grantedOn: isAttorney ? textOrNull(values.grantedOn) : null,
    groups: [...Map.groupBy(members, ({ group }) => group.trim())].map(([key, rows]) => ({
      key,
      members: rows.map(memberOf),
    })),
    rules: rulesOf(rules),
  };
}
