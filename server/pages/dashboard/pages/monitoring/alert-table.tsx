/** The table of alerts. Used by monitoring-page.tsx. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAhead, useRecordFormat } from '../../core/business-clock.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { nameOf } from '../applications/words.ts';
import { useRegistryNames } from '../businesses/registry-words.ts';
import { CustomerLink } from './customer-link.tsx';
import { type Alert, ALERT_TONES, OUTCOMES, SEVERITY_TONES, useMonitoringNames } from './monitoring-words.ts';

const words = inLanguages({
  en: {
    alerts: 'Alerts',
    about: 'About',
    severity: 'Severity',
    status: 'Status',
    seen: 'Last seen',
    due: 'Look by',
    late: 'late',
    what: 'What',
    hit: (list: string, score: string) => `Hit on ${list}, ${score}`,
    on: (day: string) => `on ${day}`,
    change: (before: string, after: string) => `${before}, now ${after}`,
    notAsked: 'Not asked',
    customer: 'Customer',
    open: 'Open',
    actions: 'Actions',
    triage: 'Deal with it',
    times: (count: number) => `seen ${count} times`,
  },
  pt: {
    alerts: 'Alertas',
    about: 'Sobre',
    severity: 'Gravidade',
    status: 'Situação',
    seen: 'Visto por último',
    due: 'Olhar até',
    late: 'atrasado',
    what: 'O quê',
    hit: (list: string, score: string) => `Ocorrência em ${list}, ${score}`,
    on: (day: string) => `em ${day}`,
    change: (before: string, after: string) => `${before}, agora ${after}`,
    notAsked: 'Não consultado',
    customer: 'Cliente',
    open: 'Abrir',
    actions: 'Ações',
    triage: 'Tratar',
    times: (count: number) => `visto ${count} vezes`,
  },
});

export function AlertTable({ rows, ask }: { readonly rows: readonly Alert[]; readonly ask: (alert: Alert) => void }) {
  const t = useWords(words);
  const names = useMonitoringNames();
  const { situations } = useRegistryNames();
  const format = useRecordFormat();
  const ahead = useAhead(useCurrent().environment);
  const mayTriage = useMay()('triageAlert');
  const columns = useMemo(() => {
    const column = columnsOf<Alert>();
    const situation = (state: string): string => (state === 'not_asked' ? t.notAsked : nameOf(situations, state));
    const isWaiting = ({ status }: Alert) => status === 'open' || status === 'acknowledged';
    const data = [
      column.display({
        id: 'about',
        header: t.about,
        cell: ({ row: { original } }) => (
          <span className="alert-about">
            <span>{names.kinds[original.kind]}</span>
            {original.occurrences > 1 && <span className="muted">{t.times(original.occurrences)}</span>}
          </span>
        ),
      }),
      column.display({
        id: 'what',
        header: t.what,
        cell: ({
          row: {
            original: { kind, hit, dueOn, change },
          },
        }) => {
          if (kind === 'registry_status' && change !== null)
            return t.change(situation(change.before), situation(change.after));
          if (hit === null) return dueOn === null ? '–' : t.on(format.day(dueOn));
          return (
            <Link to="/screenings/$screeningId" params={{ screeningId: hit.screeningId }} hash={hit.hitId}>
              {t.hit(hit.listId, hit.score.toFixed(3))}
            </Link>
          );
        },
      }),
      column.display({
        id: 'customer',
        header: t.customer,
        cell: ({
          row: {
            original: { applicationId, businessId },
          },
        }) => (
          <CustomerLink applicationId={applicationId} businessId={businessId}>
            {t.open}
          </CustomerLink>
        ),
      }),
      column.display({
        id: 'severity',
        header: t.severity,
        cell: ({
          row: {
            original: { severity },
          },
        }) => <Badge tone={SEVERITY_TONES[severity]}>{names.severities[severity]}</Badge>,
      }),
      column.display({
        id: 'status',
        header: t.status,
        cell: ({
          row: {
            original: { status },
          },
        }) => <Badge tone={ALERT_TONES[status]}>{names.statuses[status]}</Badge>,
      }),
      column.display({
        id: 'seen',
        header: t.seen,
        cell: ({
          row: {
            original: { lastSeenAt },
          },
        }) => (
          <time dateTime={lastSeenAt} title={format.dateTime(lastSeenAt)}>
            {format.relative(lastSeenAt)}
          </time>
        ),
      }),
      column.display({
        id: 'due',
        header: t.due,
        cell: ({ row: { original } }) =>
          isWaiting(original) ? (
            <span className="row">
              <time dateTime={original.slaDueAt}>{format.dateTime(original.slaDueAt)}</time>
              {Date.parse(original.slaDueAt) < Date.now() + ahead && <Badge tone="danger">{t.late}</Badge>}
            </span>
          ) : (
            '–'
          ),
      }),
    ];
    if (!mayTriage) return data;
    return [
      ...data,
      column.display({
        id: 'actions',
        header: () => <span className="visually-hidden">{t.actions}</span>,
        cell: ({ row: { original } }) =>
          OUTCOMES[original.status].length > 0 && (
            <Button small onClick={() => ask(original)}>
              {t.triage}
            </Button>
          ),
      }),
    ];
  }, [t, names, situations, format, ahead, mayTriage, ask]);
  return <DataTable caption={t.alerts} rows={rows} columns={columns} rowId={({ id }) => id} />;
}
