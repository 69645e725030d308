/**
 * Measures the reader of documents on pages that are drawn, and on the specimens that lie beside the project: how many
 * zones are read exactly, how many would be relied on and how many of those are wrong, what is found in the printed
 * text, and what it costs. Used by main.ts. It measures nothing without the packages of the reader.
 *
 * Run on its own, it prints each specimen that differs: `npx node scripts/bench/document-reading.ts [PART_OF_NAME]`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgePictures } from '../../server/verification/pictures.ts';
import { loadModels, type Models } from '../../server/verification/reader/models.ts';
import { type PictureContent, readPicture } from '../../server/verification/reader/read-picture.ts';
import { areModelsIn } from '../../server/verification/reader/readers.ts';
import { printedCard, printedPage } from '../../test/support/printed-page.ts';
import { amount, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

const SPECIMENS = new URL('../../../shared/data/documents/', import.meta.url);
const MODELS = fileURLToPath(new URL('../../build/verification', import.meta.url));
const TODAY = '2026-11-20';
const NOBODY = { fullName: 'Nobody', dateOfBirth: null, cpf: null };

interface Specimen {
  readonly file: string;
  readonly kind: string;
  readonly expected_mrz?: readonly string[];
  /** Fields of a synthetic card, as printed. */
  readonly expected_fields?: Readonly<Record<'nome' | 'cpf' | 'nasc' | 'val' | 'reg', string>>;
}

interface Read {
  readonly specimen: Specimen;
  readonly content: PictureContent;
  readonly milliseconds: number;
}

async function readAll(models: Models, part: string): Promise<Read[]> {
  const { items } = JSON.parse(readFileSync(new URL('manifest.json', SPECIMENS), 'utf8')) as { items: Specimen[] };
  const read: Read[] = [];
  for (const specimen of items.filter(({ file }) => file.includes(part) && !file.endsWith('.pdf'))) {
    const bytes = readFileSync(new URL(specimen.file, SPECIMENS));
    const before = process.cpuUsage();
    const { content } = await readPicture(models, { bytes, page: null }, TODAY);
    const { user, system } = process.cpuUsage(before);
    read.push({ specimen, content, milliseconds: (user + system) / 1_000 });
  }
  return read;
}

const isExact = ({ specimen, content }: Read): boolean =>
  content.zone !== null && content.zone.lines.join('\n') === specimen.expected_mrz?.join('\n');

function zoneRows(read: readonly Read[]): Row[] {
  const zones = read.filter(({ specimen }) => specimen.expected_mrz !== undefined);
  const others = read.filter(({ specimen }) => specimen.expected_mrz === undefined);
  const relied = zones.filter(({ content }) => content.isZoneReliable);
  const count = (some: readonly Read[]) => amount(some.length, `of ${zones.length}`);
  const printed = zones.filter(({ content }) => {
    const { checks } = judgePictures([content], { typed: null, person: NOBODY, today: TODAY });
    return checks.some(({ code, outcome }) => code === 'mrz_vs_visual' && outcome === 'pass');
  });
  return [
    ['zones read exactly', count(zones.filter(isExact)), '≥ 34'],
    ['zones relied on', count(relied), '≥ 28'],
    ['zones relied on, but wrong', count(relied.filter((one) => !isExact(one))), '≤ 0'],
    ['zones whose number, birth date and name the print shows as well', count(printed)],
    [
      'zones relied on where there is none',
      amount(others.filter(({ content }) => content.isZoneReliable).length, `of ${others.length}`),
      '≤ 0',
    ],
  ];
}

const digits = (text: string): string => text.replaceAll(/\D/g, '');
const letters = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase();
const iso = (date: string): string => date.split('/').toReversed().join('-');

function cardRows(read: readonly Read[]): Row[] {
  const cards = read.flatMap(({ specimen: { expected_fields: expected }, content }) => {
    if (expected === undefined) return [];
    const { fields } = judgePictures([content], { typed: null, person: NOBODY, today: TODAY });
    return [{ expected, fields }];
  });
  const count = (test: (card: (typeof cards)[number]) => boolean) =>
    amount(cards.filter(test).length, `of ${cards.length}`);
  return [
    [
      'synthetic cards whose CPF is found',
      count(({ expected, fields }) => fields.taxId?.value === digits(expected.cpf)),
    ],
    [
      '… or wrong',
      count(({ expected, fields }) => fields.taxId !== undefined && fields.taxId.value !== digits(expected.cpf)),
      '≤ 0',
    ],
    [
      '… whose name is found',
      count(({ expected, fields }) => letters(fields.fullName?.value ?? '') === letters(expected.nome)),
    ],
    ['… whose birth date is found', count(({ expected, fields }) => fields.dateOfBirth?.value === iso(expected.nasc))],
    ['… whose expiry date is found', count(({ expected, fields }) => fields.dateOfExpiry?.value === iso(expected.val))],
    [
      '… whose register number is found',
      count(({ expected, fields }) => fields.documentNumber?.value === expected.reg),
    ],
  ];
}

export async function measureDocumentReading({ extent, say }: Pick<Laboratory, 'extent' | 'say'>): Promise<Section[]> {
  if (!areModelsIn(MODELS)) return [];
  const before = process.cpuUsage();
  const models = await loadModels(MODELS);
  const { user, system } = process.cpuUsage(before);
  const [pages, cards] = extent.validations >= 10_000 ? [300, 500] : [30, 50];
  say(`documents: ${pages} pages and ${cards} cards that are drawn …`);
  const sections = [
    { title: 'Documents: reading of what is drawn', rows: await drawnRows(models, pages, cards), raw: {} },
  ];
  if (!existsSync(SPECIMENS)) return sections;
  say('documents: specimens …');
  return [...sections, sectionOf(await readAll(models, ''), (user + system) / 1_000)];
}

/** Reads pages with zones of eight pixels a character, and cards in five layouts, all drawn by seeds. */
async function drawnRows(models: Models, pages: number, cards: number): Promise<Row[]> {
  let [exact, relied, wrong, found, other] = [0, 0, 0, 0, 0];
  for (let seed = 1; seed <= pages; seed++) {
    const { bytes, lines } = printedPage(seed, { pitch: 8 });
    const { content } = await readPicture(models, { bytes, page: null }, TODAY);
    const { zone, isZoneReliable } = content;
    const isSame = zone?.lines.join() === lines.join();
    if (isSame) exact++;
    if (isZoneReliable) relied++;
    if (isZoneReliable && !isSame) wrong++;
  }
  for (let seed = 1; seed <= cards; seed++) {
    const { bytes, cpf } = printedCard(seed);
    const { content } = await readPicture(models, { bytes, page: null }, TODAY);
    const { fields } = judgePictures([content], { typed: null, person: NOBODY, today: TODAY });
    if (fields.taxId?.value === cpf) found++;
    else if (fields.taxId !== undefined) other++;
  }
  const share = (count: number, of: number) => amount((100 * count) / of, '%');
  return [
    [`zones of 8 pixels a character read exactly, of ${pages}`, share(exact, pages), '≥ 95 %'],
    ['… relied on', share(relied, pages)],
    ['… relied on, but wrong', amount(wrong, ''), '≤ 0'],
    [`cards whose CPF is found, of ${cards}`, share(found, cards), '≥ 98 %'],
    ['… or wrong', amount(other, ''), '≤ 0'],
  ];
}

function sectionOf(read: readonly Read[], loading: number): Section {
  const times = read.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
  const at = (share: number) => amount(times[Math.floor((times.length - 1) * share)] ?? Number.NaN, 'ms');
  return {
    title: 'Documents: reading of specimens',
    rows: [
      ...zoneRows(read),
      ...cardRows(read),
      ['processor time of a picture, median', at(0.5), '≤ 250 ms'],
      ['… of twenty, the slowest', at(0.95), '≤ 1000 ms'],
      ['processor time to load the models', amount(loading, 'ms'), '≤ 600 ms'],
      ['resident memory', amount(process.memoryUsage.rss() / 2 ** 20, 'MiB'), '≤ 450 MiB'],
    ],
    raw: { times },
  };
}

async function main(part: string): Promise<void> {
  const read = await readAll(await loadModels(MODELS), part);
  for (const one of read.filter(
    ({ specimen, content }) => specimen.expected_mrz !== undefined || content.isZoneReliable,
  )) {
    const { specimen, content } = one;
    if (isExact(one) && content.isZoneReliable) continue;
    const { lines = [], boxes: _, ...certainty } = content.zone ?? { boxes: [] };
    console.log(specimen.file, isExact(one) ? 'exact' : 'differs', {
      isReliedOn: content.isZoneReliable,
      ...certainty,
    });
    if (!isExact(one)) console.log([...(specimen.expected_mrz ?? []), '—', ...lines].join('\n'));
  }
  for (const [what, { text }, goal = ''] of sectionOf(read, 0).rows) console.log(`${what}: ${text} ${goal}`);
}

if (import.meta.main) await main(process.argv[2] ?? '');
