/**
 * Tests of reading pictures with the models, which `make verification` installs: on pages and cards that are drawn by a
 * seed, and on specimens that lie beside the project in its development environment. The soak reads all of them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { printedCard, printedLines, printedPage } from '../../../test/support/printed-page.ts';
import { pdf, stream } from '../../../test/support/specimens/pdf.ts';
import { conclude } from '../check.ts';
import { REQUIRED_CHECKS, type StatedPerson } from '../document.ts';
import { judgePictures } from '../pictures.ts';
import { judgeProofOfAddress, REQUIRED_OF_ADDRESS } from '../proof-of-address.ts';
import type { PictureContent } from './read-picture.ts';
import { areModelsIn, Reader, type Reading } from './readers.ts';

const SPECIMENS = new URL('../../../../shared/data/documents/', import.meta.url);
const MODELS = fileURLToPath(new URL('../../../build/verification', import.meta.url));
const TODAY = '2026-11-20';
const manifest = existsSync(SPECIMENS)
  ? (JSON.parse(readFileSync(new URL('manifest.json', SPECIMENS), 'utf8')) as {
      items: { file: string; expected_mrz?: string[]; expected_fields?: { cpf: string } }[];
    })
  : { items: [] };
const isSoak = process.env['SOAK'] === 'true';
/** Other tests may keep the processors busy meanwhile. */
const LIMIT = 60_000;
const reader = new Reader({ folder: MODELS, limitMilliseconds: LIMIT });
afterAll(() => reader.close());
const read = (bytes: Buffer, page: number | null = null): Promise<Reading> =>
  reader.read({ bytes, page, today: TODAY }, new AbortController().signal);
async function contentOf(bytes: Buffer): Promise<PictureContent> {
  const reading = await read(bytes);
  if (!('content' in reading)) throw new Error(JSON.stringify(reading));
  return reading.content;
}
const NOBODY: StatedPerson = { fullName: 'Nobody', dateOfBirth: null, cpf: null };
/** Returns a PDF of two pages that show a grey picture (PNG) as wide as the page. */
function scanned(bytes: Buffer): Buffer {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const data = bytes.indexOf('IDAT');
  const size = `/Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray`;
  const filter = `/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns ${width} >>`;
  const picture = bytes.subarray(data + 4, data + 4 + bytes.readUInt32BE(data - 4));
  return pdf({
    pages: 2,
    page: '/Resources << /XObject << /Scan 100 0 R >> >> /Contents 101 0 R',
    objects: [
      stream(`/Type /XObject /Subtype /Image ${size} ${filter}`, picture),
      stream('', Buffer.from(`595 0 0 ${Math.round((595 * height) / width)} 0 200 cm /Scan Do`)),
    ],
  });
}
/** A distortion that leaves a page easy to read. */
const CLEAR = {
  pitch: 18,
  degrees: 1,
  noise: 4,
  blur: 1,
};
const seeds = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
/** Returns every element in the soak, and every so manieth otherwise. */
const some = <T>(all: readonly T[], step: number): T[] => all.filter((_, index) => isSoak || index % step === 0);
const specimen = (file: string): Buffer => readFileSync(new URL(file, SPECIMENS));

describe('the reader, on pages that are drawn', () => {
  it('has its models', () => {
    expect(areModelsIn(MODELS)).toBe(true);
  });

  it(
    'reads nineteen of twenty zones exactly at eight pixels a character, and relies on no wrong one',
    async () => {
      let [exact, reliedOn] = [0, 0];
      const drawn = seeds(isSoak ? 300 : 30);
      for (const seed of drawn) {
        const { bytes, lines } = printedPage(seed, { pitch: 8 });
        const { zone, isZoneReliable } = await contentOf(bytes);
        if (isZoneReliable) reliedOn++;
        if (zone?.lines.join() === lines.join()) exact++;
        else expect(isZoneReliable, `seed ${seed}: ${zone?.lines.join(' ')}`).toBe(false);
      }
      console.log(`zones of drawn pages: ${exact} of ${drawn.length} read exactly, ${reliedOn} relied on`);
      expect(exact / drawn.length).toBeGreaterThanOrEqual(0.95);
    },
    LIMIT * (isSoak ? 60 : 10),
  );

  it.each([
    {
      kind: 'a page whose zone it relies on',
      seed: 7,
      distortion: CLEAR,
      own: 'passed',
      others: 'failed',
    },
    {
      kind: 'a page that its format helped to read',
      seed: 1,
      distortion: { pitch: 8 },
      own: 'inconclusive',
      others: 'inconclusive',
    },
  ])(
    'says of $kind that it is $own for whom it names, and $others for somebody else',
    async ({ seed, distortion, own, others }) => {
      const { bytes, person } = printedPage(seed, distortion);
      const content = await contentOf(bytes);
      const statusFor = (fullName: string): string => {
        const { checks } = judgePictures([content], {
          typed: null,
          person: { fullName, dateOfBirth: person.dateOfBirth, cpf: null },
          today: TODAY,
        });
        return conclude(checks, ['image_quality', 'document_type_supported', ...REQUIRED_CHECKS]);
      };
      expect(statusFor(`${person.firstNames} ${person.lastName}`)).toBe(own);
      expect(statusFor('Olga Berg')).toBe(others);
    },
    10 * LIMIT,
  );

  it.each(some([90, 180, 270], 2))(
    'reads a page that was photographed turned by %i degrees',
    async (degrees) => {
      const { bytes, lines } = printedPage(3, { ...CLEAR, degrees });
      expect((await contentOf(bytes)).zone?.lines).toEqual(lines);
    },
    10 * LIMIT,
  );

  it(
    'reads a page that was scanned into a PDF, and says how many pages there are',
    async () => {
      const { bytes, lines } = printedPage(7, CLEAR);
      const reading = await read(scanned(bytes), 2);
      expect(reading).toMatchObject({ content: { zone: { lines } }, pages: 2 });
    },
    10 * LIMIT,
  );

  it(
    'finds the CPF of most cards in five layouts, and no wrong one',
    async () => {
      let found = 0;
      const drawn = seeds(isSoak ? 10 : 2);
      for (const seed of drawn) {
        const { bytes, cpf } = printedCard(seed);
        const { fields } = judgePictures([await contentOf(bytes)], { typed: null, person: NOBODY, today: TODAY });
        if (fields.taxId !== undefined) expect(fields.taxId.value).toBe(cpf);
        if (fields.taxId?.value === cpf) found++;
      }
      expect(found / drawn.length).toBeGreaterThan(0.5);
    },
    10 * LIMIT,
  );

  it(
    'finds name, address and date of issue on a bill',
    async () => {
      const lines = ['CIA DE LUZ', 'MARIA DA SILVA', 'RUA DAS FLORES 123', 'CEP 80010-000', 'EMISSAO 02 NOV 2026'];
      const holder = {
        fullName: 'Maria da Silva',
        address: { line1: 'Rua das Flores', number: '123', postalCode: '80010000' },
      };
      const checks = judgeProofOfAddress([await contentOf(printedLines(lines, 3, CLEAR))], holder, TODAY);
      expect(conclude(checks, REQUIRED_OF_ADDRESS)).toBe('passed');
    },
    10 * LIMIT,
  );

  it(
    'says that it cannot open what is no picture, no PDF, or not one of its pages',
    async () => {
      expect(await read(Buffer.from('no picture'))).toEqual({ unreadable: true });
      expect(await read(Buffer.from('no file of pages'), 1)).toEqual({ unreadable: true });
      expect(await read(pdf(), 2)).toEqual({ unreadable: true });
    },
    10 * LIMIT,
  );
});

describe.skipIf(manifest.items.length === 0)('the reader, on specimens', () => {
  const zones = manifest.items.filter(({ expected_mrz: lines }) => lines !== undefined);
  it(
    'reads most zones exactly, relies on most of those, and on no wrong one',
    async () => {
      const drawn = some(zones, 5);
      let [exact, reliedOn] = [0, 0];
      for (const { file, expected_mrz: lines } of drawn) {
        const { zone, isZoneReliable } = await contentOf(specimen(file));
        if (zone?.lines.join() === lines!.join()) exact++;
        else expect(isZoneReliable, `${file}: ${zone?.lines.join(' ')}`).toBe(false);
        if (isZoneReliable) reliedOn++;
      }
      console.log(`zones of specimens: ${exact} of ${drawn.length} read exactly, ${reliedOn} relied on`);
      expect(exact / drawn.length).toBeGreaterThanOrEqual(34 / 39);
      expect(reliedOn / drawn.length).toBeGreaterThanOrEqual(28 / 39);
    },
    20 * LIMIT,
  );

  it(
    'relies on no zone of a picture that has none',
    async () => {
      const negatives = manifest.items.filter(({ file: name }) => name.startsWith('negative/'));
      const others = some(negatives, 5);
      const relied: boolean[] = [];
      for (const { file } of others) relied.push((await contentOf(specimen(file))).isZoneReliable);
      expect(relied).toEqual(others.map(() => false));
    },
    10 * LIMIT,
  );

  it(
    'finds the CPF of a synthetic card, and no other',
    async () => {
      const card = manifest.items.find(({ expected_fields: fields }) => fields !== undefined)!;
      const content = await contentOf(specimen(card.file));
      const { fields } = judgePictures([content], { typed: null, person: NOBODY, today: TODAY });
      expect(fields.taxId?.value).toBe(card.expected_fields!.cpf.replaceAll(/\D/g, ''));
    },
    10 * LIMIT,
  );
});
