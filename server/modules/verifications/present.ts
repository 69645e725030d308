/** Shows a verification to its reader, with personal data masked if the reader sees it so. Used by the handlers. */
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { shown } from '../../rules/mask.ts';
import type { VerificationRecord } from './store.ts';

type Verification = components['schemas']['Verification'];

interface Reader {
  readonly principal: AnyPrincipal;
}

/** Presents a verification as its reader may see it. */
export function present(record: VerificationRecord, reader: Reader): Verification {
  const { documentIds, selfieDocumentId, challengeId, mrzLines, errorCode, ...rest } = record;
  const { subject: _subject, proves: _proves, wantedOutcome: _wanted, overriddenTo: _to, ...own } = rest;
  return shown(
    'Verification',
    {
      ...own,
      inputs: {
        documentIds: [...documentIds],
        selfieDocumentId,
        challengeId,
        mrzLines: [...(mrzLines ?? [])],
      },
      personalDataMasked: reader.principal.personalData === 'masked',
      error: errorCode === null ? null : { code: errorCode, retryable: errorCode !== 'provider_invalid_answer' },
    },
    reader,
  );
}
