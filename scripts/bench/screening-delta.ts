/**
 * What it costs to find whom a new version of a list concerns, among monitored subjects: an index of all of them is
 * searched for each entry that has changed. On half of the days on which OFAC changed its list between 2021 and 2024 it
 * changed 9 entries or fewer in what names are compared with, and on the busiest day 561. Used by main.ts.
 */
import { NameIndexBuilder } from '../../server/screening/engine/name-index.ts';
import { NameSearch } from '../../server/screening/engine/search.ts';
import { asListed } from '../../server/screening/engine/subject.ts';
import { amount, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { entity, nameMaker } from './screening-speed.ts';

const LISTED = 20_000;
const DAYS = [
  { title: 'a usual day', entries: 9, goal: '≤ 5' },
  { title: 'the busiest day', entries: 561, goal: '≤ 60' },
] as const;
/** The shipped threshold of sanctions on persons. */
const THRESHOLD = 0.82;

export async function measureScreeningDelta({ extent, say }: Laboratory): Promise<Section[]> {
  const subjects = extent.validations * 100;
  say(`screening: ${subjects.toLocaleString('en')} monitored subjects …`);
  const { name, random } = nameMaker(20_261_124);
  const [lists, monitored] = [new NameIndexBuilder('person'), new NameIndexBuilder('person')];
  const entries = Array.from({ length: LISTED }, (_, key) =>
    entity(key, Array.from({ length: 1 + Number(random(10) < 6) }, name)),
  );
  for (const entry of entries) lists.add(entry, 0);
  const listed = new NameSearch(lists.build());
  let begun = performance.now();
  for (let key = 0; key < subjects; key++) {
    const [year, month, day] = [1940 + random(65), 1 + random(12), 1 + random(28)];
    const birthDate = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    monitored.add(
      asListed(String(key), {
        type: 'person',
        names: [name()],
        birthDate,
        gender: null,
        countries: ['BR'],
        taxId: String(10_000_000_000 + key),
        identifiers: [],
      }),
      0,
    );
  }
  const index = monitored.build();
  const rows: Row[] = [
    ['index of the subjects built', amount((performance.now() - begun) / 1000, 's')],
    ['its size', amount(index.byteLength / 1e6, 'MB')],
  ];
  const search = new NameSearch(index);
  for (const { title, entries: changed, goal } of DAYS) {
    begun = performance.now();
    const found = new Set(
      entries.slice(0, changed).flatMap((entry) => [...search.subjectsLike(entry, 'person', THRESHOLD, listed)]),
    );
    rows.push(
      [`${changed} changed entries, ${title}`, amount((performance.now() - begun) / 1000, 's'), goal],
      [`… subjects to be screened again`, amount(found.size, '')],
    );
  }
  return [
    {
      raw: null,
      title: `Monitoring: whom changed entries concern, of ${subjects.toLocaleString('en')} subjects`,
      rows,
    },
  ];
}
