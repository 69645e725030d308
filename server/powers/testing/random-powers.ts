/** Random powers of a company with few persons, for the tests of the engine. The same seed gives the same powers. */
import type { Act, Formula, PowerInstrument, PowerParty, PowersOnFile } from '../powers.ts';

export const KEYS = ['a', 'b', 'c', 'd', 'e'];
export const GROUPS = ['g', 'h'];

/** A formula of up to eight slots and three levels. */
function randomFormula(random: () => number, depth = 0): Formula {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  if (depth === 3 || random() < 0.25 + depth * 0.2)
    return pick<() => Formula>([
      () => ({ party: pick(KEYS) }),
      () => ({ group: pick(GROUPS) }),
      () => ({ role: 'director' }),
    ])();
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomFormula(random, depth + 1));
  return pick<() => Formula>([
    () => ({ all: parts }),
    () => ({ any: parts }),
    () => ({ atLeast: 1 + Math.floor(random() * parts.length), of: parts }),
  ])();
}

export function randomFile(random: () => number): PowersOnFile {
  const some = (): string[] => KEYS.filter(() => random() < 0.5);
  const number = random() < 0.3 ? '52998224725' : null;
  const directors = some();
  const parties = KEYS.map(
    (key, index): PowerParty => ({
      key,
      roles: directors.includes(key) ? ['director'] : [],
      taxId: index < 2 ? number : null,
      validFrom: null,
      validTo: null,
      identityVerified: random() < 0.85,
      sanctioned: false,
      protectionActive: false,
    }),
  );
  const articles: PowerInstrument = {
    id: 'articles',
    type: 'articles',
    status: random() < 0.85 ? 'active' : 'draft',
    registeredOn: '2024-01-15',
    validFrom: '2024-01-15',
    validUntil: null,
    revoked: null,
    supersedes: null,
    grantorInstrumentId: null,
    grantedBy: [],
    grantedOn: null,
    groups: GROUPS.map((key) => ({
      key,
      members: some().map((partyKey) => ({ partyKey, termFrom: null, termUntil: null })),
    })),
    rules: Array.from({ length: 1 + Math.floor(random() * 2) }, (_, index) => ({
      key: `r${index}`,
      actTypes: ['*'],
      excludeActTypes: [],
      maxAmount: random() < 0.3 ? { amount: 100, currency: 'BRL' } : null,
      formula: randomFormula(random),
      conditions: [],
      canDelegate: false,
      territory: null,
    })),
  };
  const establishment = { state: 'PR', city: 'Curitiba' };
  return {
    business: {
      legalForm: 'sa_closed',
      situation: 'active',
      protectionActive: false,
      establishment,
    },
    parties,
    instruments: [articles],
  };
}

export const actOf = (random: () => number): Act => ({
  type: 'borrow',
  amount: random() < 0.2 ? null : { amount: random() < 0.5 ? 100 : 101, currency: 'BRL' },
  at: '2026-11-20T15:00:00.000Z',
  on: '2026-11-20',
  counterparty: null,
  conditionsMet: [],
  place: null,
});
