/**
 * Measures the cost of a screening at 20,000, 250,000 and two million entities: one search with all explanations, on
 * one core. The names are made of invented words, so that the figures can be reproduced anywhere; their words are
 * denser than on real lists. Used by main.ts.
 */
import { NameIndexBuilder } from '../../server/screening/engine/name-index.ts';
import { NameSearch } from '../../server/screening/engine/search.ts';
import { pack, unpack } from '../../server/screening/engine/sections.ts';
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import { amount, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

const SIZES = [
  { entities: 20_000, goals: { p50: '≤ 0.2 ms', p99: '≤ 5 ms', perSecond: '≥ 1500' } },
  { entities: 250_000, goals: { p50: '≤ 1 ms', p99: '≤ 15 ms', perSecond: '≥ 500' } },
  { entities: 2_000_000, goals: { p50: '≤ 5 ms', p99: '≤ 50 ms', perSecond: '≥ 150' } },
] as const;
/** Default threshold of the service for sanctions on persons. */
const OPTIONS = { threshold: 0.82, rules: [{ needsConfirmation: false, dobToleranceYears: 0 }] };

const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'kh',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'sh',
  't',
  'tr',
  'v',
  'y',
  'z',
  '',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou', 'ie'];
const CODAS = ['', '', '', 'n', 'r', 's', 'l', 'm', 'd', 'ck', 'ng', 'rt', 'v', 'x'];

/**
 * Makes names of two to four words from a vocabulary of some 70,000, in which few words are frequent, as in real names
 * (Zipf).
 */
export function nameMaker(seed: number): { name: () => string; random: (below: number) => number } {
  let state = seed;
  const random = (below: number): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % below;
  const word = (): string => {
    // Each rank of frequency is one word, whose letters follow from its rank.
    let letters = Math.imul(Math.floor(70_000 ** ((random(1_000_000) + 1) / 1_000_000)), 2_654_435_761) >>> 0;
    const next = (parts: readonly string[]): string => {
      const part = parts[letters % parts.length]!;
      letters = Math.floor(letters / parts.length);
      return part;
    };
    return `${next(ONSETS)}${next(VOWELS)}${next(CODAS)}${next(ONSETS)}${next(VOWELS)}${next(ONSETS)}${next(VOWELS)}${next(CODAS)}`;
  };
  return { random, name: () => Array.from({ length: 2 + random(3) }, word).join(' ') };
}

export const entity = (key: number, names: readonly string[]): ListedEntity => ({
  key: String(key),
  type: 'person',
  category: 'sanction',
  gender: null,
  countries: ['XK'],
  programmes: ['EXAMPLE'],
  position: null,
  references: [],
  sourceUrl: null,
  remarks: null,
  identifiers: [],
  names: names.map((name, index) => ({ name, kind: index === 0 ? 'primary' : 'alias', quality: 'strong' })),
  birthDates: [`${1930 + (key % 75)}-05-17`],
});

/** Returns the sizes of lists to measure: a shorter run omits the largest. */
function sizesFor(validations: number): readonly (typeof SIZES)[number][] {
  if (validations >= 10_000) return SIZES;
  return SIZES.slice(0, validations >= 5_000 ? 2 : 1);
}

export async function measureScreeningSpeed({ extent, say }: Laboratory): Promise<Section[]> {
  return sizesFor(extent.validations).map(({ entities, goals }) => {
    say(`screening: ${entities.toLocaleString('en')} entities …`);
    return measured(entities, goals, Math.min(extent.validations, 3000));
  });
}

function measured(entities: number, goals: (typeof SIZES)[number]['goals'], count: number): Section {
  const { name, random } = nameMaker(20_260_101);
  const builder = new NameIndexBuilder('person');
  const known: string[] = [];
  for (let key = 0; key < entities; key++) {
    const names = Array.from({ length: 1 + Number(random(10) < 6) }, name);
    if (key % Math.ceil(entities / 5000) === 0) known.push(names[0]!);
    builder.add(entity(key, names), 0);
  }
  let begun = performance.now();
  const index = builder.build();
  const built = performance.now() - begun;
  const { entityText, entityStart, entityList, ...rest } = unpack<string>(index);
  const stored = pack(unpack<string>(index));
  begun = performance.now();
  const search = new NameSearch(stored);
  const opened = performance.now() - begun;
  // A third of the names is on the list, a third is on it with one extra letter, and a third is not.
  const queries = Array.from({ length: count }, (_, place) =>
    place % 3 === 2 ? name() : known[random(known.length)]! + (place % 3 === 1 ? 'h' : ''),
  );
  const run = (text: string): number =>
    search.search(
      {
        type: 'person',
        names: [text],
        birthDate: null,
        gender: null,
        countries: [],
        taxId: null,
        identifiers: [],
      },
      OPTIONS,
    ).length;
  queries.slice(0, 300).forEach(run);
  const times: number[] = [];
  let hits = 0;
  for (const query of queries) {
    begun = performance.now();
    hits += run(query);
    times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const rows: Row[] = [
    ['half of the searches take at most', amount(sorted[Math.floor(count * 0.5)]!, 'ms'), goals.p50],
    ['99 of 100 at most', amount(sorted[Math.floor(count * 0.99)]!, 'ms'), goals.p99],
    [
      'searches per second and core',
      amount((1000 * count) / times.reduce((sum, time) => sum + time, 0), ''),
      goals.perSecond,
    ],
    ['hits per search', amount(hits / count, '')],
    [
      'index without the entities themselves',
      amount(Object.values(rest).reduce((sum, { byteLength }) => sum + byteLength, 0) / 1e6, 'MB'),
      '≤ 150 MB',
    ],
    [
      'the entities, as they are explained',
      amount((entityText!.byteLength + entityStart!.byteLength + entityList!.byteLength) / 1e6, 'MB'),
    ],
    ['built from its parts', amount(built, 'ms')],
    ['opened as it is stored', amount(opened, 'ms'), '≤ 1000'],
  ];
  return { title: `Screening: ${entities.toLocaleString('en')} entities`, rows, raw: { times } };
}
