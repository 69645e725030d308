import { satisfied, waysOf } from './formula.ts';
import { People } from './people.ts';
import type { Formula, PowerInstrument, PowerParty } from './powers.ts';

/** What is wrong with an instrument, and where. */
export interface InstrumentFault {
  readonly code: 'formula_unsatisfiable' | 'group_empty' | 'unknown_group' | 'unknown_party' | 'validity_inverted';
  readonly pointer: string;
}

/** Returns everything for which an instrument is refused. */
export function instrumentFaults(instrument: PowerInstrument, parties: readonly PowerParty[]): InstrumentFault[] {
  const keys = new Set(parties.map(({ key }) => key));
  const groups = new Set(instrument.groups.map(({ key }) => key));
  const faults: InstrumentFault[] = [];
  if (isInverted(instrument.validFrom, instrument.validUntil))
    faults.push({ code: 'validity_inverted', pointer: '/validUntil' });
  for (const [index, key] of instrument.grantedBy.entries())
    if (!keys.has(key)) faults.push({ code: 'unknown_party', pointer: `/grantedBy/${index}` });
  for (const [group, { members }] of instrument.groups.entries()) {
    if (members.length === 0) faults.push({ code: 'group_empty', pointer: `/groups/${group}/members` });
    for (const [index, { partyKey, termFrom, termUntil }] of members.entries()) {
      const pointer = `/groups/${group}/members/${index}`;
      if (!keys.has(partyKey)) faults.push({ code: 'unknown_party', pointer: `${pointer}/partyKey` });
      if (isInverted(termFrom, termUntil)) faults.push({ code: 'validity_inverted', pointer: `${pointer}/termUntil` });
    }
  }
  for (const [index, { formula }] of instrument.rules.entries()) {
    const pointer = `/rules/${index}/formula`;
    const unknown = leavesOf(formula).flatMap((leaf): InstrumentFault['code'][] => {
      if ('party' in leaf) return keys.has(leaf.party) ? [] : ['unknown_party'];
      return 'group' in leaf && !groups.has(leaf.group) ? ['unknown_group'] : [];
    });
    faults.push(...[...new Set(unknown)].map((code) => ({ code, pointer })));
    const isEmpty = leavesOf(formula).some(
      (leaf) =>
        'group' in leaf && instrument.groups.some(({ key, members }) => key === leaf.group && members.length === 0),
    );
    if (unknown.length === 0 && !isEmpty && !isSatisfiable(formula, instrument, parties))
      faults.push({ code: 'formula_unsatisfiable', pointer });
  }
  return faults;
}

function isInverted(from: string | null, until: string | null): boolean {
  return from !== null && until !== null && until < from;
}

function leavesOf(formula: Formula): Formula[] {
  if ('all' in formula) return formula.all.flatMap(leavesOf);
  if ('any' in formula) return formula.any.flatMap(leavesOf);
  return 'atLeast' in formula ? formula.of.flatMap(leavesOf) : [formula];
}

/**
 * Tells whether distinct persons could ever satisfy a formula: terms do not count, and whoever is to have a role may
 * still come, so each of twenty slots finds a stranger with it.
 */
function isSatisfiable(formula: Formula, instrument: PowerInstrument, parties: readonly PowerParty[]): boolean {
  const people = new People(parties);
  const strangers = Array.from({ length: 20 }, (_, index) => `stranger ${index}`);
  const named = people.candidates(instrument, null);
  return (
    satisfied(waysOf(formula), new Set([...people.all.keys(), ...strangers]), (leaf) =>
      'role' in leaf ? new Set(strangers) : named(leaf),
    ) !== null
  );
}
