import { problems } from '../contract/generated/problems.ts';
import type { Problem } from './problem.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** The RFC 9457 document of a problem, members of the RFC first. */
export function problemDocument(problem: Problem, requestId: string): Record<string, unknown> {
  const { detail, errors, ...extensions } = problem.members;
  const document: Record<string, unknown> = {
    type: `/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: problem.status,
  };
  if (detail !== undefined) document['detail'] = detail;
  document['instance'] = `urn:uuid:${requestId}`;
  document['code'] = problem.code;
  document['requestId'] = requestId;
  if (errors !== undefined) document['errors'] = errors;
  for (const [name, value] of Object.entries(extensions)) if (value !== undefined) document[name] = value;
  return document;
}
