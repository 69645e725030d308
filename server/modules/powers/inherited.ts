/**
 * Reads the powers by which acts of a business are judged. Those of a branch are its own and those of its head office,
 * because both are one company. Used by evaluations, by the sheet of signatories and by the facts of risk; what changes
 * powers reads only those of the business itself.
 */
import type { Transaction } from '../../database/index.ts';
import { forceOf, isConstitutive } from '../../powers/in-force.ts';
import type { PowerParty } from '../../powers/powers.ts';
import { type Business, findHeadOffice } from '../businesses/index.ts';
import type { Instrument } from './instrument.ts';
import { instrumentsOf, type OnFile, readOnFile } from './on-file.ts';

/** Length of a key of a party in the contract. */
const LONGEST_KEY = 40;

/**
 * Reads what is on file about a business and, if it is a branch, about its head office. Whoever stores what is read
 * locks the head office, because its erasure empties what is stored by then.
 */
export async function readForSigning(
  tx: Transaction,
  business: Business,
  headOffice: { readonly isLocked?: boolean } = {},
): Promise<OnFile> {
  const own = await readOnFile(tx, business);
  const head = await findHeadOffice(tx, business, headOffice);
  return head === null ? own : withHeadOffice(own, await readOnFile(tx, head));
}

export type PowersCoverage = 'complete' | 'partial' | 'none';

/**
 * Tells how far the confirmed powers in force on a day say who may sign: completely with the articles or the bylaws
 * among them, which govern everything.
 */
export async function coverageOf(tx: Transaction, business: Business, day: string): Promise<PowersCoverage> {
  const { powers } = await readForSigning(tx, business);
  const instruments = instrumentsOf(powers);
  const inForce = instruments.filter((one) => forceOf(one, { on: day, at: null }, instruments) === 'confirmed');
  if (inForce.length === 0) return 'none';
  return inForce.some(isConstitutive) ? 'complete' : 'partial';
}

/**
 * Adds the parties and the powers of a head office to those of its branch. A company whose head office is not active
 * has no active branch. The establishment stays that of the branch, so a power that names a territory covers the branch
 * only if it is there. The legal form is that of the head office, because the law judges one company. So are the
 * officers: parties of the branch lose their roles, unless nobody has recorded the parties of the head office.
 */
export function withHeadOffice(own: OnFile, head: OnFile): OnFile {
  const keyOf = newKeys(own, head);
  const { situation } = own.business;
  const { situation: ofHead } = head.business;
  const ownParties =
    head.parties.length === 0 ? own.parties : own.parties.map((party): PowerParty => ({ ...party, roles: [] }));
  return {
    ...own,
    business: {
      ...own.business,
      legalForm: head.business.legalForm,
      situation: ofHead !== null && ofHead !== 'active' ? ofHead : situation,
    },
    parties: [...ownParties, ...head.parties.map((party) => ({ ...party, key: keyOf(party.key) }))],
    names: new Map([...own.names, ...[...head.names].map(([key, name]) => [keyOf(key), name] as const)]),
    powers: [
      ...own.powers,
      ...head.powers.map((power) => ({ ...power, instrument: renamed(power.instrument, keyOf) })),
    ],
  };
}

/**
 * Returns how the parties of a head office are named beside those of its branch. Each business assigns its own keys, so
 * the same key may be another person there; who has a full CPF is one person for the engine, whatever the keys.
 */
function newKeys(own: OnFile, head: OnFile): (key: string) => string {
  const taken = new Set([...own.parties, ...head.parties].map(({ key }) => key));
  const renames = new Map<string, string>();
  for (const { key } of head.parties) {
    if (!own.parties.some((party) => party.key === key)) continue;
    let [count, name] = [1, ''];
    do {
      const suffix = count === 1 ? '-head' : `-head${count}`;
      name = `${key.slice(0, LONGEST_KEY - suffix.length)}${suffix}`;
      count++;
    } while (taken.has(name));
    taken.add(name);
    renames.set(key, name);
  }
  return (key) => renames.get(key) ?? key;
}

type Formula = Instrument['rules'][number]['formula'];

/** Returns an instrument that names its parties by other keys. */
function renamed(instrument: Instrument, keyOf: (key: string) => string): Instrument {
  return {
    ...instrument,
    grantedBy: instrument.grantedBy.map(keyOf),
    groups: instrument.groups.map(({ key, members }) => ({
      key,
      members: members.map((member) => ({ ...member, partyKey: keyOf(member.partyKey) })),
    })),
    rules: instrument.rules.map((rule) => ({ ...rule, formula: renamedFormula(rule.formula, keyOf) })),
  };
}

function renamedFormula(formula: Formula, keyOf: (key: string) => string): Formula {
  const { party, all, any, of } = formula;
  const each = (formulas: readonly Formula[]): Formula[] => formulas.map((one) => renamedFormula(one, keyOf));
  return {
    ...formula,
    ...(party !== undefined && { party: keyOf(party) }),
    ...(all !== undefined && { all: each(all) }),
    ...(any !== undefined && { any: each(any) }),
    ...(of !== undefined && { of: each(of) }),
  };
}
