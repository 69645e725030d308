/**
 * Rules of answers to a request for information, without input or output: which members may change, which documents are
 * accepted, and whether everything was answered. Used by changes of applications and by uploads. Refuses what was not
 * asked for, because an application that waits for its applicant is not open to other changes.
 */
import { Problem } from '../../../contract/problem.ts';
import type { components } from '../../../contract/generated/types.ts';
import { answeredByDocument, answersTo, type OpenRequest, unansweredRequirements } from '../../decisions/index.ts';
import type { Document } from '../../documents/index.ts';
import type { Requirement } from '../record/application.ts';
import { sourcesOf } from './requirement-rules.ts';
import { missingProblem } from './requirements.ts';

/** Returns the members that the request asks for, as JSON Pointers. */
export function editableFields({ items }: Pick<OpenRequest, 'items'>): string[] {
  return items.flatMap((item) => answersTo(item, sourcesOf)).flatMap(({ pointer = [] }) => pointer);
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

/** Returns the items that a document of the type answers. Rejects a document that was not asked for. */
export function answeredBy(
  open: Pick<OpenRequest, 'id' | 'items'>,
  type: Document['type'],
): NonNullable<Document['answers']> {
  return answeredByDocument(open, type, sourcesOf);
}

/** Rejects a resubmission unless a member or a document was sent for each item after the request was created. */
export function assertAnswered(
  open: OpenRequest,
  documents: readonly Pick<Document, 'type' | 'status' | 'createdAt'>[],
  requirements: readonly Requirement[],
): void {
  const missing = unansweredRequirements(open, documents, requirements, sourcesOf);
  if (missing.length > 0) throw missingProblem(missing);
}
