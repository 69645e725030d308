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

const ERASED = ['graph', 'assessment', 'owner_keys', 'representative_keys', 'erased_at'];

/** Versions of the graph of owners of each company. A version is written once; only an erasure empties it. */
export async function ownership(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE ownership_version (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      business_id uuid NOT NULL,
      version integer NOT NULL CHECK (version > 0),
      party_count integer NOT NULL,
      edge_count integer NOT NULL,
      is_complete boolean NOT NULL,
      -- In millionths of a percent.
      unresolved integer NOT NULL,
      beneficial_owners integer NOT NULL,
      unidentified_owners integer NOT NULL,
      -- SHA-256 of the canonical graph, and the documents that it names.
      -- Keys of beneficial owners and of representatives, each with all keys of the person.
      owner_keys jsonb NOT NULL,
      representative_keys jsonb NOT NULL,
      digest text NOT NULL,
      document_ids jsonb NOT NULL,
      graph text NOT NULL,
      assessment text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, business_id, version),
      FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE
    )`);
  await isolateTenant(knex, 'ownership_version', { app: 'SELECT' });
  await keepIdentity(knex, 'ownership_version');
  await refuseUpdate(
    knex,
    'ownership_version',
    'content_stays',
    anyChanges(await columnsExcept(knex, 'ownership_version', ERASED)),
  );
  await refuseUpdate(
    knex,
    'ownership_version',
    'graph_stays',
    exceptFor(
      anyChanges(['graph', 'assessment', 'owner_keys', 'representative_keys']),
      await changesOnly(knex, 'ownership_version', ERASED, 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL'),
    ),
  );
  await knex.raw(`
    ALTER TABLE subject_key DROP CONSTRAINT subject_key_subject_type_check,
      ADD CONSTRAINT subject_key_subject_type_check
        CHECK (subject_type IN ('application', 'business', 'screening', 'own_list'))`);
}
