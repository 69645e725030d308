/** Type of a migration. Used by the migrations and by migrate.ts. */
import type { Knex } from 'knex';
import type { Log } from '../base/log.ts';
import type { DatabaseLogin } from './database-login.ts';

/** For packages that bring migrations of their own and open their own connections. */
export interface MigrationTools {
  readonly owner: DatabaseLogin;
  readonly log: Log;
}

export interface Migration {
  readonly name: string;
  readonly up: (knex: Knex, tools: MigrationTools) => Promise<void>;
}
