import { isDeepStrictEqual } from 'node:util';
import type { ApplicationRecord } from './application.ts';
import { application } from './store/application-row.ts';

/** Which members changed, for the audit log: without values, because the log can never forget personal data. */
export function changedMembers(before: ApplicationRecord, after: ApplicationRecord): { op: 'replace'; path: string }[] {
  const own = application.changed(before, after).map((name) => `/${name}`);
  const names = Object.keys(after.applicant) as (keyof typeof after.applicant)[];
  const personal = names.filter((name) => !isDeepStrictEqual(before.applicant[name], after.applicant[name])).map((name) => `/applicant/${name}`);
  return [...own, ...personal].map((path) => ({ op: 'replace', path }));
}

/** A status says nothing about the person, so it stands there in full. */
export function changedStatus({ status, statusReason }: Pick<ApplicationRecord, 'status' | 'statusReason'>): { op: 'replace'; path: string; value: string | null }[] {
  return [{ op: 'replace', path: '/status', value: status }, { op: 'replace', path: '/statusReason', value: statusReason }];
}
