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

/** Powers of companies, and the receipts of evaluations of who may sign. */
export async function powers(knex: Knex): Promise<void> {
  await createPowers(knex);
  await createEvaluations(knex);
}

/** A power changes while it is a draft. Then it is confirmed and revoked, each once. */
async function createPowers(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE power (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      business_id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('draft', 'active', 'revoked')),
      type text NOT NULL,
      instrument text NOT NULL,
      -- Members of the sealed instrument by which powers are found.
      document_id uuid,
      valid_from date NOT NULL,
      valid_until date,
      rule_count integer NOT NULL,
      extracted_by text NOT NULL,
      evidence_digest text NOT NULL,
      -- The second review of the draft as it is now.
      review_id uuid NOT NULL,
      confirmed_at timestamptz(3),
      confirmed_by jsonb,
      confirmation_note text,
      revoked_at timestamptz(3),
      revocation_reason text,
      revocation_document_id uuid,
      version integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE,
      CHECK ((confirmed_at IS NULL) = (confirmed_by IS NULL)),
      CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
      CHECK (status <> 'active' OR confirmed_at IS NOT NULL)
    );
    CREATE INDEX power_by_business ON power (tenant_id, business_id, id)`);
  await isolateTenant(knex, 'power', { app: 'SELECT' });
  await keepIdentity(knex, 'power');
  const erasure = ['instrument', 'confirmation_note', 'erased_at', 'version', 'updated_at'];
  await refuseUpdate(knex, 'power', 'power_stays', anyChanges(['business_id', 'extracted_by']));
  await refuseUpdate(
    knex,
    'power',
    'confirmed_stays',
    exceptFor(
      `OLD.status <> 'draft' AND ${anyChanges([
        'type',
        'instrument',
        'document_id',
        'valid_from',
        'valid_until',
        'rule_count',
        'evidence_digest',
        'review_id',
        'confirmed_at',
        'confirmed_by',
        'confirmation_note',
      ])}`,
      await changesOnly(knex, 'power', erasure, 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL'),
    ),
  );
  await refuseUpdate(
    knex,
    'power',
    'revoked_stays',
    `OLD.status = 'revoked' AND ${anyChanges(['status', 'revoked_at', 'revocation_reason', 'revocation_document_id'])}`,
  );
}

/** A receipt is written once. Only an erasure empties it; its digest and its result stay. */
async function createEvaluations(knex: Knex): Promise<void> {
  const erased = ['input', 'answer', 'erased_at'];
  await knex.raw(`
    CREATE TABLE signing_evaluation (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      business_id uuid NOT NULL,
      act_type text NOT NULL,
      result text NOT NULL,
      coverage text NOT NULL,
      input text NOT NULL,
      answer text NOT NULL,
      digest text NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX signing_evaluation_by_business ON signing_evaluation (tenant_id, business_id, created_at, id)`);
  await isolateTenant(knex, 'signing_evaluation', { app: 'SELECT' });
  await keepIdentity(knex, 'signing_evaluation');
  await refuseUpdate(
    knex,
    'signing_evaluation',
    'receipt_stays',
    anyChanges(await columnsExcept(knex, 'signing_evaluation', erased)),
  );
  await refuseUpdate(
    knex,
    'signing_evaluation',
    'answer_stays',
    exceptFor(
      anyChanges(['input', 'answer']),
      await changesOnly(knex, 'signing_evaluation', erased, 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL'),
    ),
  );
}
