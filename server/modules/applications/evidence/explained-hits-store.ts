/**
 * Says of each hit of the newest screening of an applicant why its score is what it is. Used by the evidence pack. The
 * tables belong to the module screenings, so a change there must be followed here.
 */
import type { KeyObject } from 'node:crypto';
import type { components } from '../../../contract/generated/types.ts';
import { sql, statement, type Transaction } from '../../../database/index.ts';
import { featuresOf } from '../../../screening/engine/features.ts';
import type { Judgement } from '../../../screening/engine/judgement.ts';
import { type Sentence, sentenceOf } from '../../../screening/sentences.ts';
import { openValue, type Sealed } from '../../subject-keys/index.ts';
import { sealContextOfHit } from './screening-store.ts';

interface StoredHit {
  readonly id: string;
  readonly screeningId: string;
  readonly listId: string;
  readonly score: number;
  readonly status: components['schemas']['HitStatus'];
  readonly content: Sealed;
}

const find = statement<{ tenantId: string; applicationId: string }, StoredHit>(
  'application.hitsOfNewestScreening',
  (p) => sql`
  SELECT h.id, h.screening_id AS "screeningId", h.list_id AS "listId", h.score, h.status, h.content
  FROM screening_hit h WHERE h.tenant_id = ${p.tenantId}::uuid AND h.screening_id = (
    SELECT s.id FROM screening s WHERE s.tenant_id = ${p.tenantId}::uuid AND s.subject_id = ${p.applicationId}::uuid
      ORDER BY s.sequence DESC LIMIT 1) ORDER BY h.position`,
);

/** A hit with its reasons in sentences. */
export interface ExplainedHit extends Omit<StoredHit, 'content'> {
  readonly subjectName: string;
  readonly listedName: string;
  readonly reasons: readonly Sentence[];
}

/** Returns the hits of the newest screening, the highest score first. */
export async function explainedHits(
  tx: Transaction,
  of: { readonly tenantId: string; readonly applicationId: string },
  key: KeyObject,
): Promise<ExplainedHit[]> {
  return (await tx.run(find, of)).map(({ content, ...hit }) => {
    const { judgement } = openValue(key, sealContextOfHit(hit.id), content) as { readonly judgement: Judgement };
    return {
      ...hit,
      subjectName: judgement.subjectName,
      listedName: judgement.listedName.name,
      reasons: featuresOf(judgement).map(sentenceOf),
    };
  });
}
