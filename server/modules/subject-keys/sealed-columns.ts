/**
 * Seals and opens the texts of a row that its table declares as sealed. Called, through the index, by stores of modules
 * with personal data. Opening throws if the text was moved to another row or changed.
 */
import type { KeyObject } from 'node:crypto';
import type { Columns, Table } from '../../database/index.ts';
import { openText, sealText } from './subject-keys.ts';

type Change = (context: string, text: string) => string;

interface Identified {
  readonly id: string;
}

/**
 * Applies a change to the texts that the table declares as sealed. Each text is bound to its context: table, column and
 * row.
 */
function withSealed<C extends Columns, R extends Identified>(
  { columns, duties, name }: Table<C>,
  row: R,
  change: Change,
): R {
  const changed: Record<string, unknown> = {};
  for (const [member, { traits }] of Object.entries(columns)) {
    const { sealed } = traits;
    const value = (row as Readonly<Record<string, unknown>>)[member];
    const context = `${duties.sealedAs ?? name} ${member}`;
    if (sealed === true && typeof value === 'string') changed[member] = change(`${context} ${row.id}`, value);
    else if (sealed !== null && sealed !== true && Array.isArray(value)) {
      changed[member] = value.map((item: Readonly<Record<string, string>>, at) => ({
        ...item,
        [sealed.each]: change(`${context} ${at} ${row.id}`, item[sealed.each] ?? ''),
      }));
    }
  }
  return { ...row, ...changed };
}

/** Seals a row, or some members of one. */
export function sealedRow<C extends Columns, R extends Identified>(table: Table<C>, row: R, key: KeyObject): R {
  return withSealed(table, row, (context, text) => sealText(key, context, text));
}

/** Opens a row, or some members of one. Rows from before there were keys are not sealed and are returned unchanged. */
export function openedRow<C extends Columns, R extends Identified>(table: Table<C>, row: R, key: KeyObject | null): R {
  return withSealed(table, row, (context, text) => openText(key, context, text));
}
