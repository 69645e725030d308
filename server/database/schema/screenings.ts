/**
 * Part of the first migration: screenings, hits, decisions and the allow-list. Called by index.ts of this folder when a
 * new database is created. Found and decided facts cannot be changed later.
 */
import type { Knex } from 'knex';
import { anyChanges, columnsExcept, isolateTenant, refuseDeletion, refuseUpdate } from '../row-level-security.ts';

/**
 * Screenings, their hits, decisions about hits, and the allow-list. Who was screened, and why a hit has its score, is
 * sealed: under the key of the application if there is one, so that nothing of it can be read after an erasure, and
 * otherwise under a key of the screening.
 */
export async function screenings(knex: Knex): Promise<void> {
  await createScreenings(knex);
  await createHits(knex);
  await createHitDecisions(knex);
  await createAllowlist(knex);
}

async function createScreenings(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE screening (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      -- The order of screenings of a subject, as of other evidence (evidence.ts).
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      application_id uuid,
      subject_id uuid NOT NULL,
      previous_screening_id uuid,
      diff jsonb,
      result text NOT NULL,
      subject jsonb NOT NULL,
      -- Whether every name of the subject could be compared. The names are sealed, so the result cannot be computed
      -- from them again when the hits are decided.
      comparable boolean NOT NULL DEFAULT true,
      criteria jsonb NOT NULL,
      -- The scores from which something was a hit, and the number that the rules of screening had then. A screening of
      -- before there were profiles has neither: one threshold of its criteria stood for all.
      profile_version integer,
      lines jsonb,
      lists jsonb NOT NULL,
      stale_lists text[] NOT NULL,
      hit_count integer NOT NULL,
      open_hit_count integer NOT NULL,
      truncated boolean NOT NULL,
      algorithm_version text NOT NULL,
      duration_ms integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      CHECK ((profile_version IS NULL) = (lines IS NULL))
    );
    CREATE INDEX screening_by_created ON screening (tenant_id, environment, created_at, id);
    CREATE INDEX screening_in_order ON screening (tenant_id, subject_id, sequence);
    CREATE INDEX screening_by_application ON screening (tenant_id, application_id) WHERE application_id IS NOT NULL`);
  await isolateTenant(knex, 'screening', { app: 'SELECT, DELETE' });
  await keepFindings(knex, 'screening', ['result', 'open_hit_count']);
}

async function createHits(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE screening_hit (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      screening_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      position integer NOT NULL,
      list_id text NOT NULL,
      category text NOT NULL,
      score double precision NOT NULL,
      subject_id uuid NOT NULL,
      entity_mac bytea NOT NULL,
      entity_hash bytea NOT NULL,
      subject_hash bytea NOT NULL,
      status text NOT NULL
        CHECK (status IN ('open', 'true_positive', 'false_positive', 'inconclusive', 'auto_dismissed')),
      decision_id uuid,
      allowlist_entry_id uuid,
      content jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, screening_id, position),
      FOREIGN KEY (tenant_id, screening_id) REFERENCES screening (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX screening_hit_by_entity ON screening_hit (tenant_id, subject_id, list_id, entity_mac);
    -- Whom a change of an entity concerns that was a hit before.
    CREATE INDEX screening_hit_of_entity ON screening_hit (tenant_id, list_id, entity_mac);
    CREATE INDEX screening_hit_by_allowlist ON screening_hit (tenant_id, allowlist_entry_id)
      WHERE allowlist_entry_id IS NOT NULL`);
  await isolateTenant(knex, 'screening_hit', { app: 'SELECT' });
  await keepFindings(knex, 'screening_hit', ['status', 'decision_id', 'allowlist_entry_id']);
}

async function createHitDecisions(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE hit_decision (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      screening_id uuid NOT NULL,
      hit_id uuid NOT NULL,
      subject_id uuid NOT NULL,
      list_id text NOT NULL,
      list_sequence integer NOT NULL,
      entity_mac bytea NOT NULL,
      entity_hash bytea NOT NULL,
      subject_hash bytea NOT NULL,
      status text NOT NULL CHECK (status IN ('true_positive', 'false_positive', 'inconclusive')),
      -- A dismissal holds below the next line above the score that was judged (docs/decisions/0057).
      holds_below double precision,
      reason_code text NOT NULL,
      note text NOT NULL,
      state text NOT NULL CHECK (state IN ('proposed', 'effective', 'returned')),
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      reviewed_by jsonb,
      review_note text,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, screening_id) REFERENCES screening (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX hit_decision_in_order ON hit_decision (tenant_id, subject_id, list_id, entity_mac, sequence);
    CREATE INDEX hit_decision_by_screening ON hit_decision (tenant_id, screening_id)`);
  await isolateTenant(knex, 'hit_decision', { app: 'SELECT' });
  await keepFindings(knex, 'hit_decision', ['state', 'reviewed_by', 'review_note', 'sequence']);
  await refuseUpdate(knex, 'hit_decision', 'verdict_stays', `OLD.state <> 'proposed' AND NEW.state <> OLD.state`);
  // A proposed decision gets a new number when it takes effect, because the one that took effect last counts.
  await refuseUpdate(knex, 'hit_decision', 'order_stays', `OLD.state <> 'proposed' AND NEW.sequence <> OLD.sequence`);
}

/** Creates the allow-list: subjects who are not an entity of a list, for every application of the same tax number. */
async function createAllowlist(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE allowlist_entry (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      subject_mac bytea NOT NULL,
      list_id text NOT NULL,
      entity_mac bytea NOT NULL,
      entity_hash bytea NOT NULL,
      -- Which entity it is, sealed like the hit from which the entry came.
      entity_key jsonb NOT NULL,
      application_id uuid,
      subject_id uuid NOT NULL,
      screening_id uuid NOT NULL,
      hit_id uuid NOT NULL,
      -- The dismissal from which the entry came: it holds for what that decision compared (docs/decisions/0060).
      decision_id uuid,
      compared_hash bytea,
      reason_code text NOT NULL,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'revoked', 'expired')),
      revoke_reason text,
      expires_at timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, screening_id) REFERENCES screening (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, decision_id) REFERENCES hit_decision (tenant_id, id) ON DELETE CASCADE,
      CHECK (decision_id IS NOT NULL OR status <> 'active')
    );
    CREATE INDEX allowlist_entry_by_screening ON allowlist_entry (tenant_id, screening_id);
    CREATE INDEX allowlist_entry_by_decision ON allowlist_entry (tenant_id, decision_id);
    CREATE INDEX allowlist_entry_by_created ON allowlist_entry (tenant_id, environment, created_at, id);
    CREATE INDEX allowlist_entry_standing ON allowlist_entry (tenant_id, subject_mac) WHERE status = 'active';
    CREATE INDEX allowlist_entry_due ON allowlist_entry (tenant_id, environment, expires_at) WHERE status = 'active'`);
  await isolateTenant(knex, 'allowlist_entry', { app: 'SELECT' });
  await keepFindings(knex, 'allowlist_entry', ['status', 'revoke_reason']);
  await refuseUpdate(knex, 'allowlist_entry', 'end_stays', `OLD.status <> 'active' AND NEW.status = 'active'`);
}

/** Keeps what was found and decided. Only the given columns change, which say what becomes of it. */
async function keepFindings(knex: Knex, table: string, changing: readonly string[]): Promise<void> {
  await refuseUpdate(knex, table, 'recorded_stays', anyChanges(await columnsExcept(knex, table, changing)));
  await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
}
