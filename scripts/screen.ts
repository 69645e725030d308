/** Screens a name against watch lists in files, without a service, and prints the matches and their reasons. */
import { stat } from 'node:fs/promises';
import { OWN_LIST, WATCH_LISTS, watchListOf } from '../server/modules/watch-lists/index.ts';
import { featuresOf } from '../server/screening/engine/features.ts';
import { NameIndexBuilder } from '../server/screening/engine/name-index.ts';
import { asOfacWrites, ofacScore } from '../server/screening/engine/ofac-score.ts';
import { type Found, NameSearch } from '../server/screening/engine/search.ts';
import type { ListCategory } from '../server/screening/listed-entity.ts';
import { isScreenable } from '../server/screening/names/fold.ts';
import type { NameOf } from '../server/screening/names/token.ts';
import { uncompressed } from '../server/screening/sources/compressed.ts';
import { assertComplete, type FormatName, FORMATS, NEEDS_CONFIRMATION } from '../server/screening/sources/index.ts';
import { identifierValue } from '../server/screening/sources/listed-names.ts';
import { type Bytes, type SourceFacts, SourceFileError } from '../server/screening/sources/source-file.ts';
import { misused, readOptions } from './options.ts';

const HELP = `Screen a name against watch lists in files: no service, no database, nothing is kept.

Usage: npx node scripts/screen.ts --list FORMAT=FILE [--list …] [options] NAME …
  --list FORMAT=FILE   a list, as it was published; a ZIP or gzip archive of one file will do. Other files of the same
                       list follow after a comma: ofac-csv=sdn.csv,alt=alt.csv. Formats:
${Object.entries(FORMATS)
  .map(([name, { title }]) => `                         ${name.padEnd(14)} ${title}`)
  .join('\n')}
  --organisation       the names are of an organisation, and not of a person
  --born DATE          the date or year of birth (1961-04-02, 1961)
  --country CODE       a nationality or country, ISO 3166-1; repeat it for several
  --tax-id NUMBER      the CPF of a person, the CNPJ of an organisation
  --threshold SCORE    the least score of a hit, 0.50 to 1.00 (default 0.82); an equal name on a list of sanctions
                       is a hit below it
  --ofac-score         beside each hit, what the search tool of OFAC would give it, 0 to 100
  --json               the hits as JSON
  --help               this text

Exit status: 0 nothing found, 1 hits found, 2 wrong options, 3 a list cannot be read.`;

interface Order {
  readonly lists: readonly { readonly format: FormatName; readonly files: Readonly<Record<string, string>> }[];
  readonly type: NameOf;
  readonly names: readonly string[];
  readonly born: string | null;
  readonly countries: readonly string[];
  readonly taxId: string | null;
  readonly threshold: number;
  readonly withOfacScore: boolean;
  readonly asJson: boolean;
}

function readOrder(args: string[]): Order | null {
  const { values, positionals: names } = readOptions({
    args,
    allowPositionals: true,
    options: {
      'list': { type: 'string', multiple: true, default: [] },
      'organisation': { type: 'boolean', default: false },
      'born': { type: 'string' },
      'country': { type: 'string', multiple: true, default: [] },
      'tax-id': { type: 'string' },
      'threshold': { type: 'string', default: '0.82' },
      'ofac-score': { type: 'boolean', default: false },
      'json': { type: 'boolean', default: false },
      'help': { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const threshold = Number(values.threshold);
  if (!(threshold >= 0.5 && threshold <= 1)) misused('--threshold takes a number from 0.50 to 1.00');
  if (values.born !== undefined && !/^\d{4}(?:-\d\d-\d\d)?$/.test(values.born))
    misused('--born takes a day or a year: 1961-04-02, 1961');
  if (values.list.length === 0) misused('There is nothing to screen against: name a --list');
  if (names.length === 0) misused('There is nobody to screen: give a name');
  for (const name of names) if (!isScreenable(name)) misused(`"${name}" has no letters, so it is no name`);
  return {
    lists: values.list.map(readList),
    type: values.organisation ? 'organisation' : 'person',
    names,
    born: values.born ?? null,
    countries: values.country.map((code) => code.toUpperCase()),
    taxId: values['tax-id'] === undefined ? null : identifierValue(values['tax-id']),
    threshold,
    withOfacScore: values['ofac-score'],
    asJson: values.json,
  };
}

function readList(text: string): Order['lists'][number] {
  const [format = '', main = '', ...more] = text.split(/[=,]/);
  if (!(format in FORMATS)) misused(`--list has no format "${format}": there are ${Object.keys(FORMATS).join(', ')}`);
  if (main === '' || more.length % 2 !== 0) misused(`--list takes FORMAT=FILE, and other files as ,ROLE=FILE: ${text}`);
  return {
    format: format as FormatName,
    files: {
      main,
      ...Object.fromEntries(more.flatMap((role, index) => (index % 2 === 0 ? [[role, more[index + 1]!]] : []))),
    },
  };
}

async function indexOf({ lists, type }: Order): Promise<NameSearch> {
  const builder = new NameIndexBuilder(type);
  for (const [
    number,
    {
      format,
      files: { main, ...others },
    },
  ] of lists.entries()) {
    const begun = performance.now();
    assertComplete(format, ['main', ...Object.keys(others)]);
    const facts: SourceFacts = {};
    let count = 0;
    const open = async (file: string): Promise<Bytes> => {
      if (!(await stat(file).catch(() => null))?.isFile()) throw new SourceFileError(`there is no file ${file}`);
      return uncompressed(file);
    };
    const more = Object.fromEntries(
      await Promise.all(Object.entries(others).map(async ([role, file]) => [role, await open(file)] as const)),
    );
    for await (const entity of FORMATS[format].read(await open(main!), facts, more)) {
      count++;
      builder.add(entity, number);
      if (count % 50_000 === 0) console.error(`${main}: ${count} entities …`);
    }
    console.error(
      `${main}: ${count} entities${facts.publishedAt === undefined ? '' : `, published ${facts.publishedAt}`}, ` +
        `read in ${Math.round(performance.now() - begun)} ms`,
    );
  }
  return new NameSearch(builder.build());
}

/** Category of a list whose format does not state the category of each entity. */
const categoryOf = (format: FormatName): ListCategory =>
  Object.values(WATCH_LISTS).find(({ formats }) => formats.some((one) => one === format))?.category ??
  watchListOf(OWN_LIST).category;

/**
 * Returns the OFAC score of an entity: OFAC's tool compares names as entered and shows the best name of each entity.
 */
const ofacScoreOf = (names: readonly string[], { entity }: Found): number =>
  Math.max(...names.flatMap((name) => entity.names.map((listed) => ofacScore(name, asOfacWrites(listed.name)))));

function told({ entity, judgement, score }: Found, list: string, ofac: number | null): string {
  const reasons = featuresOf(judgement).map(
    ({ reason, query, candidate, contribution }) =>
      `        ${contribution < 0 ? '−' : '+'}${Math.abs(contribution).toFixed(3)}  ${reason}: ` +
      [query, candidate].filter((text) => text !== '').join(' ~ '),
  );
  const where = [`${list} ${entity.key}`, ...entity.programmes].join(', ');
  return [
    `${score.toFixed(3)}${ofac === null ? '' : `  OFAC ${ofac}`}  ${judgement.listedName.name}  (${where})`,
    ...reasons,
  ].join('\n');
}

async function main(order: Order): Promise<number> {
  try {
    const search = await indexOf(order);
    const begun = performance.now();
    const { type, names, born, countries, taxId, threshold, withOfacScore, lists } = order;
    const rules = lists.map(({ format }) => ({
      needsConfirmation: NEEDS_CONFIRMATION.has(format),
      dobToleranceYears: 0,
    }));
    const counting = {
      categories: lists.map(({ format }) => categoryOf(format)),
      alert: {
        sanction: threshold,
        pep: threshold,
        rca: threshold,
        adverse: threshold,
        watchlist: threshold,
        disqualified: threshold,
      },
      inOfficeOn: null,
    };
    const found = search.search(
      {
        type,
        names,
        birthDate: born,
        gender: null,
        countries,
        taxId,
        identifiers: [],
      },
      { threshold, rules, counting },
    );
    const took = performance.now() - begun;
    if (order.asJson)
      console.log(
        JSON.stringify(
          found.map((hit) => ({
            score: hit.score,
            ...(withOfacScore ? { ofacScore: ofacScoreOf(names, hit) } : {}),
            list: lists[hit.list]!.format,
            entity: hit.entity,
            features: featuresOf(hit.judgement),
          })),
          null,
          2,
        ),
      );
    else
      for (const hit of found)
        console.log(told(hit, lists[hit.list]!.format, withOfacScore ? ofacScoreOf(names, hit) : null));
    console.error(`${found.length} hits in ${took.toFixed(1)} ms`);
    return found.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SourceFileError)) throw error;
    console.error(error.message);
    return 3;
  }
}

const order = readOrder(process.argv.slice(2));
if (order === null) console.log(HELP);
else process.exitCode = await main(order);
