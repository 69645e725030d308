import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

type Table = Record<string, unknown>;

/**
 * Makes a loaded table equal to the generated one of another folder, in place, because modules hold on to the object. This
 * is sound as long as no module reads a table while it loads: tables.test.ts holds the service to that.
 */
export async function replaceTable(table: object, folder: string, name: 'operations' | 'problems'): Promise<void> {
  const generated = await import(pathToFileURL(join(folder, `${name}.ts`)).href) as Record<string, Table>;
  for (const key of Object.keys(table)) delete (table as Table)[key];
  Object.assign(table, generated[name]);
}
