/** Rules of the inputs of a verification: which ones a type takes, and which documents it can use. */
import type { components } from '../../contract/generated/types.ts';
import type { Body } from '../../contract/operation-types.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import type { Proven } from '../../providers/verification/index.ts';
import type { Document } from '../documents/index.ts';

type Inputs = NonNullable<components['schemas']['VerificationCreate']['inputs']>;
type Type = components['schemas']['VerificationTypeInput'];

/** Inputs that a type needs, and those that it takes besides. */
const TAKEN: Readonly<Record<Type, { readonly needs: readonly (keyof Inputs)[]; readonly mayHave: (keyof Inputs)[] }>> =
  {
    document_ocr: { needs: [], mayHave: ['documentIds', 'mrzLines'] },
    face_match: { needs: ['documentIds', 'selfieDocumentId'], mayHave: [] },
    liveness: { needs: ['challengeId'], mayHave: [] },
    registry: { needs: [], mayHave: [] },
  };
const MEMBERS = ['documentIds', 'selfieDocumentId', 'challengeId', 'mrzLines'] as const;

/** Types of documents that prove an identity. */
const OF_IDENTITY: readonly Document['type'][] = ['id_card', 'driver_license', 'passport', 'national_migration_card'];
/** Types of documents that can be read. */
const READABLE: readonly Document['type'][] = [...OF_IDENTITY, 'proof_of_address'];
/** Types of documents with two sides, of which both are needed, or a scan of both. */
const TWO_SIDED: readonly Document['type'][] = ['id_card', 'driver_license', 'national_migration_card'];

/** Checks that a body has the inputs that its type needs, and no others. */
export function inputFaults({
  type,
  registrySource,
  inputs = {},
}: ValidPart<Body<'createVerification'>>): FieldError[] {
  if (type === undefined) return [];
  const { needs, mayHave } = TAKEN[type];
  const required = (pointer: string): FieldError => ({
    pointer,
    code: 'required',
    message: `is required for a verification of the type ${type}`,
  });
  const unexpected = (pointer: string): FieldError => ({
    pointer,
    code: 'not_applicable',
    message: `is not for a verification of the type ${type}`,
  });
  const isRegistry = type === 'registry';
  const hasNothing = type === 'document_ocr' && inputs.documentIds === undefined && inputs.mrzLines === undefined;
  return [
    ...(hasNothing ? [required('/inputs/documentIds')] : []),
    ...(isRegistry && registrySource === undefined ? [required('/registrySource')] : []),
    ...(!isRegistry && registrySource !== undefined ? [unexpected('/registrySource')] : []),
    ...needs.filter((member) => inputs[member] === undefined).map((member) => required(`/inputs/${member}`)),
    ...MEMBERS.filter(
      (member) => inputs[member] !== undefined && !needs.includes(member) && !mayHave.includes(member),
    ).map((member) => unexpected(`/inputs/${member}`)),
  ];
}

type Known = Pick<Document, 'id' | 'type' | 'side' | 'status' | 'fileErasedAt'>;

/**
 * Rejects documents that are not of the application, or that the verification cannot use. Returns what the documents
 * prove.
 */
export function assertDocuments(
  { type, documentIds = [], selfieDocumentId, mrzLines }: Inputs & { readonly type: Type },
  documents: readonly Known[],
): Proven {
  const named = [
    ...documentIds.map((id, index) => ({
      id,
      pointer: `/inputs/documentIds/${index}`,
      types: type === 'document_ocr' ? READABLE : OF_IDENTITY,
    })),
    ...(selfieDocumentId === undefined
      ? []
      : [{ id: selfieDocumentId, pointer: '/inputs/selfieDocumentId', types: ['selfie'] as const }]),
  ].map((one) => ({ ...one, document: documents.find(({ id }) => id === one.id) }));
  const unknown = named.filter(({ document }) => document === undefined);
  if (unknown.length > 0)
    throw refused(
      'validation_failed',
      unknown.map(({ pointer }) => [pointer, 'unknown_document', 'must be a document of this application']),
    );
  const wrong = named.filter(({ document, types }) => !isUsable(document!) || !types.some((t) => t === document!.type));
  if (wrong.length > 0)
    throw refused(
      'document_wrong_type',
      wrong.map(({ pointer, types }) => [
        pointer,
        'document_type',
        `must be a current document of one of the types ${types.join(', ')}`,
      ]),
    );
  const read = named.filter(({ document }) => document!.type !== 'selfie').map(({ document }) => document!);
  assertSides(read);
  if (read[0]?.type !== 'proof_of_address') return 'identity';
  if (mrzLines !== undefined)
    throw refused('validation_failed', [['/inputs/mrzLines', 'not_applicable', 'is not for a proof of address']]);
  return 'address';
}

const isUsable = ({ status, fileErasedAt }: Known): boolean =>
  fileErasedAt === null && (status === 'uploaded' || status === 'accepted');

/** Rejects documents of two types, and a document with two sides of which only one is named. */
function assertSides(documents: readonly Known[]): void {
  const [first, second] = documents;
  if (first === undefined) return;
  const pointer = '/inputs/documentIds';
  if (second !== undefined && second.type !== first.type)
    throw refused('document_wrong_type', [[pointer, 'document_type', 'must be two sides of one document']]);
  const sides = documents.map(({ side }) => side);
  const isComplete = sides.includes('single') || (sides.includes('front') && sides.includes('back'));
  if (TWO_SIDED.includes(first.type) && !isComplete)
    throw refused('validation_failed', [[pointer, 'side_missing', 'must name the front and the back']]);
}

function refused(
  code: 'validation_failed' | 'document_wrong_type',
  faults: readonly (readonly [pointer: string, code: string, message: string])[],
): Problem {
  return new Problem(code, {
    errors: faults.map(([pointer, fault, message]) => ({ pointer, code: fault, message })),
  });
}
