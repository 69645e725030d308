import { inflated } from '../inflated.ts';
import { corrupt } from '../refusal.ts';
import { consume, unpack, type Budget } from './budget.ts';
import { PdfReader, type Sink } from './reader.ts';
import { isKind, nameOf, type PdfDictionary, type PdfValue } from './values.ts';

const MAX_OBJECTS = 200_000;

/**
 * Whether the dictionary is that of an object stream (ISO 32000-1 §7.5.7). Goes by the two members that viewers need and
 * not by `Type`, which may hide behind a reference.
 */
export function isObjectStream({ entries }: PdfDictionary): boolean {
  return entries.has('N') && entries.has('First');
}

/**
 * Reads the objects inside. `rest` is the file from the first byte of the data: the data itself knows where it ends. What could
 * be understood in two ways, so that a viewer finds other objects than are found here, is refused.
 */
export function readObjectStream(dictionary: PdfDictionary, rest: Buffer, budget: Budget, sink: Sink): { number: number; value: PdfValue }[] {
  const [count, first] = [integer(dictionary.entries.get('N')), integer(dictionary.entries.get('First'))];
  if (count === null || first === null || dictionary.ambiguous) throw corrupt('An object stream of the PDF cannot be read in one way only.');
  if (count > MAX_OBJECTS) throw corrupt('An object stream of the PDF is too large.');
  const data = decode(dictionary, rest, budget);
  const header = new PdfReader(data, 0, budget, sink);
  const objects: { number: number; value: PdfValue }[] = [];
  for (let i = 0; i < count; i++) {
    const [number, offset] = [integer(header.read()), integer(header.read())];
    if (number === null || offset === null) throw corrupt('An object stream of the PDF has fewer objects than it says.');
    objects.push({ number, value: new PdfReader(data, first + offset, budget, sink).read() });
  }
  return objects;
}

/** Every writer of object streams deflates them. Without that, where their data begins would be open to interpretation. */
function decode({ entries }: PdfDictionary, rest: Buffer, budget: Budget): Buffer {
  const filter = entries.get('Filter');
  const filters = isKind(filter, 'array') ? filter.items.map(nameOf) : [nameOf(filter)];
  const deflated = filters.length === 1 && (filters[0] === 'FlateDecode' || filters[0] === 'Fl');
  if (!deflated || entries.has('DP') || predicts(entries.get('DecodeParms'))) throw corrupt('An object stream of the PDF has an encoding that cannot be inspected.');
  const data = inflated(rest, budget.unpackable);
  if (typeof data === 'string') throw corrupt('An object stream of the PDF cannot be unpacked, or is too large.');
  consume(budget, data.consumed);
  unpack(budget, data.bytes.length);
  return data.bytes;
}

/** Predictors are made for tables of numbers: no writer of object streams uses one, and names could hide behind it. */
function predicts(parameters: PdfValue | undefined): boolean {
  if (parameters === undefined || (isKind(parameters, 'keyword') && parameters.text === 'null')) return false;
  if (isKind(parameters, 'array')) return parameters.items.some(predicts);
  return !isKind(parameters, 'dictionary') || parameters.ambiguous || (parameters.entries.has('Predictor') && parameters.entries.get('Predictor') !== 1);
}

function integer(value: PdfValue | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}
