import { useMemo } from 'react';
import { api, type Schemas } from '../../app/api.ts';
import { useMay } from '../../app/current.tsx';
import { inLanguages, useWords } from '../../app/language.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { useConsentNames } from './consents/consent-words.ts';
import { useDecisionNames } from './decisions/decision-words.ts';
import { nameOf, useNames } from './words.ts';

const words = inLanguages({
  en: {
    title: 'History', all: 'Open in the audit log',
    actions: {
      'application.created': 'Created', 'application.updated': 'Data changed', 'application.submitted': 'Submitted', 'application.withdrawn': 'Withdrawn',
      'application.expired': 'Expired', 'document.uploaded': 'Document added', 'document.deleted': 'Document deleted', 'document.rejected': 'Document rejected', 'consent.granted': 'Consent given', 'consent.withdrawn': 'Consent withdrawn', 'application.reopened': 'Reopened',
      'decision.proposed': 'Decided', 'decision.auto_approved': 'Decided without a person', 'decision.confirmed': 'Decision confirmed', 'decision.returned': 'Decision returned', 'decision.invalidated': 'Decision no longer stands',
      'information_request.created': 'Information asked for', 'information_request.answered': 'Information provided', 'information_request.overdue': 'Information not provided in time', 'application.relationship_ended': 'Relationship ended', 'requirement.waived': 'Requirement waived', 'requirement.waiver_revoked': 'Requirement no longer waived', 'requirement.attested': 'Look-up attested',
    },
  },
  pt: {
    title: 'Histórico', all: 'Abrir na trilha de auditoria',
    actions: {
      'application.created': 'Criada', 'application.updated': 'Dados alterados', 'application.submitted': 'Enviada', 'application.withdrawn': 'Retirada',
      'application.expired': 'Expirada', 'document.uploaded': 'Documento acrescentado', 'document.deleted': 'Documento excluído', 'document.rejected': 'Documento recusado', 'consent.granted': 'Consentimento dado', 'consent.withdrawn': 'Consentimento revogado', 'application.reopened': 'Reaberta',
      'decision.proposed': 'Decidida', 'decision.auto_approved': 'Decidida sem uma pessoa', 'decision.confirmed': 'Decisão confirmada', 'decision.returned': 'Decisão devolvida', 'decision.invalidated': 'Decisão não vale mais',
      'information_request.created': 'Informações pedidas', 'information_request.answered': 'Informações enviadas', 'information_request.overdue': 'Informações fora do prazo', 'application.relationship_ended': 'Relacionamento encerrado', 'requirement.waived': 'Requisito dispensado', 'requirement.waiver_revoked': 'Requisito não mais dispensado', 'requirement.attested': 'Consulta atestada',
    },
  },
});

/** What was done with the application, by whom, newest first. */
export function History({ applicationId }: { readonly applicationId: string }) {
  const t = useWords(words);
  const mayAudit = useMay()('listAuditEvents');
  const pages = api.useInfiniteQuery('get', '/v1/applications/{applicationId}/timeline', { params: { path: { applicationId } } }, {
    initialPageParam: null, getNextPageParam: (page: Schemas['ApplicationEventList']) => page.cursor,
  });
  const events = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return (
    <Section title={t.title}>
      <Loaded query={pages}>
        {() => (
          <div className="stack">
            <ol className="history">{events.map((event) => <Entry key={event.id} event={event} />)}</ol>
            {pages.hasNextPage && <More pages={pages} count={events.length} />}
            {mayAudit && <p><ButtonLink small to="/audit" search={{ resourceId: applicationId }}>{t.all}</ButtonLink></p>}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Entry({ event: { occurredAt, type, actor, documentType, consentPurpose, decisionOutcome, requirementKey } }: { readonly event: Schemas['ApplicationEvent'] }) {
  const t = useWords(words);
  const names = useNames();
  const { purposes } = useConsentNames();
  const { outcomes } = useDecisionNames();
  const format = useFormat();
  const about = [documentType === null ? '' : nameOf(names.documentTypes, documentType), consentPurpose === null ? '' : nameOf(purposes, consentPurpose), decisionOutcome === null ? '' : nameOf(outcomes, decisionOutcome), requirementKey === null ? '' : nameOf(names.requirements, requirementKey)];
  return (
    <li>
      <span>{[nameOf(t.actions, type), ...about].filter(Boolean).join(': ')}</span>
      <span className="muted"><time dateTime={occurredAt}>{format.precise(occurredAt)}</time> · {actor.display}</span>
    </li>
  );
}
