/**
 * Lets the file of a workflow definition change while the definition is a draft. The file that two people have agreed
 * on stays, even if the service has a fault.
 */
import type { Knex } from 'knex';

export async function workflowDrafts(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION refuse_change_of_activated_model() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      IF NOT EXISTS (
        SELECT FROM definition
        WHERE tenant_id = OLD.tenant_id AND id = OLD.definition_id AND status = 'draft'
      ) THEN
        RAISE EXCEPTION 'the file of a definition changes only while it is a draft'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER activated_stays BEFORE UPDATE ON workflow_model FOR EACH ROW
      EXECUTE FUNCTION refuse_change_of_activated_model()`);
}
