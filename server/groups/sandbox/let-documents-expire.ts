import { Problem } from '../../http/problem.ts';
import { expireDocuments } from '../applications/index.ts';
import { sandboxTime } from './clock.ts';
import type { Effect, Simulating } from './simulate.ts';

/** The documents are past their date since yesterday; requirements that they met may not be met any more. */
export async function letDocumentsExpire({ tx, visible, now }: Simulating, target: { readonly type: string; readonly id: string }): Promise<Effect[]> {
  const result = await expireDocuments(tx, { ...target, visible }, await sandboxTime(tx, now));
  if (result.outcome !== 'expired') throw new Problem(result.outcome === 'live' ? 'target_is_live' : 'not_found');
  const { applicationId, expiresOn, documents, requirements } = result;
  return [
    ...documents.map(({ documentId, expiredOn }) => ({
      resource: { type: 'document', id: documentId }, change: `expiresOn ${expiredOn ?? 'null'} to ${expiresOn}`,
    })),
    ...requirements.map(({ key, status, reasonCode }) => ({
      resource: { type: 'application', id: applicationId }, change: `requirement ${key}: ${status}, ${reasonCode ?? 'no reason'}`,
    })),
  ];
}
