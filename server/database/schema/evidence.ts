/**
 * Part of the first migration: tables of consents, attestations, waivers and requests for information. Called by
 * index.ts of this folder when a new database is created; decisions.ts uses its helpers. Rows can only be added and
 * erased.
 */
import type { Knex } from 'knex';
import {
  anyChanges,
  changesOnly,
  exceptFor,
  isolateTenant,
  refuseDeletion,
  refuseUpdate,
} from '../row-level-security.ts';

/**
 * What is collected about an application besides documents: consents of the person, what people looked up, requirements
 * that were waived, and what the applicant is asked for during a review.
 *
 * Each row has a number that the database gives while it holds the lock of the application, because the last row
 * counts. The time at which a request began is no order: of two requests, the one that began earlier may wait for the
 * lock longer.
 */
export async function evidence(knex: Knex): Promise<void> {
  await createConsents(knex);
  await createAttestations(knex);
  await createWaivers(knex);
  await createInformationRequests(knex);
}

async function createConsents(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE consent (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      action text NOT NULL CHECK (action IN ('granted', 'withdrawn')),
      purpose text NOT NULL,
      legal_basis text NOT NULL,
      text_version text NOT NULL,
      text_sha256 text NOT NULL CHECK (text_sha256 ~ '^[0-9a-f]{64}$'),
      locale text NOT NULL,
      channel text NOT NULL,
      captured_at timestamptz(3) NOT NULL,
      ip text,
      user_agent text,
      evidence_document_id uuid,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, evidence_document_id) REFERENCES document (tenant_id, id)
    );
    CREATE INDEX consent_in_order ON consent (tenant_id, application_id, sequence);
    CREATE INDEX consent_by_evidence ON consent (tenant_id, evidence_document_id)
      WHERE evidence_document_id IS NOT NULL`);
  await isolateTenant(knex, 'consent', { app: 'SELECT, DELETE' });
  await keepRecorded(knex, 'consent', ['ip', 'user_agent']);
  await keepErased(knex, 'consent');
}

async function createAttestations(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attestation (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      requirement_key text NOT NULL,
      outcome text NOT NULL CHECK (outcome IN ('pass', 'fail')),
      source text NOT NULL,
      looked_up_at timestamptz(3) NOT NULL,
      note text NOT NULL,
      subject text NOT NULL,
      evidence_document_id uuid,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, evidence_document_id) REFERENCES document (tenant_id, id)
    );
    CREATE INDEX attestation_in_order ON attestation (tenant_id, application_id, sequence);
    CREATE INDEX attestation_by_evidence ON attestation (tenant_id, evidence_document_id)
      WHERE evidence_document_id IS NOT NULL`);
  await isolateTenant(knex, 'attestation', { app: 'SELECT, DELETE' });
  await keepRecorded(knex, 'attestation', ['source', 'note', 'subject']);
}

/** Creates the requirements that a person waived for one application, or no longer waives. */
async function createWaivers(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE waiver (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      action text NOT NULL CHECK (action IN ('granted', 'revoked')),
      requirement_key text NOT NULL,
      reason_code text NOT NULL,
      note text NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX waiver_in_order ON waiver (tenant_id, application_id, sequence)`);
  await isolateTenant(knex, 'waiver', { app: 'SELECT' });
  await keepRecorded(knex, 'waiver', ['note']);
}

async function createInformationRequests(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE information_request (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      status text NOT NULL CHECK (status IN ('open', 'answered', 'overdue', 'cancelled')),
      items jsonb NOT NULL,
      internal_note text,
      due_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      answered_at timestamptz(3),
      provided text[] NOT NULL DEFAULT '{}',
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      CHECK ((status = 'answered') = (answered_at IS NOT NULL))
    );
    CREATE INDEX information_request_in_order ON information_request (tenant_id, application_id, sequence);
    CREATE UNIQUE INDEX information_request_open ON information_request (tenant_id, application_id)
      WHERE status = 'open'`);
  await isolateTenant(knex, 'information_request', { app: 'SELECT' });
  const asked = ['application_id', 'items', 'internal_note', 'due_at', 'created_by'];
  const erasure = await erasureOf(knex, 'information_request', ['items', 'internal_note']);
  await refuseUpdate(
    knex,
    'information_request',
    'ended_stays',
    exceptFor(`(OLD.status <> 'open' AND OLD IS DISTINCT FROM NEW) OR ${anyChanges(asked)}`, erasure),
  );
  await keepErased(knex, 'information_request');
  await keepOrder(knex, 'information_request');
  await refuseDeletion(knex, 'information_request', 'sandbox_only', `OLD.environment = 'live'`);
}

/** Refuses every change of rows that are only added, except an erasure, which empties the given columns. */
async function keepRecorded(knex: Knex, table: string, erased: readonly string[]): Promise<void> {
  const erasure = await erasureOf(knex, table, erased);
  await refuseUpdate(knex, table, 'recorded_stays', exceptFor('OLD IS DISTINCT FROM NEW', erasure));
  await keepOrder(knex, table);
  await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
}

/** Returns the condition of an erasure, which empties the given columns. The others name nobody. */
export function erasureOf(knex: Knex, table: string, erased: readonly string[]): Promise<string> {
  return changesOnly(knex, table, ['erased_at', ...erased], 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL');
}

export async function keepErased(knex: Knex, table: string): Promise<void> {
  await refuseUpdate(knex, table, 'erased_stays', 'OLD.erased_at IS NOT NULL AND OLD IS DISTINCT FROM NEW');
}

export async function keepOrder(knex: Knex, table: string): Promise<void> {
  await refuseUpdate(knex, table, 'order_stays', 'NEW.sequence <> OLD.sequence');
}
