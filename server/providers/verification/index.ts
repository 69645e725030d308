/**
 * Providers of verifications, by type and environment.
 *
 * `provider.ts` defines what a provider is asked and answers. `embedded.ts` is the part of the service that needs no
 * contract with a vendor (server/verification), `sandbox.ts` simulates the personas. An error of a provider is an error
 * and never an outcome, and a type without a provider has none: the caller is told so.
 *
 * The providers have no tables and know no tenant; they may use verification, the personas and the types of the
 * contract.
 *
 * `POST /v1/verifications`: the module asks `providerFor`, and refuses with `provider_not_configured` if the answer is
 * a gap. Its task calls `verify`, and stores the checks with the name and version of the provider.
 */
import { personaFor } from '../personas/index.ts';
import { embeddedProvider } from './embedded.ts';
import type { VerificationJob, VerificationProvider } from './provider.ts';
import { sandboxProvider } from './sandbox.ts';

export {
  type Extracted,
  type ProviderAnswer,
  ProviderError,
  type ProviderErrorCode,
  type RegistrySource,
  type VerificationJob,
  type VerificationProvider,
  type VerificationType,
  type WantedOutcome,
} from './provider.ts';

/** Why there is no provider, in words for the caller. */
export interface Gap {
  readonly gap: string;
}

const GAPS: Readonly<Record<VerificationJob['type'], string>> = {
  document_ocr: 'This installation has no reader of pictures. Send `mrzLines`, or attest the check.',
  face_match: 'This installation has no models for faces.',
  liveness: 'This installation has no models for faces.',
  registry: 'No connection to this register is configured.',
};

/** Returns the provider of a verification, or why there is none. */
export function providerFor({
  environment,
  type,
  person,
  wantedOutcome,
  mrzLines,
}: Pick<VerificationJob, 'environment' | 'type' | 'person' | 'wantedOutcome' | 'mrzLines'>):
  | VerificationProvider
  | Gap {
  const isPersona = person.cpf !== null && personaFor(person.cpf) !== null;
  if (environment === 'sandbox' && (wantedOutcome !== null || isPersona)) return sandboxProvider;
  return type === 'document_ocr' && mrzLines !== null ? embeddedProvider : { gap: GAPS[type] };
}
