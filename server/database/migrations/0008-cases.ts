import type { Knex } from 'knex';
import {
  anyChanges,
  changesOnly,
  columnsExcept,
  exceptFor,
  isolateTenant,
  keepIdentity,
  refuseUpdate,
} from '../row-level-security.ts';

/** Cases with their notes, documents and resolutions, the alerts that they take up, and the absence of members. */
export async function cases(knex: Knex): Promise<void> {
  await createCases(knex);
  await createNotes(knex);
  await createResolutions(knex);
  await extendOthers(knex);
}

async function createCases(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE review_case (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      number text NOT NULL,
      type text NOT NULL,
      status text NOT NULL CHECK (status IN ('open', 'in_progress', 'on_hold', 'pending_approval', 'resolved')),
      queue text NOT NULL,
      assignee_id uuid,
      application_id uuid NOT NULL,
      links jsonb NOT NULL,
      tags text[] NOT NULL,
      checklist jsonb NOT NULL,
      related_case_ids text[] NOT NULL,
      opened_reason text NOT NULL,
      -- The clock of the queue: due_at is null while it is stopped.
      clock_started_at timestamptz(3) NOT NULL,
      sla_hours integer NOT NULL CHECK (sla_hours > 0),
      waited_ms bigint NOT NULL DEFAULT 0,
      clock_stopped_at timestamptz(3),
      due_at timestamptz(3),
      sla_breached boolean NOT NULL DEFAULT false,
      snoozed_until timestamptz(3),
      analysis_due_at timestamptz(3),
      freeze_due_at timestamptz(3),
      note_count integer NOT NULL DEFAULT 0,
      resolved_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      version integer NOT NULL DEFAULT 1,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, environment, number),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      CHECK ((status = 'on_hold') = (snoozed_until IS NOT NULL)),
      CHECK (status <> 'in_progress' OR assignee_id IS NOT NULL),
      CHECK (num_nonnulls(due_at, clock_stopped_at) = 1)
    );
    -- At most one open case for each application and type.
    CREATE UNIQUE INDEX review_case_open ON review_case (tenant_id, application_id, type) WHERE status <> 'resolved';
    CREATE INDEX review_case_by_application ON review_case (tenant_id, application_id, id);
    CREATE INDEX review_case_to_take ON review_case (tenant_id, environment, queue, due_at, id)
      WHERE status = 'open';
    CREATE INDEX review_case_of_assignee ON review_case (tenant_id, assignee_id, environment, due_at, id)
      WHERE status <> 'resolved' AND assignee_id IS NOT NULL;
    CREATE INDEX review_case_unresolved ON review_case (tenant_id, environment, due_at, id)
      WHERE status <> 'resolved';
    CREATE INDEX review_case_resolved ON review_case (tenant_id, environment, resolved_at)
      WHERE status = 'resolved';
    CREATE INDEX review_case_by_due ON review_case (tenant_id, environment, (coalesce(due_at, 'infinity')), id);
    CREATE INDEX review_case_by_creation ON review_case (tenant_id, environment, created_at, id);
    CREATE INDEX review_case_by_change ON review_case (tenant_id, environment, updated_at, id)`);
  await isolateTenant(knex, 'review_case', { app: 'SELECT', platform: 'SELECT' });
  await keepIdentity(knex, 'review_case');
  await refuseUpdate(knex, 'review_case', 'case_stays', anyChanges(['number', 'type', 'application_id']));
  await refuseUpdate(knex, 'review_case', 'erased_stays', 'OLD.erased_at IS NOT NULL');
  await knex.raw(`
    CREATE TABLE case_number (
      tenant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      year integer NOT NULL,
      last integer NOT NULL,
      PRIMARY KEY (tenant_id, environment, year)
    )`);
  await isolateTenant(knex, 'case_number', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'case_number');
}

/** A note is written once. Only an erasure empties it. */
async function createNotes(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE case_note (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      case_id uuid NOT NULL,
      application_id uuid NOT NULL,
      text text NOT NULL,
      document_ids text[] NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, case_id) REFERENCES review_case (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX case_note_by_case ON case_note (tenant_id, case_id, id);
    CREATE INDEX case_note_by_application ON case_note (tenant_id, application_id)`);
  await isolateTenant(knex, 'case_note', { app: 'SELECT' });
  await keepIdentity(knex, 'case_note');
  await keepExcept(knex, 'case_note', ['text', 'erased_at']);
}

async function createResolutions(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE case_resolution (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      case_id uuid NOT NULL,
      application_id uuid NOT NULL,
      outcome text NOT NULL,
      reason_codes text[] NOT NULL,
      note text NOT NULL,
      status text NOT NULL CHECK (status IN ('pending_review', 'effective', 'returned', 'invalidated', 'reopened')),
      four_eyes_reasons text[] NOT NULL,
      evidence_digest text NOT NULL,
      decision_id uuid,
      made_by jsonb NOT NULL,
      reviewed_by jsonb,
      review_note text,
      created_at timestamptz(3) NOT NULL,
      effective_at timestamptz(3),
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, case_id) REFERENCES review_case (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX case_resolution_by_case ON case_resolution (tenant_id, case_id, id);
    CREATE INDEX case_resolution_by_application ON case_resolution (tenant_id, application_id);
    CREATE UNIQUE INDEX case_resolution_pending ON case_resolution (tenant_id, case_id)
      WHERE status = 'pending_review';
    CREATE INDEX case_resolution_of_decision ON case_resolution (tenant_id, decision_id)
      WHERE status = 'pending_review' AND decision_id IS NOT NULL`);
  await isolateTenant(knex, 'case_resolution', { app: 'SELECT' });
  await keepIdentity(knex, 'case_resolution');
  await keepExcept(knex, 'case_resolution', [
    'status',
    'reviewed_by',
    'review_note',
    'effective_at',
    'note',
    'erased_at',
  ]);
  await refuseUpdate(
    knex,
    'case_resolution',
    'ended_stays',
    exceptFor(
      `OLD.status <> 'pending_review' AND OLD.status <> NEW.status`,
      `OLD.status = 'effective' AND NEW.status = 'reopened'`,
    ),
  );
}

/** Refuses changes of all columns but the given ones, and of texts except by an erasure. */
async function keepExcept(knex: Knex, table: string, changing: readonly string[]): Promise<void> {
  await refuseUpdate(knex, table, 'content_stays', anyChanges(await columnsExcept(knex, table, changing)));
  const text = changing.includes('text') ? 'text' : 'note';
  await refuseUpdate(
    knex,
    table,
    'text_stays',
    exceptFor(
      anyChanges([text]),
      await changesOnly(knex, table, changing, 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL'),
    ),
  );
}

async function extendOthers(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE document ADD COLUMN case_id uuid,
      ADD CONSTRAINT document_of_case FOREIGN KEY (tenant_id, case_id)
        REFERENCES review_case (tenant_id, id) ON DELETE CASCADE;
    DROP INDEX document_content_key;
    -- A file is unique among those that an application has, and among those of each case.
    CREATE UNIQUE INDEX document_content_key
      ON document (tenant_id, application_id, coalesce(original_sha256, sha256))
      WHERE file_erased_at IS NULL AND case_id IS NULL;
    CREATE UNIQUE INDEX document_content_of_case ON document (tenant_id, case_id, coalesce(original_sha256, sha256))
      WHERE file_erased_at IS NULL AND case_id IS NOT NULL;
    CREATE INDEX document_by_case ON document (tenant_id, case_id, id) WHERE case_id IS NOT NULL;
    ALTER TABLE monitoring_alert ADD COLUMN case_id uuid,
      ADD CONSTRAINT monitoring_alert_of_case FOREIGN KEY (tenant_id, case_id)
        REFERENCES review_case (tenant_id, id) ON DELETE CASCADE;
    CREATE INDEX monitoring_alert_by_case ON monitoring_alert (tenant_id, case_id) WHERE case_id IS NOT NULL;
    -- Work that waits, by due date (GET /v1/work).
    CREATE INDEX monitoring_alert_waiting ON monitoring_alert (tenant_id, environment, sla_due_at, id)
      WHERE status IN ('open', 'acknowledged');
    CREATE INDEX screening_hit_waiting ON screening_hit (tenant_id, environment, screening_id)
      WHERE status IN ('open', 'inconclusive');
    CREATE INDEX second_review_waiting ON second_review (tenant_id, environment, subject_type, created_at)
      WHERE state = 'pending';
    ALTER TABLE membership ADD COLUMN absent_until timestamptz(3)`);
  await refuseUpdate(knex, 'document', 'case_stays', anyChanges(['case_id']));
}
