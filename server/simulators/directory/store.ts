/**
 * Tables and statements of the simulated directory: the journal of commands, and the armed faults. Used by journal.ts
 * and answering.ts.
 */
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import {
  bigint,
  code,
  integer,
  json,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Command } from './core/model.ts';

export function actingTenant({ tenantId }: Transaction): string {
  if (tenantId === null) throw new Error('The journal needs a transaction of one tenant');
  return tenantId;
}

/** The journal of each tenant's sandbox. */
const commands = table(
  'dict_sim_command',
  {
    tenantId: uuid(),
    environment: code<'sandbox'>().named('env'),
    seq: bigint(),
    at: timestamp(),
    command: json<Command>(),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the directory simulator empties the table itself, under its own lock' },
    insertedBy: 'app',
    example: { environment: 'sandbox' },
  },
);

/** Number of answers of the directory that each armed fault still disturbs. */
const faults = table(
  'dict_sim_fault',
  {
    tenantId: uuid(),
    environment: code<'sandbox'>().named('env'),
    kind: text(),
    remaining: integer().changes('the fault is armed, and each disturbed answer uses up one of its counts'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the directory simulator empties the table itself, under its own lock' },
    insertedBy: 'app',
    updatedBy: 'both',
    example: { environment: 'sandbox', kind: 'slow' },
  },
);

type Tenant = { tenantId: string };

/** Serialises the numbering by transaction, so that a reader who has read up to a number has missed none before it. */
export const lockJournal = (tx: Transaction, tenantId: string): Promise<unknown> =>
  lockUntilCommit(tx, 'directory simulator', tenantId);

export const insertCommand = statement<Tenant & { at: string; command: string }>(
  'directorySimulator.append',
  (p) => sql`
  INSERT INTO dict_sim_command (${commands.list('tenantId', 'environment', 'seq', 'at', 'command')})
  SELECT ${p.tenantId}::uuid, 'sandbox', coalesce(max(seq), 0) + 1, ${p.at}::timestamptz, ${p.command}::jsonb
  FROM dict_sim_command WHERE ${commands.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`,
);

export const countCommands = statement<Tenant, { count: number }>(
  'directorySimulator.countCommands',
  (p) => sql`
  SELECT count(*) AS count FROM dict_sim_command
    WHERE ${commands.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`,
);

export const addFault = statement<Tenant & { kind: string; count: number; most: number }, { remaining: number }>(
  'directorySimulator.armFault',
  (p) => sql`
  INSERT INTO dict_sim_fault AS armed (${faults.list('tenantId', 'environment', 'kind', 'remaining')})
    VALUES (${p.tenantId}, 'sandbox', ${p.kind}, ${p.count})
  ON CONFLICT (tenant_id, env, kind) DO UPDATE
    SET remaining = least(armed.remaining + excluded.remaining, ${p.most}::integer)
  RETURNING remaining`,
);

export const useFault = statement<Tenant & { kind: string }>(
  'directorySimulator.takeFault',
  (p) => sql`
  UPDATE dict_sim_fault SET ${faults.assign({ remaining: sql`remaining - 1` })}
  WHERE ${faults.equal({ tenantId: p.tenantId, environment: 'sandbox', kind: p.kind })} AND remaining > 0`,
);

export const deleteCommands = statement<Tenant>(
  'directorySimulator.deleteCommands',
  (p) => sql`
  DELETE FROM dict_sim_command WHERE ${commands.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`,
);

export const deleteFaults = statement<Tenant>(
  'directorySimulator.deleteFaults',
  (p) => sql`
  DELETE FROM dict_sim_fault WHERE ${faults.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`,
);

export interface JournalRow {
  /** Increases with every reset of the sandbox. */
  readonly generation: number;
  readonly offset: number;
  readonly commands: readonly { readonly seq: number; readonly at: string; readonly command: Command }[];
  readonly faults: Readonly<Record<string, number>>;
}

/** Reads the journal in one statement, so that no reset comes in between. */
export const readJournal = statement<Tenant & { after: number }, JournalRow>(
  'directorySimulator.journal',
  (p) => sql`
  SELECT f.generation, t.sandbox_clock_offset_seconds AS offset,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('seq', seq, 'at', at, 'command', command) ORDER BY seq), '[]')
      FROM dict_sim_command c WHERE c.tenant_id = t.id AND c.env = 'sandbox' AND c.seq > ${p.after}::bigint)
        AS commands,
    (SELECT coalesce(jsonb_object_agg(kind, remaining), '{}')
      FROM dict_sim_fault a WHERE a.tenant_id = t.id AND a.env = 'sandbox' AND a.remaining > 0) AS faults
  FROM tenant t JOIN fr_feed f ON f.tenant_id = t.id AND f.env = 'sandbox'
  WHERE t.id = ${p.tenantId}::uuid`,
);

export const findTenants = statement<Record<string, never>, { id: string }>(
  'directorySimulator.tenants',
  () => sql`SELECT id FROM tenant`,
);
