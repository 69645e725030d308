import type { Knex } from 'knex';
import { forceRowSecurity, refuseUpdate } from './row-level-security.ts';

/** The lines by which persons were told before there were profiles, on lists of each kind. */
const SHIPPED =
  '{"sanctions": {"alert": 0.82, "review": 0.82, "strong": 0.9}, "pep": {"alert": 0.8, "review": 0.8, "strong": ' +
  '0.88}, "other": {"alert": 0.82, "review": 0.82, "strong": 0.9}}';

/**
 * A dismissal holds below the next line above the score that was judged (decision 57), and an entry of the allow-list
 * for what its decision was about (decision 60). Whatever was dismissed before gets the bound that it would have had;
 * an entry without a decision ends.
 */
export async function dismissals(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE hit_decision ADD COLUMN holds_below double precision');
  await knex.raw(
    `ALTER TABLE allowlist_entry ADD COLUMN decision_id uuid, ADD COLUMN compared_hash bytea,
      ADD FOREIGN KEY (tenant_id, decision_id) REFERENCES hit_decision (tenant_id, id) ON DELETE CASCADE`,
  );
  await knex.raw('CREATE INDEX allowlist_entry_by_decision ON allowlist_entry (tenant_id, decision_id)');
  const read = ['hit_decision', 'allowlist_entry', 'screening', 'screening_hit'];
  // The owner of the tables is held to row-level security too, and sees no tenant here.
  for (const table of read) await knex.raw(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await knex.raw(`
    UPDATE hit_decision d SET holds_below = (
      SELECT min(line)
        FROM jsonb_path_query(coalesce(s.lines, '${SHIPPED}') -> (CASE h.category WHEN 'sanction' THEN 'sanctions'
        WHEN 'pep' THEN 'pep' WHEN 'rca' THEN 'pep' ELSE 'other' END), '$.*') AS found (value)
      CROSS JOIN LATERAL (VALUES (value::double precision), (CASE h.category WHEN 'sanction' THEN 0.95 END))
        AS lines (line) WHERE line > h.score)
    FROM screening_hit h JOIN screening s ON s.tenant_id = h.tenant_id AND s.id = h.screening_id
    WHERE h.tenant_id = d.tenant_id AND h.id = d.hit_id AND d.status = 'false_positive'`);
  await knex.raw(`
    UPDATE allowlist_entry e SET decision_id = (
      SELECT d.id FROM hit_decision d
      WHERE d.tenant_id = e.tenant_id AND d.subject_id = e.subject_id AND d.list_id = e.list_id
        AND d.entity_mac = e.entity_mac AND d.entity_hash = e.entity_hash AND d.state = 'effective'
        AND d.status = 'false_positive'
      ORDER BY d.created_at DESC, d.id DESC LIMIT 1)`);
  await knex.raw(`UPDATE allowlist_entry SET status = 'suspended' WHERE status = 'active' AND decision_id IS NULL`);
  for (const table of read) await forceRowSecurity(knex, table);
  await knex.raw(`ALTER TABLE allowlist_entry ADD CHECK (decision_id IS NOT NULL OR status <> 'active')`);
  await refuseUpdate(knex, 'hit_decision', 'bound_stays', 'OLD.holds_below IS DISTINCT FROM NEW.holds_below');
  await refuseUpdate(
    knex,
    'allowlist_entry',
    'decision_stays',
    'ROW (OLD.decision_id, OLD.compared_hash) IS DISTINCT FROM ROW (NEW.decision_id, NEW.compared_hash)',
  );
}
