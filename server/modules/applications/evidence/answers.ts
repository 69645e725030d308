/**
 * Rules of answers to a request for information, without input or output: which members may change, which documents are
 * accepted, and whether everything was answered. Used by changes of applications and by uploads. Refuses what was not
 * asked for, because an application that waits for its applicant is not open to other changes.
 */
import { Problem } from '../../../contract/problem.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { OpenRequest } from '../../decisions/index.ts';
import type { Document } from '../../documents/index.ts';
import type { Requirement } from '../record/application.ts';
import { sourcesOf } from './requirement-rules.ts';
import { missingProblem } from './requirements.ts';

type Item = OpenRequest['items'][number];

/**
 * Returns what answers an item: the sources of its requirement, narrowed to the document type if the item names one.
 */
function answersTo({ requirementKey, documentType }: Item): Requirement['satisfiedBy'] {
  return sourcesOf(requirementKey).filter((source) => documentType === null || source.documentType === documentType);
}

/** Returns the members that the request asks for, as JSON Pointers. */
export function editableFields({ items }: Pick<OpenRequest, 'items'>): string[] {
  return items.flatMap(answersTo).flatMap(({ pointer = [] }) => pointer);
}

/** Returns the members that a patch contains, as JSON Pointers at the depth at which requests ask for members. */
function pointersOf({ applicant = {}, ...own }: components['schemas']['ApplicationUpdate']): string[] {
  return [...Object.keys(own).map((name) => `/${name}`), ...Object.keys(applicant).map((name) => `/applicant/${name}`)];
}

/** Returns the members that a patch contains. Rejects the patch if the request does not ask for one of them. */
export function answeredMembers(
  open: Pick<OpenRequest, 'items'>,
  patch: components['schemas']['ApplicationUpdate'],
): string[] {
  const editable = editableFields(open);
  const sent = pointersOf(patch);
  if (sent.some((pointer) => !editable.includes(pointer)))
    throw new Problem('application_not_editable', { editableFields: editable });
  return sent;
}

/**
 * Returns the items that a document of the type answers. Rejects the document if it answers none, because an
 * application that waits for its applicant takes in only what the request asks for.
 */
export function answeredBy(
  { id, items }: Pick<OpenRequest, 'id' | 'items'>,
  type: Document['type'],
): NonNullable<Document['answers']> {
  const answered = items.filter((item) => answersTo(item).some(({ documentType }) => documentType === type));
  if (answered.length > 0)
    return { informationRequestId: id, requirementKeys: answered.map(({ requirementKey }) => requirementKey) };
  const types = items.flatMap(answersTo).flatMap(({ documentType = [] }) => documentType);
  const message =
    types.length === 0
      ? 'is not asked for; the open request names no document'
      : `is not asked for; the open request names: ${types.join(', ')}`;
  throw new Problem('validation_failed', { errors: [{ pointer: '/type', code: 'not_requested', message }] });
}

/**
 * Rejects a resubmission unless a member or a document was sent for each item after the request was created. A member
 * that is sent again with its old value counts.
 */
export function assertAnswered(
  open: OpenRequest,
  documents: readonly Pick<Document, 'type' | 'status' | 'createdAt'>[],
  requirements: readonly Requirement[],
): void {
  const isSent = (item: Item): boolean =>
    answersTo(item).some(
      ({ pointer, documentType }) =>
        (pointer !== undefined && open.provided.includes(pointer)) ||
        documents.some(
          ({ type, status, createdAt }) =>
            type === documentType && (status === 'uploaded' || status === 'accepted') && createdAt >= open.createdAt,
        ),
    );
  const unsent = open.items.filter((item) => !isSent(item)).map(({ requirementKey }) => requirementKey);
  const missing = requirements
    .filter(({ key }) => unsent.includes(key))
    .map((requirement): Requirement => ({ ...requirement, status: 'missing', reasonCode: 'requested_anew' }));
  if (missing.length > 0) throw missingProblem(missing);
}
