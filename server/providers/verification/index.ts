/**
 * Providers of verifications, by the settings of the tenant, by type and by environment.
 *
 * `provider.ts` defines what a provider is asked and answers. `embedded.ts` and `embedded-faces.ts` are the parts of
 * the service that need no contract with a vendor (server/verification), `picture-reader.ts` and `face-reader.ts` their
 * processes, `connector.ts` the connection of the operator to a vendor, `roots.ts` reads whose signatures are trusted,
 * and `sandbox.ts` simulates the personas. An error of a provider is an error and never an outcome, and a type without
 * a provider has none: the caller is told so.
 *
 * The providers have no tables and know no tenant; they may use verification, the personas and the types of the
 * contract.
 *
 * `POST /v1/verifications`: the module asks `providersFor`, and refuses with `provider_not_configured` if the answer is
 * a gap. Its task calls `verify` of the first, of the second only if the first gave an error, and stores the checks
 * with the name and version of the provider.
 */
import type { X509Certificate } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import { personaFor } from '../personas/index.ts';
import type { Connector } from './connector.ts';
import { lineProvider, type PictureReader, pictureProvider } from './embedded.ts';
import { faceProvider, type FaceReader, livenessProvider } from './embedded-faces.ts';
import type { VerificationJob, VerificationProvider } from './provider.ts';
import { sandboxProvider } from './sandbox.ts';

export { type Connector, connectorTo, readConnectors } from './connector.ts';
export type { PictureReader } from './embedded.ts';
export type { FaceReader } from './embedded-faces.ts';
export { OwnFaceReader } from './face-reader.ts';
export { PictureReaders } from './picture-reader.ts';
export { readRoots } from './roots.ts';
export {
  type Extracted,
  type JobDocument,
  type ProviderAnswer,
  ProviderError,
  type ProviderErrorCode,
  type Proven,
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

/** What this installation has. */
export interface InstalledProviders {
  readonly pictureReader: PictureReader;
  readonly faceReader: FaceReader;
  /** Roots by which signatures of documents are trusted; empty if the operator has named none. */
  readonly roots: readonly X509Certificate[];
  /** Connections to vendors, which the operator has made; each type has at most one. */
  readonly connectors: readonly Connector[];
}

/** Who is asked about a type of verification, in this order; null is nobody. */
export type Route = readonly components['schemas']['ProviderRoute']['primary'][];

/** What decides who is asked. */
export interface Wanted
  extends Pick<VerificationJob, 'environment' | 'type' | 'person' | 'wantedOutcome' | 'mrzLines'> {
  /** Whether documents are named, and not only lines of a zone. */
  readonly hasDocuments: boolean;
}

/** Returns the providers of a verification in the order in which they are asked, or why there is none. */
export function providersFor(
  wanted: Wanted,
  route: Route,
  installed: InstalledProviders,
): readonly VerificationProvider[] | Gap {
  const { environment, type, person, wantedOutcome, mrzLines, hasDocuments } = wanted;
  const isPersona = person.cpf !== null && personaFor(person.cpf) !== null;
  if (environment === 'sandbox' && (wantedOutcome !== null || isPersona)) return [sandboxProvider];
  if (type === 'document_ocr' && !hasDocuments) return [lineProvider];
  const named = new Set(route.filter((name) => name !== null));
  const found = [...named].map((name) => (name === 'connector' ? connected : embedded)(type, installed));
  const providers = found.filter((one): one is VerificationProvider => 'verify' in one);
  if (providers.length > 0) return providers;
  if (type === 'document_ocr' && mrzLines !== null) return [lineProvider];
  const gaps = found.filter((one): one is Gap => 'gap' in one).map(({ gap }) => gap);
  return { gap: gaps.length > 0 ? gaps.join(' ') : 'Your settings (`providers`) name nobody for this type.' };
}

function embedded(
  type: VerificationJob['type'],
  { pictureReader, faceReader, roots }: InstalledProviders,
): VerificationProvider | Gap {
  if (type === 'registry') return { gap: 'The service itself asks no registers.' };
  const reader = type === 'document_ocr' ? pictureReader : faceReader;
  const gap = reader.gap();
  if (gap !== null)
    return { gap: `${gap} ${type === 'document_ocr' ? 'Send `mrzLines`, or attest the check.' : 'Attest the check.'}` };
  if (type === 'document_ocr') return pictureProvider(pictureReader, roots);
  return type === 'face_match' ? faceProvider(faceReader) : livenessProvider(faceReader);
}

function connected(type: VerificationJob['type'], { connectors }: InstalledProviders): VerificationProvider | Gap {
  const connector = connectors.find(({ types }) => types.includes(type));
  return connector ?? { gap: 'This installation connects no vendor for this type (VERIFICATION_CONNECTOR).' };
}
