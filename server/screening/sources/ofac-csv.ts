/**
 * Reads OFAC's lists as CSV. Used by the list of formats (index.ts). Aliases are in a second file, without which people
 * are not found.
 */
import type { EntityType, ListedEntity } from '../listed-entity.ts';
import { csvRows } from './csv-rows.ts';
import { namesOf, type RawName } from './listed-names.ts';
import { remarksOf } from './ofac-remarks.ts';
import { type Bytes, inFile, NOTHING_KNOWN, SourceFileError, type SourceReader } from './source-file.ts';

const NULL = '-0-';
const CSV = { encoding: 'windows-1252', delimiter: ',' } as const;
const TYPES: Readonly<Record<string, EntityType>> = {
  individual: 'person',
  vessel: 'vessel',
  aircraft: 'aircraft',
  [NULL]: 'organisation',
  '': 'organisation',
};

/**
 * Reads OFAC's Specially Designated Nationals and consolidated list as CSV: twelve columns without a header, in
 * Windows-1252. Aliases and the overflow of remarks are separate files (`alt`, `comments`), joined by the number of the
 * entity.
 */
export const readOfacCsv: SourceReader = async function* (file, facts, others) {
  const aliases = await inFile('alt', aliasesOf(others['alt']));
  const comments = await inFile('comments', commentsOf(others['comments']));
  let count = 0;
  for await (const { line, get } of csvRows(file, { ...CSV, columns: 12 })) {
    count++;
    const key = get(0);
    const type = TYPES[get(2).toLowerCase()];
    if (!/^\d+$/.test(key) || type === undefined) throw new SourceFileError(`line ${line} is no entity of this list`);
    const remarks = [valueOf(get(11)), ...(comments.get(key) ?? [])].filter((text) => text !== null).join(' ');
    const { quoted, ...known } = remarksOf(remarks);
    yield {
      ...NOTHING_KNOWN,
      key,
      type,
      category: 'sanction',
      ...known,
      names: namesOf(
        [
          [get(1), 'primary'] as const,
          ...(aliases.get(key) ?? []),
          ...quoted.map((name): RawName => [name, 'alias', 'weak']),
        ].map(([text, ...is]): RawName => [type === 'person' ? spokenOrder(text) : text, ...is]),
        { key, where: `line ${line}` },
        facts,
      ),
      programmes: (valueOf(get(3)) ?? '')
        .split(/\]\s*\[|;/)
        .map((programme) => programme.replace(/[[\]]/g, '').trim())
        .filter((programme) => programme !== ''),
      position: valueOf(get(4)) === null ? null : { title: get(4), from: null, to: null },
      remarks: remarks === '' ? null : remarks,
    } satisfies ListedEntity;
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};

const valueOf = (text: string): string | null => (text === NULL || text === '' ? null : text);

/** Converts `SURNAME, Given` of a person to the spoken order. */
export const spokenOrder = (name: string): string => {
  const comma = name.indexOf(', ');
  return comma < 0 ? name : `${name.slice(comma + 2)} ${name.slice(0, comma)}`;
};

async function aliasesOf(file: Bytes | undefined): Promise<Map<string, RawName[]>> {
  const aliases = new Map<string, RawName[]>();
  if (file === undefined) return aliases;
  for await (const { get } of csvRows(file, { ...CSV, columns: 5 })) {
    const all = aliases.get(get(0)) ?? [];
    all.push([get(3), get(2) === 'fka' ? 'former' : 'alias']);
    aliases.set(get(0), all);
  }
  return aliases;
}

async function commentsOf(file: Bytes | undefined): Promise<Map<string, string[]>> {
  const comments = new Map<string, string[]>();
  if (file === undefined) return comments;
  for await (const { get } of csvRows(file, { ...CSV, columns: 2 })) {
    const all = comments.get(get(0)) ?? [];
    all.push(get(1));
    comments.set(get(0), all);
  }
  return comments;
}
