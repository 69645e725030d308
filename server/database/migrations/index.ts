/**
 * The list of migrations: the schema, then every numbered file of this folder in order. Read by migrate.ts and by
 * tests. A released file is never edited or renamed, because databases have recorded it by its name.
 */
import { readdirSync } from 'node:fs';
import type { Migration } from '../migration.ts';
import { createSchema } from '../schema/index.ts';

/** The first migration, which creates the schema of a new database. Every migrated database has recorded it. */
export const SCHEMA = '0000-schema';

const names = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-[a-z-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

/**
 * The schema, and then every file here whose name begins with a number, in the order of the numbers, forward only. Each
 * exports the one function that migrates. A released migration is never edited or renamed: a new one follows it.
 */
export const migrations: readonly Migration[] = [
  { name: SCHEMA, up: createSchema },
  ...(await Promise.all(
    names.map(async (name) => {
      const [up, ...others] = Object.values(
        (await import(new URL(`${name}.ts`, import.meta.url).href)) as Record<string, Migration['up']>,
      );
      if (up === undefined || others.length > 0)
        throw new Error(`server/database/migrations/${name}.ts must export one function, which migrates`);
      return { name, up };
    }),
  )),
];
