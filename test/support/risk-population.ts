/**
 * Stores many applicants with an assessment each, in a moment. Used by the tests and the benchmark of backtests,
 * because thousands of submissions would take minutes.
 */
import { uuidv7 } from '../../server/base/uuid.ts';
import { assessment, currentAssessment } from '../../server/modules/risk/assessment-store.ts';
import { openedRow, openingKey, sealedRow, sealingKey } from '../../server/modules/subject-keys/index.ts';
import type { TestDatabase } from './postgres.ts';
import { randomOf } from './random.ts';

export type Facts = Record<string, string | number | boolean | null>;

const SEED = 20_261_126;

/**
 * Copies an assessed application with other facts and without its tax number, so many times: rows of the same form as a
 * submission writes, in one transaction each thousand. Returns the facts of each copy by its id.
 */
export async function populate(
  place: Pick<TestDatabase, 'sql' | 'database'>,
  { tenantId, applicationId }: { readonly tenantId: string; readonly applicationId: string },
  count: number,
): Promise<Map<string, Facts>> {
  const random = randomOf(SEED);
  const population = new Map<string, Facts>();
  for (let at = 0; at < count; at += 1000) {
    const ids = Array.from({ length: Math.min(1000, count - at) }, () => uuidv7());
    await place.sql(
      `INSERT INTO application
        SELECT (jsonb_populate_record(a, jsonb_build_object('id', new.id, 'external_id', null, 'tax_id_mac', null))).*
        FROM application a, unnest($2::uuid[]) AS new (id) WHERE a.id = $1`,
      [applicationId, ids],
    );
    const rows: object[] = [];
    await place.database.transaction({ tenantId }, async (tx) => {
      const source = (await currentAssessment(tx, { kind: 'application', id: applicationId }))!;
      const opened = openedRow(assessment, source, await openingKey(tx, { type: 'application', id: applicationId }));
      const { facts, today } = JSON.parse(opened.snapshot) as { facts: Facts; today: string };
      for (const id of ids) {
        const changed = {
          ...facts,
          'applicant.age': 18 + Math.floor(random() * 70),
          'channel': random() < 0.5 ? 'branch' : 'web',
          'applicant.pepDeclared': random() < 0.1,
        };
        population.set(id, changed);
        const key = await sealingKey(tx, { type: 'application', id }, { environment: 'live', now: new Date() });
        const row = {
          ...source,
          id: uuidv7(),
          result: opened.result,
          snapshot: JSON.stringify({ facts: changed, today }),
        };
        const { result, snapshot } = sealedRow(assessment, row, key);
        rows.push({
          id: row.id,
          application_id: id,
          result,
          snapshot,
        });
      }
    });
    await place.sql(
      `INSERT INTO risk_assessment SELECT (jsonb_populate_record(r, new)).*
        FROM risk_assessment r, jsonb_array_elements($2::jsonb) AS new
        WHERE r.application_id = $1 AND r.superseded_by_id IS NULL`,
      [applicationId, JSON.stringify(rows)],
    );
  }
  // As autovacuum does in time: without statistics, the planner takes the tables for almost empty.
  for (const table of ['application', 'risk_assessment', 'subject_key']) await place.sql(`ANALYZE ${table}`);
  return population;
}
