/** The outline of a page: heading, sections, facts. Used by all pages. */
import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly badges?: ReactNode;
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

/** Whether a page was shown before. The first one leaves the focus where the browser has put it. */
let hasShownPage = false;

/** A page of the dashboard: sets the title of the document and, after a navigation, focuses its heading. */
export function Page({ title, lead, actions, badges, narrow = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Compliance Onboarding`;
  }, [title]);
  useEffect(() => {
    if (hasShownPage) heading.current?.focus();
    hasShownPage = true;
  }, []);
  return (
    <div className={narrow ? 'page narrow' : 'page'}>
      <header className="page-header">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {badges}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
        {lead !== undefined && <div className="lead">{lead}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with its own heading. */
export function Section({
  title,
  actions,
  children,
  id,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly id?: string;
}) {
  return (
    <section className="card stack" aria-label={title} id={id}>
      <div className="section-header">
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Facts about a record: names and values. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
