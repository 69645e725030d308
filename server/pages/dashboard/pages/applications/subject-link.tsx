/** Links to the page of an application or a company with a form open. Used by the parts that both pages share. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApplicationSearch } from './search.ts';
import type { Subject } from './subject.ts';

interface Props {
  readonly subject: Pick<Subject, 'kind' | 'id'>;
  readonly search: ApplicationSearch;
  readonly label?: string;
  /** Whether the link looks like a small button. */
  readonly isButton?: boolean;
  readonly children: ReactNode;
}

export function SubjectLink({ subject: { kind, id }, search, label, isButton = false, children }: Props) {
  const rest = {
    search,
    resetScroll: false,
    ...(isButton && { className: 'button small' }),
    ...(label !== undefined && { 'aria-label': label }),
  };
  return kind === 'application' ? (
    <Link to="/applications/$applicationId" params={{ applicationId: id }} {...rest}>
      {children}
    </Link>
  ) : (
    <Link to="/businesses/$businessId" params={{ businessId: id }} {...rest}>
      {children}
    </Link>
  );
}

/** Returns a function that shows the page of the record with no form open. */
export function useOpenSubject({ kind, id }: Pick<Subject, 'kind' | 'id'>): () => void {
  const navigate = useNavigate();
  return () =>
    void (kind === 'application'
      ? navigate({ to: '/applications/$applicationId', params: { applicationId: id }, resetScroll: false })
      : navigate({ to: '/businesses/$businessId', params: { businessId: id }, resetScroll: false }));
}
