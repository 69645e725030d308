import { readdirSync } from 'node:fs';
import type { Knex } from 'knex';
import type { Log } from '../../base/log.ts';
import type { DatabaseLogin } from '../login.ts';

/** For packages that bring migrations of their own and open their own connections. */
export interface MigrationTools {
  readonly owner: DatabaseLogin;
  readonly log: Log;
}

export interface Migration {
  readonly name: string;
  readonly up: (knex: Knex, tools: MigrationTools) => Promise<void>;
}

const names = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-[a-z-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

/**
 * Every file here whose name begins with a number, in the order of the numbers, forward only. Each exports the one
 * function that migrates. A released migration is never edited or renamed: a new one follows it.
 */
export const migrations: readonly Migration[] = await Promise.all(
  names.map(async (name) => {
    const [up, ...others] = Object.values(
      (await import(new URL(`${name}.ts`, import.meta.url).href)) as Record<string, Migration['up']>,
    );
    if (up === undefined || others.length > 0)
      throw new Error(`server/database/migrations/${name}.ts must export one function, which migrates`);
    return { name, up };
  }),
);
