import { createHash } from 'node:crypto';
import type pg from 'pg';
import { roles } from './roles.ts';
import { tables } from './table.ts';

const WRITING_ROLES = ['app', 'platform'] as const;

/** The columns that the roles may insert and update, of every table, as statements that take back every other right to write. */
function statementsOf(): string[] {
  // Modules may be loaded in any order.
  return tables.toSorted((one, other) => (one.name < other.name ? -1 : 1)).flatMap((table) => WRITING_ROLES.flatMap((role) => {
    const { insert, update } = table.writable(role);
    return [
      `REVOKE INSERT, UPDATE ON ${table.name} FROM ${roles[role]}`,
      ...Object.entries({ INSERT: insert, UPDATE: update }).filter(([, columns]) => columns.length > 0)
        .map(([right, columns]) => `GRANT ${right} (${columns.join(', ')}) ON ${table.name} TO ${roles[role]}`),
    ];
  }));
}

/** Which rights a database has is written where only its owner writes. */
const MARK = 'rights ';
const READ_MARK = `SELECT obj_description('schema_migration'::regclass) AS mark`;

function markOf(statements: readonly string[]): string {
  return MARK + createHash('sha256').update(statements.join('\n')).digest('hex');
}

/** Whether the database gives other rights than the tables declare, as after a change of a declaration that no migration goes with. */
export async function areRightsBehind(client: pg.Client): Promise<boolean> {
  const { rows: [found] } = await client.query<{ mark: string | null }>(READ_MARK);
  return found?.mark !== markOf(statementsOf());
}

/**
 * Gives the roles of the service the rights that the tables declare, and no others, whatever migrations have granted. A table that nothing declares
 * is refused: nobody would have said what may be written of it, and what it owes to whoever it is about.
 */
export async function applyRights(client: pg.Client): Promise<void> {
  const declared = tables.map(({ name }) => name);
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname NOT LIKE 'schema_migration%'
      AND relname <> ALL ($1)`, [declared]);
  if (rows.length > 0) throw new Error(`No definition (server/database/table.ts) is loaded for ${rows.map(({ name }) => name).join(', ')}`);
  const statements = statementsOf();
  await client.query(['BEGIN', ...statements, `COMMENT ON TABLE schema_migration IS '${markOf(statements)}'`, 'COMMIT'].join(';\n'));
}
