/**
 * What was done with an application or a company, newest first. Part of the pages of both. The link to the audit log
 * is only for roles that may read that.
 */
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { useEventWords } from '../audit/event-words.tsx';
import { useConsentNames } from './consents/consent-words.ts';
import { useDecisionNames } from './decisions/decision-words.ts';
import type { Subject } from './subject.ts';
import { nameOf, useNames } from './words.ts';

const words = inLanguages({
  en: {
    title: 'History',
    all: 'Open in the audit log',
  },
  pt: {
    title: 'Histórico',
    all: 'Abrir na trilha de auditoria',
  },
});

type Event = Omit<Schemas['BusinessEvent'], 'powerId'> & Partial<Pick<Schemas['ApplicationEvent'], 'consentPurpose'>>;

const paging = {
  initialPageParam: null,
  getNextPageParam: (page: { readonly cursor: string | null }) => page.cursor,
};

/** Shows the actions on the record and their actors, newest first. */
export function History({ subject: { kind, id } }: { readonly subject: Pick<Subject, 'kind' | 'id'> }) {
  const t = useWords(words);
  const mayAudit = useMay()('listAuditEvents');
  const ofApplication = api.useInfiniteQuery(
    'get',
    '/v1/applications/{applicationId}/timeline',
    { params: { path: { applicationId: id } } },
    { ...paging, enabled: kind === 'application' },
  );
  const ofBusiness = api.useInfiniteQuery(
    'get',
    '/v1/businesses/{businessId}/timeline',
    { params: { path: { businessId: id } } },
    { ...paging, enabled: kind === 'business' },
  );
  const pages = kind === 'application' ? ofApplication : ofBusiness;
  const events = useMemo(
    () => pages.data?.pages.flatMap(({ items }: { readonly items: readonly Event[] }) => items) ?? [],
    [pages.data],
  );
  return (
    <Section title={t.title}>
      <Loaded<unknown> query={pages}>
        {() => (
          <div className="stack">
            <ol className="history">
              {events.map((event) => (
                <Entry key={event.id} event={event} />
              ))}
            </ol>
            {pages.hasNextPage && <More pages={pages} count={events.length} />}
            {mayAudit && (
              <p>
                <ButtonLink small to="/audit" search={{ resourceId: id }}>
                  {t.all}
                </ButtonLink>
              </p>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Entry({
  event: { occurredAt, type, actor, documentType, consentPurpose = null, decisionOutcome, requirementKey },
}: {
  readonly event: Event;
}) {
  const { action } = useEventWords();
  const names = useNames();
  const { purposes } = useConsentNames();
  const { outcomes } = useDecisionNames();
  const format = useFormat();
  const about = [
    documentType === null ? '' : nameOf(names.documentTypes, documentType),
    consentPurpose === null ? '' : nameOf(purposes, consentPurpose),
    decisionOutcome === null ? '' : nameOf(outcomes, decisionOutcome),
    requirementKey === null ? '' : nameOf(names.requirements, requirementKey),
  ];
  return (
    <li>
      <span>{[action(type), ...about].filter(Boolean).join(': ')}</span>
      <span className="muted">
        <time dateTime={occurredAt}>{format.precise(occurredAt)}</time> · {actor.display}
      </span>
    </li>
  );
}
