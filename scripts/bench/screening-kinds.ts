/**
 * Measures which rewritings of listed names the engine finds, by kind, at the shipped lines and at five alerts in a
 * thousand. A seed draws each listed entity into one of two halves: rules are chosen on the development half, and the
 * validation half is only printed. Used by screening-accuracy.ts.
 */
import type { NameSearch } from '../../server/screening/engine/search.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import type { Row, Section } from './figures.ts';
import { RULES, subject } from './screening-data.ts';
import { LINES } from './screening-hits.ts';
import { ordering } from './screening-pairs.ts';
import { type Asked, type Kind, kindsOf, type Lists } from './screening-name-kinds.ts';
import { chance, type Half, HALVES, SEED } from './screening-rewriting.ts';

const BUDGET_PER_MILLE = 5;
/** Lowest score of a search: below any line that a budget could give. */
const LEAST = 0.55;

/** The best scores of names that are on no list, by half. */
export type CleanScores = Readonly<
  Record<NameOf | 'dated', readonly { readonly half: Half; readonly score: number }[]>
>;

export function measureKinds(
  lists: Lists,
  whole: Record<NameOf, NameSearch>,
  clean: CleanScores,
  { most, say }: { readonly most: number; readonly say: (line: string) => void },
): Section {
  const at = Object.fromEntries(
    Object.entries(clean).map(([kind, scores]) => {
      const own = scores.filter(({ half }) => half === 'development').map(({ score }) => score);
      return [kind, own.toSorted((a, b) => b - a)[Math.floor((own.length * BUDGET_PER_MILLE) / 1000)]! + 1e-9];
    }),
  ) as Record<NameOf | 'dated', number>;
  const rows: Row[] = [...alerted(clean)];
  const add = ({ what, goal, asked, index }: Kind): void => {
    say(`screening, by kind: ${what} …`);
    for (const half of HALVES) {
      const own = asked.filter((one) => one.half === half).slice(0, most);
      const scores = own.map(({ of, name, birthDate = null, is }) => {
        const found = (index?.[of] ?? whole[of]).search(subject(of, name, birthDate), {
          threshold: LEAST,
          rules: RULES,
        });
        const own = found.find(({ entity }) => is(entity))?.score ?? 0;
        return { of, dated: birthDate !== null, score: own };
      });
      const shipped = scores.filter(({ of, score }) => score >= LINES[of].sanctions.alert).length;
      const budget = scores.filter(({ of, dated, score }) => score >= at[dated ? 'dated' : of]).length;
      rows.push([
        `${what}: ${half}`,
        {
          value: (100 * shipped) / own.length,
          text: `${share(shipped, own.length)}; at the budget ${((100 * budget) / own.length).toFixed(1)} %`,
        },
        goal,
      ]);
    }
  };
  for (const kind of kindsOf(lists)) add({ ...kind, asked: inOrder(kind.asked) });
  for (const half of HALVES) rows.push(...ordering(half));
  return {
    title:
      `Screening: by kind, at the shipped lines (at the budget of ${BUDGET_PER_MILLE} in a thousand: people ` +
      `${at.person.toFixed(2)}, with dates ${at.dated.toFixed(2)}, companies ${at.organisation.toFixed(2)})`,
    rows,
    raw: { at, seed: SEED },
  };
}

/** Returns the names in an order drawn by the seed, so that a sample is of all of them. */
const inOrder = (asked: readonly Asked[]): Asked[] =>
  asked
    .map((one) => ({ one, order: chance(`${SEED} order ${one.name}`)(1e9) }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);

/** Returns a share in percent with its interval of 95 % (Wilson). */
function share(part: number, whole: number): string {
  const [rate, z] = [part / whole, 1.96];
  const middle = (rate + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const wide = (z / (1 + (z * z) / whole)) * Math.sqrt((rate * (1 - rate)) / whole + (z * z) / (4 * whole * whole));
  const [percent, low, high] = [rate, middle - wide, middle + wide].map((value) =>
    (100 * Math.min(1, Math.max(0, value))).toFixed(1),
  );
  return `${percent} % of ${whole} (${low}–${high})`;
}

const CLEAN = { person: 'people', dated: 'people with their birth date', organisation: 'companies' } as const;

function alerted(clean: CleanScores): Row[] {
  return (['person', 'dated', 'organisation'] as const).flatMap((kind) =>
    HALVES.map((half): Row => {
      const own = clean[kind].filter((one) => one.half === half);
      const line = LINES[kind === 'organisation' ? 'organisation' : 'person'].sanctions.alert;
      const count = own.filter(({ score }) => score >= line).length;
      return [
        `${CLEAN[kind]} on no list alerted, in a thousand: ${half}`,
        { value: (1000 * count) / own.length, text: `${((1000 * count) / own.length).toFixed(2)} of ${own.length}` },
        kind === 'dated' ? '≤ 0.3' : '≤ 3',
      ];
    }),
  );
}
