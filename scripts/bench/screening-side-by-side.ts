/**
 * Measures the screening engine and the matchers of nomenklatura by names in one run: what they find and alert on the
 * same pairs, the processor time of a pair and of a search among the same entries, and memory. Each row is better, or
 * says why it is not. Used by main.ts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, median, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { type Answer, asked, installed, type Matcher, MATCHERS } from './nomenklatura.ts';
import { startProgram } from './program.ts';
import { hasData, labelled } from './screening-data.ts';
import { LINES } from './screening-hits.ts';
import type { OwnAnswer, OwnOrder } from './screening-own.ts';
import { halfOf } from './screening-rewriting.ts';
import { nameMaker } from './screening-speed.ts';
import { areaUnderCurve, atLine, bestF1, lineWithin, type ScoredPair } from './separation.ts';
import { atOwnLines, type Others, sideBySide } from './side-by-side.ts';

/** Line at which users of nomenklatura are alerted, unless they set another one. */
const THEIR_LINE = 0.7;
const ROUNDS = 3;
const OWN_PROGRAM = join(import.meta.dirname, 'screening-own.ts');

interface Pair {
  readonly of: 'person' | 'organisation';
  readonly one: string;
  readonly other: string;
  readonly isMatch: boolean;
  readonly set: 'hard' | 'scripts' | 'altered';
}

export async function measureScreeningSideBySide({ extent, say }: Laboratory): Promise<Section[]> {
  if (!hasData()) return [];
  say('side by side: nomenklatura is installed, the first time for some minutes …');
  const python = await installed();
  const folder = mkdtempSync(join(tmpdir(), 'side-by-side-'));
  try {
    const isWhole = extent.validations >= 10_000;
    say('side by side: pairs …');
    const sections = [await ofPairs(python, folder)];
    for (const entries of isWhole ? [20_000, 250_000] : [20_000]) {
      say(`side by side: a search among ${entries.toLocaleString('en')} entries …`);
      sections.push(await ofSearch(python, folder, entries, isWhole ? 300 : 150));
    }
    return sections;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the engine of the service in a new process, whose caches are empty. */
async function own(order: OwnOrder): Promise<OwnAnswer> {
  await using program = startProgram<OwnOrder, OwnAnswer>(OWN_PROGRAM);
  return await program.run(order);
}

function allPairs(): Pair[] {
  const pair = (set: Pair['set'], one: string, other: string): Pair => ({
    of: 'person',
    one,
    other,
    isMatch: true,
    set,
  });
  return [
    ...labelled('name_pairs_nomenklatura.csv').map(
      (row): Pair => ({
        ...pair('hard', row['name1']!, row['name2']!),
        of: row['schema'] === 'Person' ? 'person' : 'organisation',
        isMatch: row['is_match'] === 'true',
      }),
    ),
    ...labelled('cross_script_pairs.csv').map((row) => pair('scripts', row['name1']!, row['name2']!)),
    ...labelled('search_un_treated_to_un2025.csv').map((row) => pair('altered', row['query_name']!, row['true_name']!)),
  ];
}

const ofMatchers = <T>(figure: (name: Matcher) => T): Readonly<Record<Matcher, T>> =>
  Object.fromEntries(MATCHERS.map((name) => [name, figure(name)])) as Record<Matcher, T>;

async function ofPairs(python: string, folder: string): Promise<Section> {
  const pairs = allPairs();
  const answers: OwnAnswer[] = [];
  for (let round = 0; round < ROUNDS; round++)
    answers.push(await own({ pairs: pairs.map(({ of, one, other }) => [of, one, other] as const) }));
  const theirs = await asked(python, folder, {
    pairs: {
      rounds: ROUNDS,
      matchers: MATCHERS,
      pairs: pairs.map(({ of, one, other }) => [of === 'person' ? 'Person' : 'Organization', one, other] as const),
    },
  });
  const [first] = answers;
  const scored = (scores: readonly number[], set: Pair['set'], isKept: (pair: Pair) => boolean): ScoredPair[] =>
    pairs.flatMap((pair, place) =>
      pair.set === set && isKept(pair) ? [{ isMatch: pair.isMatch, score: scores[place]! }] : [],
    );
  // Scores less the line, because people and organisations have different ones.
  const overLine = first!.pairs!.scores.map((score, place) => score - LINES[pairs[place]!.of].sanctions.alert);
  const all = () => true;
  const isHeld = ({ one }: Pair): boolean => halfOf(`pair ${one}`) === 'validation';
  const of = (set: Pair['set'], isKept = all as (pair: Pair) => boolean) => ({
    own: scored(first!.pairs!.scores, set, isKept),
    overLine: scored(overLine, set, isKept),
    theirs: ofMatchers((name) => scored(theirs.pairs![name].scores, set, isKept)),
  });
  const hard = of('hard');
  const scripts = of('scripts');
  const altered = of('altered');
  const cost = (turn: 'first' | 'again'): Row =>
    sideBySide({
      what: `processor time of a pair, names seen ${turn === 'first' ? 'for the first time' : 'before'}`,
      own: median(answers.map(({ pairs: answer }) => answer!.microseconds[turn])),
      others: ofMatchers((name) => median(theirs.pairs![name].microseconds[turn])),
      better: 'less',
      unit: 'µs',
      because: (ahead) => whyFaster(ahead, turn),
    });
  return {
    title:
      `Screening side by side with nomenklatura ${theirs.version}: ${hard.own.length} hard pairs, ` +
      `${scripts.own.length} across scripts, ${altered.own.length} altered names (own · others · verdict)`,
    rows: [
      ...separation('hard pairs', hard),
      ...separation('hard pairs, validation half', of('hard', isHeld)),
      foundAtOwnLine('pairs across scripts', scripts, hard),
      foundAtOwnLine('altered names', altered, hard),
      foundAtEqualAlerts('pairs across scripts', scripts, hard),
      foundAtEqualAlerts('altered names', altered, hard),
      cost('first'),
      cost('again'),
    ],
    raw: { own: answers, theirs },
  };
}

interface Contest {
  readonly own: readonly ScoredPair[];
  readonly overLine: readonly ScoredPair[];
  readonly theirs: Readonly<Record<Matcher, readonly ScoredPair[]>>;
}

function separation(which: string, contest: Contest): Row[] {
  const each = (
    figure: (pairs: readonly ScoredPair[]) => number,
  ): { readonly own: number; readonly others: Others } => ({
    own: figure(contest.own),
    others: ofMatchers((name) => figure(contest.theirs[name])),
  });
  const shipped = atLine(contest.overLine, 0);
  const their = ofMatchers((name) => atLine(contest.theirs[name], THEIR_LINE));
  const equal = (whose: string, falseAlerts: number): Row =>
    sideBySide({
      what: `${which}: true pairs found where as few false ones are alerted as by ${whose} (${percentOf(falseAlerts)})`,
      ...each((pairs) => 100 * atLine(pairs, lineWithin(pairs, falseAlerts)).found),
      better: 'more',
      unit: '%',
    });
  return [
    sideBySide({ what: `${which}: area under the curve`, ...each(areaUnderCurve), better: 'more' }),
    sideBySide({ what: `${which}: best F1`, ...each(bestF1), better: 'more' }),
    ...atOwnLines(which, shipped, their),
    equal('this engine at its lines', shipped.falseAlerts),
    equal('logic-v2 at its line', their['logic-v2'].falseAlerts),
  ];
}

const percentOf = (share: number): string => `${(100 * share).toFixed(1)} %`;

/**
 * Shows a set without false pairs. Being behind is explained if the others alert more of the false hard pairs at the
 * same lines; the rows of equal alerts say what that finds.
 */
function foundAtOwnLine(which: string, { overLine, theirs }: Contest, hard: Contest): Row {
  const { falseAlerts } = atLine(hard.overLine, 0);
  const alertsMore = (name: string): boolean =>
    atLine(hard.theirs[name as Matcher], THEIR_LINE).falseAlerts > falseAlerts;
  return sideBySide({
    what: `${which}: found at own lines`,
    own: 100 * atLine(overLine, 0).found,
    others: ofMatchers((name) => 100 * atLine(theirs[name], THEIR_LINE).found),
    better: 'more',
    unit: '%',
    because: (ahead) =>
      ahead.every(alertsMore) ? 'their lines are lower and alert more false pairs; see the row of equal alerts' : null,
  });
}

function foundAtEqualAlerts(which: string, set: Contest, hard: Contest): Row {
  const { falseAlerts } = atLine(hard.overLine, 0);
  const found = (pairs: readonly ScoredPair[], judging: readonly ScoredPair[]): number =>
    100 * atLine(pairs, lineWithin(judging, falseAlerts)).found;
  return sideBySide({
    what: `${which}: found where each alerts ${percentOf(falseAlerts)} of the false hard pairs`,
    own: found(set.own, hard.own),
    others: ofMatchers((name) => found(set.theirs[name], hard.theirs[name])),
    better: 'more',
    unit: '%',
  });
}

/** Matchers that compare letters, and at most one sound. */
const BY_LETTERS: readonly string[] = ['name-based', 'ofac'];

function whyFaster(ahead: readonly string[], turn: 'first' | 'again'): string | null {
  if (ahead.every((name) => BY_LETTERS.includes(name)))
    return 'they compare letters and at most one sound, and order pairs worse';
  return turn === 'first'
    ? 'a new word is read by the sounds and spellings of several languages, in the index only once'
    : null;
}

async function ofSearch(python: string, folder: string, count: number, searches: number): Promise<Section> {
  const { name, random } = nameMaker(20_260_101);
  const entries = Array.from({ length: count }, () => Array.from({ length: 1 + Number(random(10) < 6) }, name));
  const path = join(folder, 'entries.jsonl');
  writeFileSync(path, entries.map((names) => JSON.stringify(names)).join('\n'));
  // A third of the names is on the list, a third is on it with one letter more, and a third is not.
  const queries = Array.from({ length: searches }, (_, place) => {
    const key = place % 3 === 2 ? null : random(count);
    return { key, isExact: place % 3 === 0, text: key === null ? name() : entries[key]![0]! + 'h'.repeat(place % 3) };
  });
  const texts = queries.map(({ text }) => text);
  const ours = (await own({ search: { entries: path, queries: texts, line: LINES.person.sanctions.alert } })).search!;
  const theirs = (
    await asked(python, folder, { search: { entries: path, queries: texts, matchers: ofMatchers(() => THEIR_LINE) } })
  ).search!;
  return {
    title:
      `Screening side by side: a search among ${count.toLocaleString('en')} entries ` +
      `(own · others behind their index, which leaves ${theirs.candidates.toFixed(0)} entries · verdict)`,
    rows: searchRows(ours, theirs, queries),
    raw: { ours, theirs },
  };
}

type Query = { readonly key: number | null; readonly isExact: boolean };

function searchRows(
  ours: NonNullable<OwnAnswer['search']>,
  theirs: NonNullable<Answer['search']>,
  queries: readonly Query[],
): Row[] {
  const found = (hits: readonly (readonly number[])[], isExact: boolean): number => {
    const places = queries.flatMap(({ key, isExact: exact }, place) =>
      key !== null && exact === isExact ? [place] : [],
    );
    return (100 * places.filter((place) => hits[place]!.includes(queries[place]!.key!)).length) / places.length;
  };
  const finding = (what: string, isExact: boolean): Row =>
    sideBySide({
      what,
      own: found(ours.found, isExact),
      others: ofMatchers((name) => found(theirs.matchers[name].found, isExact)),
      better: 'more',
      unit: '%',
    });
  return [
    sideBySide({
      what: 'processor time of a search',
      own: ours.microseconds / 1000,
      others: ofMatchers((name) => (theirs.blockingMicroseconds + theirs.matchers[name].microseconds) / 1000),
      better: 'less',
      unit: 'ms',
    }),
    ['… of the index of nomenklatura alone, many names at once', amount(theirs.blockingMicroseconds / 1000, 'ms')],
    ['… of the index of nomenklatura alone, one name at a time', amount(theirs.oneByOneMicroseconds / 1000, 'ms')],
    finding('listed names found', true),
    finding('listed names with a letter more found', false),
    sideBySide({
      what: 'processor time until the index is built',
      own: ours.builtSeconds,
      others: { nomenklatura: theirs.builtSeconds },
      better: 'less',
      unit: 's',
    }),
    sideBySide({
      what: 'most memory of the process',
      own: ours.peakMegabytes,
      others: { nomenklatura: theirs.peakMegabytes },
      better: 'less',
      unit: 'MB',
    }),
  ];
}
