/** Where the bodies of the operations of businesses are read back. A part of the table in read-back-locations.ts. */
import type { OperationId } from '../../server/contract/operation.ts';
import type { Answered, ReadBack } from './read-back.ts';

const power: ReadBack = {
  get: [({ id }, { businessId }) => `/v1/businesses/${businessId ?? ''}/powers/${id as string}`, (body) => body],
  list: ['/v1/businesses/{businessId}/powers', 'id', ({ id }) => id as string],
};

export const readBackOfBusinesses: { readonly [Id in OperationId]?: ReadBack } = {
  createPower: power,
  updatePower: power,
  confirmPower: {
    ...power,
    as: ({ confirmationNote, evidenceDigest }) => ({ note: confirmationNote, evidenceDigest }),
    writeOnly: { '/sourceDocumentSha256': 'it is compared with the document' },
  },
  revokePower: {
    ...power,
    as: ({ revokedAt, revocationReason, revocationDocumentId }: Answered) => ({
      revokedAt,
      reasonCode: revocationReason,
      documentId: revocationDocumentId,
    }),
  },
  resolveRegistryDifference: {
    get: [
      (_, { businessId }) => `/v1/businesses/${businessId ?? ''}/registry`,
      ({ differences }) => (differences as Answered[]).at(-1)!,
    ],
  },
  createSigningEvaluation: {
    get: [
      ({ id }, { businessId }) => `/v1/businesses/${businessId ?? ''}/signing-evaluations/${id as string}`,
      (body) => body,
    ],
  },
};
