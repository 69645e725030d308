/**
 * Draws explanations of scores for a reader who does not know the engine, to find those that are not understood alone.
 * The people, companies and ships are invented.
 */
import { featuresOf } from '../server/screening/engine/features.ts';
import { NameIndexBuilder } from '../server/screening/engine/name-index.ts';
import { type Found, NameSearch } from '../server/screening/engine/search.ts';
import type { Subject } from '../server/screening/engine/subject.ts';
import type { ListedEntity, ListedIdentifier } from '../server/screening/listed-entity.ts';
import { sentenceOf } from '../server/screening/sentences.ts';
import { NOTHING_KNOWN } from '../server/screening/sources/source-file.ts';
import { shuffled } from '../test/support/courses.ts';
import { randomOf } from '../test/support/random.ts';
import {
  abbreviated,
  called,
  HABITS,
  joined,
  oneOfTwoSurnames,
  reordered,
  romanized,
  split,
  withInitials,
  withLegalForm,
  withoutPatronymic,
} from './bench/screening-rewriting.ts';
import { misused, readOptions } from './options.ts';

const HELP = `Draw explanations of scores and print them as a person at a supervisor's office reads them.

The reader answers for each: why is the score what it is, and why is it not more?

Usage: npx node scripts/explanations.ts [options]
  --seed <number>   the seed of the draw (default: 1)
  --count <number>  how many explanations (default: 30)
  --pt              in Portuguese
  --help            this text

Exit status: 0 done, 2 wrong options.`;

const { values } = readOptions({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '30' },
    pt: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const PEOPLE = (
  'Yevgeniy Sergeyevich Zhukov, Heitor Ivan Carranza Montalvão, Mohammed Abd al-Rahman Karzoun, ' +
  'Aleksandr Shcherbakov, Clarice Falcoeira Quintanilha, Yuriy Petrenkov, ' +
  'Jose Eduardo Reis Sorocaba, Salah al-Din Dariq, Kim Jin Ho, 李明'
).split(', ');
const COMPANIES = [
  'Aurora Zetta Trading Limited Liability Company',
  'Padaria Encantada Industria e Comercio Ltda',
  'Ferramentas Zenith International Group',
  'Banco Estrela Dourada S.A.',
  'Fundo Jacaranda 5',
];
const SHIPS = ['Mar Azul', 'Estrela Quintanilha', 'Northern Zetta 2'];
const DATES = ['1961-04-02', '1967-02-17', '1958', '1972-11'];
/** A date as it may be given for another one: right, transposed, a digit off, another year, another day. */
const MISTAKEN = ['1961-04-02', '1961-02-04', '1967-02-18', '1967-12-17', '1958-07-30', '1972-11-05', '1980-01-09'];
const COUNTRIES = ['BR', 'PT', 'RU'];
const NUMBERS: readonly (ListedIdentifier & { readonly kind: 'imo' | 'bic' | 'passport' | 'tax_number' })[] = [
  { kind: 'imo', country: null, value: '9074729' },
  { kind: 'imo', country: null, value: '9321483' },
  { kind: 'bic', country: null, value: 'KDBKKPPY' },
  { kind: 'passport', country: 'BR', value: 'YA123456' },
  { kind: 'tax_number', country: 'BE', value: '0430033662' },
];

/** Rewritings of a name; null where one does not apply to it. */
const REWRITINGS: readonly ((name: string) => string | null)[] = [
  (name) => name,
  ...HABITS.map((habit) => (name: string) => romanized(name, habit)),
  abbreviated,
  called,
  joined,
  oneOfTwoSurnames,
  reordered,
  split,
  withInitials,
  withoutPatronymic,
  (name) => withLegalForm(name, 'left out'),
  (name) => withLegalForm(name, 'in full'),
  (name) => `${name.split(' ')[0]} Oliveira`,
  (name) => name.replace(/([a-z])[a-z]([a-z]+)$/, '$1$2'),
];

/** Draws hits with different scores. Subject and entity share a name, which is rewritten, and some other data. */
function draw(seed: number, count: number): { readonly subject: Subject; readonly found: Found }[] {
  const next = randomOf(seed);
  const random = (below: number): number => Math.floor(next() * below);
  const one = <T>(all: readonly T[]): T => all[random(all.length)]!;
  const few = <T>(all: readonly T[], most: number): T[] => shuffled(all, next).slice(0, random(most + 1));
  const drawn: { readonly subject: Subject; readonly found: Found }[] = [];
  while (drawn.length < count) {
    const isPerson = random(3) > 0;
    const all = isPerson ? PEOPLE : [...COMPANIES, ...SHIPS];
    const name = one(all);
    const written = one(REWRITINGS)(name);
    if (written === null) continue;
    const entity: ListedEntity = {
      ...NOTHING_KNOWN,
      key: name,
      type: isPerson ? 'person' : 'organisation',
      category: 'sanction',
      names: [{ name, kind: 'primary', quality: random(8) === 0 ? 'weak' : 'strong' }],
      birthDates: isPerson ? few(DATES, 1) : [],
      gender: isPerson ? 'male' : null,
      countries: few(COUNTRIES, 1),
      identifiers: few(NUMBERS, 1),
    };
    const subject: Subject = {
      type: isPerson ? 'person' : 'organisation',
      names: [written],
      birthDate: isPerson ? (few(MISTAKEN, 1)[0] ?? null) : null,
      gender: isPerson ? (few(['male', 'female'] as const, 1)[0] ?? null) : null,
      countries: few(COUNTRIES, 1),
      taxId: null,
      identifiers: few(NUMBERS, 1).map(({ kind, country, value }) => ({ kind, country, value })),
    };
    const builder = new NameIndexBuilder(subject.type);
    builder.add(entity, 0);
    const [found] = new NameSearch(builder.build()).search(subject, {
      threshold: 0.3,
      rules: [{ needsConfirmation: random(6) === 0, dobToleranceYears: 0 }],
    });
    if (found !== undefined) drawn.push({ subject, found });
  }
  return drawn;
}

if (values.help) {
  console.log(HELP);
} else {
  const [seed, count] = [Number(values.seed), Number(values.count)];
  if (!Number.isInteger(seed)) misused('--seed must be a whole number');
  if (!Number.isInteger(count) || count < 1) misused('--count must be a whole number above 0');
  const words = values.pt
    ? { screened: 'Consultado', listed: 'Na lista', score: 'Nota' }
    : { screened: 'Screened', listed: 'On the list', score: 'Score' };
  for (const [index, { subject, found }] of draw(seed, count).entries()) {
    console.log(`${index + 1}. ${words.screened}: ${subject.names[0]}`);
    console.log(`   ${words.listed}: ${found.judgement.listedName.name}`);
    for (const feature of featuresOf(found.judgement))
      console.log(`   - ${sentenceOf(feature)[values.pt ? 'pt' : 'en']}`);
    const score = found.score.toFixed(3);
    console.log(`   ${words.score}: ${values.pt ? score.replace('.', ',') : score}\n`);
  }
}
