/**
 * Part of the first migration: the table of applications. Called by index.ts of this folder when a new database is
 * created. Triggers refuse changes of what has ended; a rule that is missing here is not enforced by the database.
 */
import type { Knex } from 'knex';
import { anyChanges, changesOnly, exceptFor, isolateTenant, refuseUpdate } from '../row-level-security.ts';

/**
 * KYC applications: columns for what is filtered, sorted or checked, JSON for the rest. Tables that every request
 * writes do not reference `tenant`: each check would lock its one row again. The audit row of the same transaction
 * fails for a tenant that does not exist.
 */
export async function applications(knex: Knex): Promise<void> {
  await createApplications(knex);
  await endApplicationsForGood(knex);
}

async function createApplications(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE application (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      external_id text,
      status text NOT NULL CHECK (status IN ('draft', 'submitted', 'in_review', 'needs_information', 'pending_approval',
        'approved', 'rejected', 'withdrawn', 'expired')),
      status_reason text,
      status_note text,
      level text NOT NULL CHECK (level IN ('basic', 'standard', 'enhanced')),
      purpose text NOT NULL
        CHECK (purpose IN ('account_opening', 'periodic_review', 'event_review', 'merchant_onboarding', 'other')),
      channel text NOT NULL CHECK (channel IN ('web', 'mobile', 'branch', 'partner', 'api')),
      -- An earlier application of the same person; which one never changes.
      renews_application_id uuid,
      full_name text NOT NULL,
      tax_id_mac bytea CHECK (octet_length(tax_id_mac) = 32),
      email_mac bytea CHECK (octet_length(email_mac) = 32),
      -- Sealed in its place: {"sealed": …}.
      applicant jsonb NOT NULL,
      -- When somebody who sees persons masked last overwrote what the applicant is compared by. A judgement of before
      -- does not hold after it.
      person_unseen_at timestamptz(3),
      product_codes text[] NOT NULL DEFAULT '{}',
      metadata jsonb NOT NULL DEFAULT '{}',
      submitted_at timestamptz(3),
      decided_at timestamptz(3),
      -- Until when a draft is kept.
      expires_at timestamptz(3),
      -- Until when an approval holds, and when it is reviewed.
      valid_until timestamptz(3),
      review_due_at timestamptz(3),
      -- The law counts the years of retention from this time.
      relationship_ended_at timestamptz(3),
      erased_at timestamptz(3),
      resubmission_count integer NOT NULL DEFAULT 0,
      version integer NOT NULL DEFAULT 1,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT application_external_id_key UNIQUE (tenant_id, environment, external_id),
      CONSTRAINT application_renews_fkey FOREIGN KEY (tenant_id, renews_application_id)
        REFERENCES application (tenant_id, id)
    );
    CREATE INDEX application_by_created_at ON application (tenant_id, environment, created_at, id);
    CREATE INDEX application_by_updated_at ON application (tenant_id, environment, updated_at, id);
    CREATE INDEX application_by_submitted_at ON application (tenant_id, environment, submitted_at, id);
    CREATE INDEX application_by_tax_id ON application (tenant_id, environment, tax_id_mac)
      WHERE tax_id_mac IS NOT NULL;
    CREATE INDEX application_by_email ON application (tenant_id, environment, email_mac) WHERE email_mac IS NOT NULL;
    CREATE INDEX application_by_renewed ON application (tenant_id, renews_application_id)
      WHERE renews_application_id IS NOT NULL;
    -- Drafts and approvals end by themselves: a job asks every tenant for those that are due.
    CREATE INDEX application_drafts ON application (tenant_id, environment, expires_at) WHERE status = 'draft';
    CREATE INDEX application_by_validity ON application (tenant_id, environment, valid_until)
      WHERE status = 'approved';
    CREATE INDEX application_unsealed ON application (tenant_id, id)
      WHERE NOT jsonb_exists(applicant, 'sealed') AND erased_at IS NULL;
    CREATE TRIGGER sandbox_only BEFORE DELETE ON application FOR EACH ROW WHEN (OLD.environment = 'live')
      EXECUTE FUNCTION refuse_live_deletion()`);
  // The platform role counts usage, and until when records must be kept.
  await isolateTenant(knex, 'application', {
    app: 'SELECT, DELETE',
    platform: `SELECT (tenant_id, id, environment, status, created_at, submitted_at, decided_at, relationship_ended_at,
      erased_at)`,
  });
}

/** The columns that an erasure empties. The others name nobody. */
const ERASED = ['full_name', 'applicant', 'metadata', 'external_id', 'status_note', 'tax_id_mac', 'email_mac'];
const STAMP = ['version', 'updated_at'];
const END_OF_RELATIONSHIP = ['relationship_ended_at', 'status_note', ...STAMP];
const NEXT_VERSION = 'NEW.version = OLD.version + 1';
const RELATIONSHIP_ENDS = 'OLD.relationship_ended_at IS NULL AND NEW.relationship_ended_at IS NOT NULL';

/** Refuses changes of what has ended and of what was submitted, except for the few that are named here. */
async function endApplicationsForGood(knex: Knex): Promise<void> {
  const permit = (columns: readonly string[], when: string): Promise<string> =>
    changesOnly(knex, 'application', columns, when);
  const erasure = await permit(
    ['erased_at', ...ERASED, 'expires_at', ...STAMP],
    'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL',
  );
  const expiry = await permit(
    ['status', 'status_reason', ...STAMP],
    `OLD.status = 'approved' AND NEW.status = 'expired' AND OLD.valid_until IS NOT NULL AND ${NEXT_VERSION}`,
  );
  const sealing = await permit(
    ['applicant'],
    `NOT jsonb_exists(OLD.applicant, 'sealed') AND jsonb_exists(NEW.applicant, 'sealed')`,
  );
  const endOfCustomer = await permit(
    END_OF_RELATIONSHIP,
    `OLD.status = 'approved' AND ${RELATIONSHIP_ENDS} AND ${NEXT_VERSION}`,
  );
  // The relationship also ends after the approval has expired, or after it was reopened and no answer came.
  const endOfExpired = await permit(
    END_OF_RELATIONSHIP,
    `OLD.status = 'expired' AND (OLD.valid_until IS NOT NULL
        OR (OLD.status_reason IS NOT DISTINCT FROM 'information_overdue' AND OLD.decided_at IS NOT NULL))
      AND ${RELATIONSHIP_ENDS} AND OLD.erased_at IS NULL AND ${NEXT_VERSION}`,
  );

  await refuseUpdate(
    knex,
    'application',
    'ended_stays',
    exceptFor(`OLD.status IN ('withdrawn', 'expired') AND OLD IS DISTINCT FROM NEW`, erasure, sealing, endOfExpired),
  );
  // A decided application may come back into the review, with the next version and the time of its decision.
  await refuseUpdate(
    knex,
    'application',
    'decided_stays',
    exceptFor(
      `OLD.status IN ('approved', 'rejected') AND OLD IS DISTINCT FROM NEW`,
      `NEW.status = 'in_review' AND ${NEXT_VERSION} AND NEW.valid_until IS NULL
        AND NEW.decided_at IS NOT DISTINCT FROM OLD.decided_at`,
      erasure,
      expiry,
      sealing,
      endOfCustomer,
    ),
  );
  // What was submitted is what is decided, except for what the applicant is asked for; and an applicant who does not
  // answer is not waited for.
  await refuseUpdate(
    knex,
    'application',
    'submitted_stays',
    exceptFor(
      `OLD.status <> 'draft' AND (NEW.status = 'draft'
        OR (NEW.status = 'expired' AND OLD.status <> 'needs_information')
        OR (OLD.submitted_at IS NOT NULL AND NEW.submitted_at IS NULL)
        OR ${anyChanges(['level', 'purpose', 'channel', 'product_codes', 'external_id', 'metadata'])}
        OR (NOT (OLD.status = 'needs_information' AND NEW.status = 'needs_information')
          AND ${anyChanges(['applicant', 'full_name', 'tax_id_mac', 'email_mac'])}))`,
      erasure,
      expiry,
      sealing,
      endOfExpired,
    ),
  );
  await refuseUpdate(
    knex,
    'application',
    'erased_stays',
    exceptFor('OLD.erased_at IS NOT NULL AND OLD IS DISTINCT FROM NEW', expiry, sealing),
  );
}
