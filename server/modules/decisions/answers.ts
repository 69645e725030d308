/**
 * Rules of answers to a request for information that do not depend on the subject, without input or output: which items
 * a document answers, and which were not answered. Used, through the index, by the modules of subjects. Refuses what
 * was not asked for, because a subject that waits for an answer is not open to other changes.
 */
import { Problem } from '../../contract/problem.ts';
import type { Document } from '../documents/index.ts';
import type { OpenRequest } from './information-store.ts';
import type { Requirement, Source } from './requirements.ts';

type Item = OpenRequest['items'][number];
/** Returns the sources that meet a requirement of the subject. */
type SourcesOf = (requirementKey: string) => readonly Source[];

/**
 * Returns what answers an item: the sources of its requirement, narrowed to the document type if the item names one.
 */
export function answersTo({ requirementKey, documentType }: Item, sourcesOf: SourcesOf): readonly Source[] {
  return sourcesOf(requirementKey).filter((source) => documentType === null || source.documentType === documentType);
}

/**
 * Returns the items that a document of the type answers. Rejects the document if it answers none, because a subject
 * that waits for an answer takes in only what the request asks for.
 */
export function answeredByDocument(
  { id, items }: Pick<OpenRequest, 'id' | 'items'>,
  type: Document['type'],
  sourcesOf: SourcesOf,
): NonNullable<Document['answers']> {
  const answers = (item: Item): readonly Source[] => answersTo(item, sourcesOf);
  const answered = items.filter((item) => answers(item).some(({ documentType }) => documentType === type));
  if (answered.length > 0)
    return { informationRequestId: id, requirementKeys: answered.map(({ requirementKey }) => requirementKey) };
  const types = items.flatMap(answers).flatMap(({ documentType = [] }) => documentType);
  const message =
    types.length === 0
      ? 'is not asked for; the open request names no document'
      : `is not asked for; the open request names: ${types.join(', ')}`;
  throw new Problem('validation_failed', { errors: [{ pointer: '/type', code: 'not_requested', message }] });
}

/**
 * Returns the requirements for which neither a member nor a document was sent after the request was created. A member
 * that is sent again with its old value counts.
 */
export function unansweredRequirements(
  open: OpenRequest,
  documents: readonly Pick<Document, 'type' | 'status' | 'createdAt'>[],
  requirements: readonly Requirement[],
  sourcesOf: SourcesOf,
): Requirement[] {
  const isSent = (item: Item): boolean =>
    answersTo(item, sourcesOf).some(
      ({ pointer, documentType }) =>
        (pointer !== undefined && open.provided.includes(pointer)) ||
        documents.some(
          ({ type, status, createdAt }) =>
            type === documentType && (status === 'uploaded' || status === 'accepted') && createdAt >= open.createdAt,
        ),
    );
  const unsent = open.items.filter((item) => !isSent(item)).map(({ requirementKey }) => requirementKey);
  return requirements
    .filter(({ key }) => unsent.includes(key))
    .map((requirement): Requirement => ({ ...requirement, status: 'missing', reasonCode: 'requested_anew' }));
}
