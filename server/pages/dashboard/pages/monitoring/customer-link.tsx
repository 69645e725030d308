/** A link to the page of a monitored customer, an applicant or a company. Part of monitoring-page.tsx. */
import type { ReactNode } from 'react';
import { SubjectLink } from '../applications/subject-link.tsx';

interface Props {
  readonly applicationId: string | null;
  readonly businessId: string | null;
  readonly children: ReactNode;
}

/** Links to the one of the two records that is named. */
export function CustomerLink({ applicationId, businessId, children }: Props) {
  const subject =
    applicationId === null
      ? ({ kind: 'business', id: businessId ?? '' } as const)
      : ({ kind: 'application', id: applicationId } as const);
  return (
    <SubjectLink subject={subject} search={{}}>
      {children}
    </SubjectLink>
  );
}
