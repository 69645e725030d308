/**
 * Part of the first migration: watch lists, proposals, own lists and simulated entries. Called by index.ts of this
 * folder when a new database is created. An imported version cannot be changed.
 */
import type { Knex } from 'knex';
import {
  columnsExcept,
  anyChanges,
  grant,
  isolateTenant,
  refuseDeletion,
  refuseUpdate,
} from '../row-level-security.ts';

/** Lists against which persons are screened: those of the platform, those of tenants, and simulated entries. */
export async function watchLists(knex: Knex): Promise<void> {
  await createWatchLists(knex);
  await createProposals(knex);
  await createOwnLists(knex);
  await createSimulatedEntries(knex);
}

/**
 * Creates the watch lists. They are reference data: they belong to no tenant, every request may read them, and only the
 * importer writes them, under the platform role. A version that was imported never changes.
 */
async function createWatchLists(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE watch_list_version (
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      list_id text NOT NULL,
      sequence integer NOT NULL CHECK (sequence > 0),
      version text NOT NULL,
      -- An earlier version that this one repeats.
      restores integer,
      format text NOT NULL,
      published_on date,
      sha256 text NOT NULL,
      size_bytes bigint NOT NULL,
      entry_count integer NOT NULL,
      added integer NOT NULL,
      changed integer NOT NULL,
      match_changed integer NOT NULL,
      removed integer NOT NULL,
      -- Names that could not be used and were left out of their entries: how many, and which the first of them are.
      quarantined_names integer NOT NULL DEFAULT 0,
      quarantine jsonb NOT NULL DEFAULT '[]',
      ingested_at timestamptz(3) NOT NULL,
      checked_at timestamptz(3) NOT NULL,
      ingested_by jsonb NOT NULL,
      PRIMARY KEY (environment, list_id, sequence),
      FOREIGN KEY (environment, list_id, restores) REFERENCES watch_list_version (environment, list_id, sequence)
    );
    CREATE UNIQUE INDEX watch_list_version_once ON watch_list_version (environment, list_id, version)
      WHERE restores IS NULL;

    CREATE TABLE watch_list_file (
      environment text NOT NULL,
      list_id text NOT NULL,
      sequence integer NOT NULL,
      role text NOT NULL,
      part integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (environment, list_id, sequence, role, part),
      FOREIGN KEY (environment, list_id, sequence) REFERENCES watch_list_version (environment, list_id, sequence)
    );

    -- An entity has a row for each of its states, with the versions between which it was so.
    CREATE TABLE watch_list_entity (
      environment text NOT NULL,
      list_id text NOT NULL,
      key text NOT NULL,
      from_sequence integer NOT NULL,
      to_sequence integer CHECK (to_sequence > from_sequence),
      content_hash bytea NOT NULL,
      match_hash bytea NOT NULL,
      document jsonb NOT NULL,
      PRIMARY KEY (environment, list_id, key, from_sequence)
    );
    CREATE UNIQUE INDEX watch_list_entity_now ON watch_list_entity (environment, list_id, key)
      WHERE to_sequence IS NULL;
    CREATE INDEX watch_list_entity_ended ON watch_list_entity (environment, list_id, to_sequence)
      WHERE to_sequence IS NOT NULL`);
  for (const table of ['watch_list_version', 'watch_list_file', 'watch_list_entity'])
    await grant(knex, table, { app: 'SELECT', platform: 'SELECT' });
}

/**
 * Creates the versions that lack so much of the active one that a second administrator of the platform has to send the
 * same file.
 */
async function createProposals(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE watch_list_proposal (
      id uuid PRIMARY KEY,
      list_id text NOT NULL,
      -- The sequence of the live version with which it was compared.
      after integer NOT NULL CHECK (after > 0),
      version text NOT NULL,
      format text NOT NULL,
      published_on date,
      sha256 text NOT NULL,
      entry_count integer NOT NULL,
      added integer NOT NULL,
      changed integer NOT NULL,
      match_changed integer NOT NULL,
      removed integer NOT NULL,
      proposed_at timestamptz(3) NOT NULL,
      proposed_by jsonb NOT NULL
    );
    CREATE INDEX watch_list_proposal_by_list ON watch_list_proposal (list_id)`);
  await grant(knex, 'watch_list_proposal', { platform: 'SELECT' });
}

/**
 * Creates the lists that tenants have of their own, one in each environment. The contents are sealed, in parts, under a
 * key of their version, which is destroyed when the version ends. Of a version that has ended only its name, its
 * checksum and its counts remain.
 */
async function createOwnLists(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE own_list_version (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequence integer NOT NULL CHECK (sequence > 0),
      version text NOT NULL,
      sha256 text NOT NULL,
      entry_count integer NOT NULL,
      added integer NOT NULL,
      changed integer NOT NULL,
      match_changed integer NOT NULL,
      removed integer NOT NULL,
      ingested_at timestamptz(3) NOT NULL,
      checked_at timestamptz(3) NOT NULL,
      ingested_by jsonb NOT NULL,
      ended_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, environment, sequence),
      UNIQUE (tenant_id, environment, version)
    );
    CREATE UNIQUE INDEX own_list_version_standing ON own_list_version (tenant_id, environment) WHERE ended_at IS NULL;

    CREATE TABLE own_list_part (
      tenant_id uuid NOT NULL,
      version_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      part integer NOT NULL,
      content jsonb NOT NULL,
      PRIMARY KEY (tenant_id, version_id, part),
      FOREIGN KEY (tenant_id, version_id) REFERENCES own_list_version (tenant_id, id) ON DELETE CASCADE
    )`);
  await isolateTenant(knex, 'own_list_version', { app: 'SELECT, DELETE' });
  await isolateTenant(knex, 'own_list_part', { app: 'SELECT, DELETE' });
  await refuseDeletion(knex, 'own_list_version', 'sandbox_only', `OLD.environment = 'live'`);
  await refuseUpdate(
    knex,
    'own_list_version',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'own_list_version', ['checked_at', 'ended_at'])),
  );
  await refuseUpdate(knex, 'own_list_version', 'end_stays', 'OLD.ended_at IS NOT NULL');
}

/**
 * Creates the entries that a tenant has simulated in its sandbox. Each is an applicant of its own and sealed under the
 * key of that application, so that nothing of it can be read after an erasure.
 */
async function createSimulatedEntries(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE simulated_entry (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment = 'sandbox'),
      application_id uuid NOT NULL,
      list_id text NOT NULL,
      content jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX simulated_entry_by_application ON simulated_entry (tenant_id, application_id, id)`);
  await isolateTenant(knex, 'simulated_entry', { app: 'SELECT' });
}
