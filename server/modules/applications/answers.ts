import { Problem } from '../../contract/problem.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Document } from '../documents/index.ts';
import type { Requirement } from './application.ts';
import type { OpenRequest } from './information-store.ts';
import { missingProblem, sourcesOf } from './requirements.ts';

type Item = OpenRequest['items'][number];

/** What may answer an item: what meets its requirement, narrowed to the document that was named. */
function answersTo({ requirementKey, documentType }: Item): Requirement['satisfiedBy'] {
  return sourcesOf(requirementKey).filter((source) => documentType === null || source.documentType === documentType);
}

/** The members that the applicant is asked for, as JSON Pointers. */
export function editableFields({ items }: Pick<OpenRequest, 'items'>): string[] {
  return items.flatMap(answersTo).flatMap(({ pointer = [] }) => pointer);
}

/** The members that a patch names, as precisely as requests ask for them. */
function pointersOf({ applicant = {}, ...own }: components['schemas']['ApplicationUpdate']): string[] {
  return [...Object.keys(own).map((name) => `/${name}`), ...Object.keys(applicant).map((name) => `/applicant/${name}`)];
}

/** The members that a patch answers with; refused if it changes anything that nobody asked for. */
export function answeredMembers(open: Pick<OpenRequest, 'items'>, patch: components['schemas']['ApplicationUpdate']): string[] {
  const editable = editableFields(open);
  const given = pointersOf(patch);
  if (given.some((pointer) => !editable.includes(pointer))) throw new Problem('application_not_editable', { editableFields: editable });
  return given;
}

/** The items that a document of the type answers; refused if it answers none, because only what is asked for is uploaded while the applicant is waited for. */
export function answeredBy({ id, items }: Pick<OpenRequest, 'id' | 'items'>, type: Document['type']): NonNullable<Document['answers']> {
  const answered = items.filter((item) => answersTo(item).some(({ documentType }) => documentType === type));
  if (answered.length > 0) return { informationRequestId: id, requirementKeys: answered.map(({ requirementKey }) => requirementKey) };
  const types = items.flatMap(answersTo).flatMap(({ documentType = [] }) => documentType);
  const message = types.length === 0 ? 'is not asked for; the open request names no document' : `is not asked for; the open request names: ${types.join(', ')}`;
  throw new Problem('validation_failed', { errors: [{ pointer: '/type', code: 'not_requested', message }] });
}

/** Everything that was asked for was sent since: a member, also with the value that it had, or a document. */
export function assertAnswered(open: OpenRequest, documents: readonly Pick<Document, 'type' | 'status' | 'createdAt'>[], requirements: readonly Requirement[]): void {
  const isSent = (item: Item): boolean => answersTo(item).some(({ pointer, documentType }) => (pointer !== undefined && open.provided.includes(pointer))
    || documents.some(({ type, status, createdAt }) => type === documentType && (status === 'uploaded' || status === 'accepted') && createdAt >= open.createdAt));
  const unsent = open.items.filter((item) => !isSent(item)).map(({ requirementKey }) => requirementKey);
  const missing = requirements.filter(({ key }) => unsent.includes(key)).map((requirement): Requirement => ({ ...requirement, status: 'missing', reasonCode: 'requested_anew' }));
  if (missing.length > 0) throw missingProblem(missing);
}
