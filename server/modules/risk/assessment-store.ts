import type { BusinessTime, BusinessTimestamp } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  boolean,
  businessTimestamp,
  code,
  every,
  type InsertOf,
  integer,
  json,
  keyset,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import type { RiskLevel } from '../../risk/model.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';

type Schemas = components['schemas'];

/** Version of a reference list that an assessment or a comparison used. */
export type ListVersion = Schemas['RiskListVersion'];

const OVERRIDDEN = 'a compliance officer overrides the level, or the override ends';

/** Assessments. The content of a row never changes; a later assessment supersedes it. */
export const assessment = table(
  'risk_assessment',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    trigger: code<Schemas['RiskTrigger']>(),
    modelId: uuid(),
    modelNumber: integer(),
    modelChecksum: code(),
    lists: json<readonly ListVersion[]>().impersonal('versions of reference lists'),
    // In units of 0.0001.
    score: integer(),
    baseLevel: code<RiskLevel>(),
    level: code<RiskLevel>(),
    requiresEnhanced: boolean(),
    // JSON, sealed: the explanation, and the facts.
    result: text().sealed().erasedTo(''),
    snapshot: text().sealed().erasedTo(''),
    inputsChecksum: text().unsealed('a keyed digest, which reveals only whether two values are equal').erasedTo(''),
    effectiveLevel: code<RiskLevel>().changes(OVERRIDDEN),
    overriddenUntil: businessTimestamp().nullable().defaulted().changes(OVERRIDDEN),
    supersededById: uuid().nullable().defaulted().changes('a later assessment supersedes this one'),
    createdAt: businessTimestamp(),
    lastRecalculatedAt: businessTimestamp().changes('the same facts were assessed again by the same model'),
    levelChangedAt: businessTimestamp().changes(OVERRIDDEN),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    timeline: {
      'risk.assessed': null,
      'risk.overridden': null,
      'risk.override_expired': null,
    },
    example: {
      trigger: 'submit',
      score: 100_000,
      baseLevel: 'low',
      level: 'low',
      effectiveLevel: 'low',
      modelChecksum: '0'.repeat(64),
      lists: [],
    },
  },
);

const columns = assessment.except('tenantId');
export type Assessment = RowOf<typeof columns>;
const summary = assessment.except('tenantId', 'result', 'snapshot', 'inputsChecksum', 'lists', 'baseLevel');
export type AssessmentSummary = RowOf<typeof summary>;

type Key = { tenantId: string; id: string };

const insert = statement<InsertOf<typeof assessment>>('risk.insert', (p) => assessment.insert(p));

const find = statement<Key, Assessment>(
  'risk.find',
  (p) => sql`SELECT ${columns} FROM risk_assessment WHERE ${assessment.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const findCurrent = bySubject((member, kind) =>
  statement<OfSubject, Assessment>(
    `risk.current.${kind}`,
    (p) => sql`
  SELECT ${columns} FROM risk_assessment WHERE ${assessment.equal({
    tenantId: p.tenantId,
    [member]: p.subjectId,
    supersededById: null,
  })}`,
  ),
);

const supersede = bySubject((member, kind) =>
  statement<OfSubject & { by: string }>(
    `risk.supersede.${kind}`,
    (p) => sql`
  UPDATE risk_assessment SET ${assessment.assign({ supersededById: p.by })}
    WHERE ${assessment.equal({ tenantId: p.tenantId, [member]: p.subjectId, supersededById: null })}`,
  ),
);

const recalculated = statement<Key & { at: BusinessTime }>(
  'risk.recalculated',
  (p) => sql`
  UPDATE risk_assessment SET ${assessment.assign({ lastRecalculatedAt: p.at })}
    WHERE ${assessment.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

type Effective = {
  effectiveLevel: RiskLevel;
  overriddenUntil: BusinessTimestamp | null;
  levelChangedAt: BusinessTimestamp;
};

const setLevel = statement<Key & Effective>(
  'risk.setLevel',
  (p) => sql`
  UPDATE risk_assessment SET ${assessment.assign({
    effectiveLevel: p.effectiveLevel,
    overriddenUntil: p.overriddenUntil,
    levelChangedAt: p.levelChangedAt,
  })}
  WHERE ${assessment.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

export async function findAssessment(tx: Transaction, id: string): Promise<Assessment | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, id }))[0] ?? null;
}

/** Finds the assessment of a subject that no later one has superseded. */
export async function currentAssessment(tx: Transaction, subject: Subject): Promise<Assessment | null> {
  return (await tx.run(findCurrent(subject), keyOf(tx, subject)))[0] ?? null;
}

/** Inserts an assessment, which supersedes the one before. The caller must hold the lock on the subject. */
export function insertAssessment(
  tx: Transaction,
  subject: Subject,
  row: Omit<InsertOf<typeof assessment>, 'tenantId'>,
): void {
  void tx.run(supersede(subject), { ...keyOf(tx, subject), by: row.id });
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Records that the current assessment was computed again with the same result. */
export function noteRecalculated(tx: Transaction, id: string, at: BusinessTime): void {
  void tx.run(recalculated, { tenantId: tx.tenantId!, id, at });
}

/** Sets the level that counts, when an override begins or ends. */
export function setEffectiveLevel(tx: Transaction, id: string, effective: Effective): void {
  void tx.run(setLevel, { tenantId: tx.tenantId!, id, ...effective });
}

export interface AssessmentFilter {
  readonly environment: Environment;
  readonly applicationId?: string | undefined;
  readonly businessId?: string | undefined;
  readonly levels: readonly RiskLevel[];
  readonly modelId?: string | undefined;
  readonly overridden?: boolean | undefined;
  readonly superseded: boolean;
}

interface ListPage {
  readonly by: 'createdAt' | 'score';
  readonly direction: 'asc' | 'desc';
  readonly after: Position | null;
  readonly count: number;
}

export function listAssessments(
  tx: Transaction,
  { environment, applicationId, businessId, levels, modelId, overridden, superseded }: AssessmentFilter,
  { by, direction, after, count }: ListPage,
): Promise<AssessmentSummary[]> {
  const page = keyset(
    {
      key: assessment.column(by),
      type: by === 'score' ? sql`integer` : sql`timestamptz`,
      id: sql`id`,
      direction,
    },
    after,
  );
  return tx.query<AssessmentSummary>(sql`
    SELECT ${summary} FROM risk_assessment WHERE ${every([
      assessment.equal({ tenantId: tx.tenantId!, environment, erasedAt: null }),
      !superseded && assessment.equal({ supersededById: null }),
      applicationId !== undefined && assessment.equal({ applicationId }),
      businessId !== undefined && assessment.equal({ businessId }),
      modelId !== undefined && assessment.equal({ modelId }),
      levels.length > 0 && sql`effective_level = ANY (${levels})`,
      overridden !== undefined && sql`(overridden_until IS NOT NULL) = ${overridden}`,
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
}
