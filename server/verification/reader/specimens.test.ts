/**
 * Tests of reading pictures with the models, on specimens that lie beside the project in its development environment.
 * Where either is missing, the tests of the parts replace them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { judgePictures } from '../pictures.ts';
import { areModelsIn, Reader, type Reading } from './readers.ts';

const SPECIMENS = new URL('../../../../shared/data/documents/', import.meta.url);
const MODELS = fileURLToPath(new URL('../../../build/verification', import.meta.url));
const TODAY = '2026-11-20';
const manifest = existsSync(SPECIMENS)
  ? (JSON.parse(readFileSync(new URL('manifest.json', SPECIMENS), 'utf8')) as {
      items: { file: string; expected_mrz?: string[]; expected_fields?: { cpf: string } }[];
    })
  : { items: [] };
const reader = new Reader({ folder: MODELS, mostMebibytes: 900 });
afterAll(() => reader.close());
const read = (bytes: Buffer): Promise<Reading> => reader.read({ bytes, today: TODAY }, new AbortController().signal);
const specimen = (file: string): Buffer => readFileSync(new URL(file, SPECIMENS));

describe.skipIf(!areModelsIn(MODELS) || manifest.items.length === 0)('the reader, with its models', () => {
  const zones = manifest.items.filter(({ expected_mrz: lines }) => lines !== undefined);
  it.each(zones.filter((_, index) => index % 6 === 0))(
    'never relies on a wrong zone: $file',
    async ({ file, expected_mrz: lines }) => {
      const reading = await read(specimen(file));
      expect(reading).toHaveProperty('content');
      const { zone, isZoneReliable } = (reading as Extract<Reading, { content: object }>).content;
      expect(isZoneReliable ? zone?.lines : lines).toEqual(lines);
    },
    60_000,
  );

  it('relies on no zone of a picture that has none', async () => {
    for (const { file } of manifest.items.filter(({ file: name }) => name.startsWith('negative/')))
      expect(await read(specimen(file))).toMatchObject({ content: { isZoneReliable: false } });
  }, 60_000);

  it('finds the CPF of a synthetic card, and no other', async () => {
    const card = manifest.items.find(({ expected_fields: fields }) => fields !== undefined)!;
    const { content } = (await read(specimen(card.file))) as Extract<Reading, { content: object }>;
    const person = { fullName: 'Nobody', dateOfBirth: null, cpf: null };
    const { fields } = judgePictures([content], { typed: null, person, today: TODAY });
    expect(fields.taxId?.value).toBe(card.expected_fields!.cpf.replaceAll(/\D/g, ''));
  }, 60_000);

  it('says that it cannot decode what is no picture', async () => {
    expect(await read(Buffer.from('no picture'))).toEqual({ unreadable: true });
  }, 60_000);
});
