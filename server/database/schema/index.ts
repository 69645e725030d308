/**
 * The first migration: the whole schema, area by area. Called by the list of migrations when a new database is created.
 * Each area must follow those that its tables refer to, or the migration fails.
 */
import type { Knex } from 'knex';
import type { MigrationTools } from '../migration.ts';
import { keepIdentity } from '../row-level-security.ts';
import { accounts } from './accounts.ts';
import { apiKeys } from './api-keys.ts';
import { applications } from './applications.ts';
import { audit } from './audit.ts';
import { decisions } from './decisions.ts';
import { directory } from './directory.ts';
import { documents } from './documents.ts';
import { evidence } from './evidence.ts';
import { functions } from './functions.ts';
import { idempotency } from './idempotency.ts';
import { mail } from './mail.ts';
import { members } from './members.ts';
import { monitoring } from './monitoring.ts';
import { recoveries } from './recoveries.ts';
import { recoveryFeed } from './recovery-feed.ts';
import { retention } from './retention.ts';
import { screenings } from './screenings.ts';
import { sessions } from './sessions.ts';
import { subjectKeys } from './subject-keys.ts';
import { tasks } from './tasks.ts';
import { tenants } from './tenants.ts';
import { watchLists } from './watch-lists.ts';

/** The areas of the schema, each after those to which its tables refer. */
const AREAS: readonly ((knex: Knex, tools: MigrationTools) => Promise<void>)[] = [
  functions,
  accounts,
  tenants,
  members,
  sessions,
  apiKeys,
  idempotency,
  audit,
  mail,
  tasks,
  applications,
  subjectKeys,
  documents,
  evidence,
  decisions,
  watchLists,
  screenings,
  monitoring,
  retention,
  recoveryFeed,
  recoveries,
  directory,
];

/**
 * Creates the schema of a new database: all tables as they are now, with their constraints, indexes, policies and
 * triggers. Once a version is released, the schema is not edited any more; migrations follow it.
 */
export async function createSchema(knex: Knex, tools: MigrationTools): Promise<void> {
  for (const create of AREAS) await create(knex, tools);
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND relname NOT LIKE 'schema_migration%'`,
  );
  // An enrolment of a second factor that nobody confirmed is begun anew in its row.
  for (const { name } of rows) await keepIdentity(knex, name, { except: name === 'user_totp' ? ['created_at'] : [] });
}
