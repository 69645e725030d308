import type { Knex } from 'knex';
import { allowPlatform, isolateTenant } from './row-level-security.ts';

/**
 * The journal of the embedded directory. What it holds of a tenant is a function of these commands, so it has no other
 * state and outlives any crash with the database. It exists in the sandbox alone.
 */
export async function directorySimulator(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dict_sim_command (
      tenant_id uuid NOT NULL,
      env text NOT NULL CHECK (env = 'sandbox'),
      seq bigint NOT NULL CHECK (seq > 0),
      -- By the clock of the sandbox.
      at timestamptz(3) NOT NULL,
      command jsonb NOT NULL,
      PRIMARY KEY (tenant_id, env, seq)
    )`);
  await isolateTenant(knex, 'dict_sim_command', { app: 'SELECT, INSERT, DELETE', platform: 'SELECT' });
  // Which sandboxes have a directory with anything in it, and so are to be polled.
  await allowPlatform(knex, 'dict_sim_command', 'polling', 'SELECT');

  // How many more answers of the directory are disturbed in some way.
  await knex.raw(`
    CREATE TABLE dict_sim_fault (
      tenant_id uuid NOT NULL,
      env text NOT NULL CHECK (env = 'sandbox'),
      kind text NOT NULL,
      remaining integer NOT NULL CHECK (remaining >= 0),
      PRIMARY KEY (tenant_id, env, kind)
    )`);
  await isolateTenant(knex, 'dict_sim_fault', {
    app: 'SELECT, INSERT, UPDATE, DELETE',
    platform: 'SELECT, UPDATE (remaining)',
  });
}
