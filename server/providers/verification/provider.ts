/** What a provider of verifications is asked, and what it answers. */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Check, ConcludedStatus } from '../../verification/check.ts';
import type { FieldName, StatedPerson } from '../../verification/document.ts';
import type { StatedAddress } from '../../verification/proof-of-address.ts';
import type { Movement } from '../../verification/liveness.ts';
import type { Failed } from '../../verification/reader/readers.ts';

type Schemas = components['schemas'];

export type VerificationType = Schemas['VerificationTypeInput'];
/** What the documents of a verification prove: the identity of the applicant, or the address. */
export type Proven = 'identity' | 'address';
export type RegistrySource = Schemas['RegistrySourceInput'];
/** Outcome that a caller sets in the sandbox. */
export type WantedOutcome = Schemas['VerificationSandbox']['outcome'];
/** Code of an error of a provider. */
export type ProviderErrorCode = Schemas['VerificationError']['code'];

/** Document or selfie, as it was uploaded. */
export interface JobDocument {
  readonly side: Schemas['Document']['side'];
  readonly mediaType: Schemas['Document']['mimeType'];
  readonly bytes: Uint8Array;
}

/** One verification, as a provider sees it. It contains no id of the service and nothing of other applicants. */
export interface VerificationJob {
  /** The same for every run of the verification, so that a vendor can recognise that it is asked again. */
  readonly idempotencyKey: string;
  readonly environment: Environment;
  readonly type: VerificationType;
  readonly registrySource: RegistrySource | null;
  readonly person: StatedPerson;
  readonly proves: Proven;
  /** Address of the applicant if the documents prove one and the applicant stated one. */
  readonly address: StatedAddress | null;
  readonly wantedOutcome: WantedOutcome | null;
  readonly mrzLines: readonly string[] | null;
  readonly documents: readonly JobDocument[];
  readonly selfie: JobDocument | null;
  /** Movements of the challenge, and SHA-256 hashes and pictures (JPEG) of its frames; null without a challenge. */
  readonly challenge: {
    readonly actions: readonly Movement[];
    readonly frames: readonly string[];
    readonly pictures: readonly Uint8Array[];
  } | null;
  /** Number of earlier verifications of the type that ended with an error. */
  readonly earlierErrors: number;
  /** YYYY-MM-DD */
  readonly today: string;
}

/** Values that were read from a document. */
export type Extracted = Readonly<Partial<Record<FieldName, Schemas['ExtractedField']>>> & {
  readonly mrzType: string | null;
};

/** Answer of a provider. */
export interface ProviderAnswer {
  readonly status: ConcludedStatus;
  readonly confidence: number | null;
  readonly checks: readonly Check[];
  readonly extracted: Extracted | null;
}

/** A source of verifications: a part of the service, the sandbox, or a vendor. */
export interface VerificationProvider {
  readonly id: string;
  readonly version: string;
  /** Milliseconds in which it answers; after that, its silence is an error. */
  readonly within: number;
  /** Throws `ProviderError` if there is no answer. An error is never an outcome. */
  verify(job: VerificationJob, signal: AbortSignal): Promise<ProviderAnswer>;
}

/** A provider did not answer, or not in time, or not in the agreed form. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderErrorCode;

  constructor(code: ProviderErrorCode, options?: ErrorOptions) {
    super(`The provider of the verification failed: ${code}`, options);
    this.code = code;
  }
}

/** Throws what it means that a process of the service gave no answer: an error, which says nothing about anybody. */
export function withoutAnswer({ failure }: Failed, signal: AbortSignal): never {
  // Told to stop, it has given no answer of any kind, and the work is repeated.
  signal.throwIfAborted();
  throw new ProviderError(failure === 'late' ? 'provider_timeout' : 'provider_unavailable');
}
