import { promisify } from 'node:util';
import { constants, inflate } from 'node:zlib';
import { corrupt } from '../refusal.ts';
import type { ObjectTable } from './object-table.ts';
import { unpack, type Budget } from './budget.ts';
import { PdfReader, type NameSink } from './reader.ts';
import { isKind, nameOf, type PdfDictionary, type PdfValue } from './values.ts';

const inflated = promisify(inflate);
const MAX_OBJECTS = 200_000;

/**
 * Whether the dictionary is that of an object stream (ISO 32000-1 §7.5.7). Goes by the two members that viewers need and
 * not by `Type`, which may hide behind a reference.
 */
export function isObjectStream({ entries }: PdfDictionary): boolean {
  return entries.has('N') && entries.has('First');
}

/** Reads the objects inside. `rest` is the file from the first byte of the data: the data itself knows where it ends. */
export async function readObjectStream(
  dictionary: PdfDictionary, rest: Buffer, table: ObjectTable, budget: Budget, onName: NameSink,
): Promise<{ number: number; value: PdfValue }[]> {
  const count = integer(table.resolve(dictionary.entries.get('N')));
  const first = integer(table.resolve(dictionary.entries.get('First')));
  if (count > MAX_OBJECTS) throw corrupt('An object stream of the PDF is too large.');
  const data = await decode(dictionary, rest, table, budget);
  const header = new PdfReader(data, 0, budget, onName);
  const objects: { number: number; value: PdfValue }[] = [];
  for (let i = 0; i < count; i++) {
    const [number, offset] = [header.read(), header.read()];
    if (typeof number !== 'number' || typeof offset !== 'number') break;
    objects.push({ number, value: new PdfReader(data, first + offset, budget, onName).read() });
  }
  return objects;
}

async function decode({ entries }: PdfDictionary, rest: Buffer, table: ObjectTable, budget: Budget): Promise<Buffer> {
  const filter = table.resolve(entries.get('Filter'));
  const filters = (isKind(filter, 'array') ? filter.items : filter === undefined ? [] : [filter]).map((item) => nameOf(table.resolve(item)));
  if (filters.length === 0) return rest;
  const flate = filters.length === 1 && (filters[0] === 'FlateDecode' || filters[0] === 'Fl');
  if (!flate || hasPredictor(entries.get('DecodeParms'), table)) throw corrupt('An object stream of the PDF has an encoding that cannot be inspected.');
  const data = await inflated(rest, { maxOutputLength: budget.unpackable, finishFlush: constants.Z_SYNC_FLUSH }).catch(() => {
    throw corrupt('An object stream of the PDF cannot be unpacked.');
  });
  unpack(budget, data.length);
  return data;
}

/** Predictors are made for tables of numbers: no writer of object streams uses one, and names could hide behind it. */
function hasPredictor(parameters: PdfValue | undefined, table: ObjectTable): boolean {
  const found = table.resolve(parameters);
  return (isKind(found, 'array') ? found.items : [found])
    .some((item) => integer(table.resolve(table.dictionary(item)?.entries.get('Predictor'))) > 1);
}

function integer(value: PdfValue | undefined): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;
}
