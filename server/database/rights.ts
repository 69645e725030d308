/**
 * Derives the rights of the database roles from the table definitions, and grants them. Called by migrate.ts. A right
 * that is missing here makes a statement fail at run time; one too many weakens the protection of the log.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { roles } from './roles.ts';
import { tables } from './table.ts';

const WRITING_ROLES = ['app', 'platform'] as const;

/**
 * Returns the statements that grant the roles the columns that they may insert and update of every table, and revoke
 * every other right to write.
 */
function statementsOf(): string[] {
  // The tables are sorted, because modules may be loaded in any order.
  return tables
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((table) =>
      WRITING_ROLES.flatMap((role) => {
        const { insert, update } = table.writable(role);
        return [
          `REVOKE INSERT, UPDATE ON ${table.name} FROM ${roles[role]}`,
          ...Object.entries({ INSERT: insert, UPDATE: update })
            .filter(([, columns]) => columns.length > 0)
            .map(([right, columns]) => `GRANT ${right} (${columns.join(', ')}) ON ${table.name} TO ${roles[role]}`),
        ];
      }),
    );
}

/** Prefix of the comment that records the rights of a database. It is on a table to which only the owner writes. */
const MARK = 'rights ';
const READ_MARK = `SELECT obj_description('schema_migration'::regclass) AS mark`;

function markOf(statements: readonly string[]): string {
  return MARK + createHash('sha256').update(statements.join('\n')).digest('hex');
}

/**
 * Tells whether the rights in the database differ from those that the tables declare, for example after a change of a
 * declaration without a migration.
 */
export async function areRightsBehind(client: pg.Client): Promise<boolean> {
  const {
    rows: [found],
  } = await client.query<{ mark: string | null }>(READ_MARK);
  return found?.mark !== markOf(statementsOf());
}

/**
 * Grants the roles of the service exactly the rights that the tables declare, whatever migrations have granted. Refuses
 * a table without a declaration, because neither the rights to write it nor its duties towards the persons in it would
 * be defined.
 */
export async function applyRights(client: pg.Client): Promise<void> {
  const declared = tables.map(({ name }) => name);
  const { rows } = await client.query<{ name: string }>(
    `
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND relname NOT LIKE 'schema_migration%'
      AND relname <> ALL ($1)`,
    [declared],
  );
  if (rows.length > 0)
    throw new Error(
      `No definition (server/database/table.ts) is loaded for ${rows.map(({ name }) => name).join(', ')}`,
    );
  const statements = statementsOf();
  await client.query(
    ['BEGIN', ...statements, `COMMENT ON TABLE schema_migration IS '${markOf(statements)}'`, 'COMMIT'].join(';\n'),
  );
}
