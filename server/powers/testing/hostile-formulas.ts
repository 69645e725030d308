/** Powers that are made to cost as much as possible within what may be recorded. Used by measurements. */
import { randomOf } from '../../../test/support/random.ts';
import type { Act, Formula, PowerInstrument, PowerParty, PowersOnFile, Signer } from '../powers.ts';
import { actOf, randomFile } from './random-powers.ts';

interface Evaluated {
  readonly file: PowersOnFile;
  readonly act: Act;
  readonly signers: readonly Signer[] | null;
}

/** Members of a group, at most. */
const MEMBERS = 50;
const keys = Array.from({ length: MEMBERS }, (_, index) => `p${index}`);

/** Returns a company whose articles have the given formulas as rules, each about everybody. */
function fileOf(formulas: readonly Formula[], rest: Partial<PowerInstrument> = {}): PowersOnFile {
  const { parties, instruments, business } = randomFile(randomOf(1));
  const person: PowerParty = {
    ...parties[4]!,
    roles: ['director'],
    taxId: null,
    identityVerified: true,
  };
  const [articles] = instruments as [PowerInstrument];
  const groups = ['g', 'h'].map((key) => ({
    key,
    members: keys.map((partyKey) => ({ partyKey, termFrom: null, termUntil: null })),
  }));
  const rules = formulas.map((formula, index) => ({
    ...articles.rules[0]!,
    key: `r${index}`,
    maxAmount: null,
    formula,
  }));
  return {
    business,
    parties: keys.map((key) => ({ ...person, key })),
    instruments: [
      {
        ...articles,
        status: 'active',
        groups,
        rules,
        ...rest,
      },
    ],
  };
}

const times = (count: number, formula: () => Formula): Formula[] => Array.from({ length: count }, formula);
/** Five of ten pairs: 252 ways to satisfy it. */
const pairs = (): Formula => ({ atLeast: 5, of: times(10, () => ({ all: [{ group: 'g' }, { group: 'h' }] })) });
/** Twenty signatures of anybody. */
const twenty = (): Formula => ({ all: times(20, () => ({ group: 'g' })) });
const everybody = keys.map((partyKey) => ({ partyKey }));
const act = actOf(randomOf(1));

export const HOSTILE_FORMULAS: Readonly<Record<string, () => Evaluated>> = {
  'five of ten pairs, who could sign': () => ({ file: fileOf([pairs()]), act, signers: null }),
  'seven rules of five of ten pairs, who could sign': () => ({ file: fileOf(times(7, pairs)), act, signers: null }),
  'seven rules of five of ten pairs, nine of ten signatures': () => ({
    file: fileOf(times(7, pairs)),
    act,
    signers: everybody.slice(0, 9),
  }),
  'twenty signatures of fifty, who could sign': () => ({ file: fileOf([twenty()]), act, signers: null }),
  'fifty rules of twenty signatures, nineteen signatures': () => ({
    file: fileOf(times(50, twenty)),
    act,
    signers: everybody.slice(0, 19),
  }),
};
