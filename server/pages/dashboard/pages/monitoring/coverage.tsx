/** Whether everybody is watched who must be, and who is not. Part of monitoring-page.tsx. */
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { Algorithm } from './algorithm.tsx';
import { CustomerLink } from './customer-link.tsx';

const words = inLanguages({
  en: {
    title: 'Coverage',
    approved: 'Customers',
    monitored: 'Watched',
    upToDate: 'Compared with all that is wanted now',
    unmonitored: 'Not watched',
    overdue: 'Runs that are late',
    open: 'Alerts nobody has taken up',
    oldest: (when: string) => `the oldest from ${when}`,
    stale: (lists: string) => `Out of date: ${lists}.`,
    old: (lists: string) => `Published longer ago than is usual: ${lists}. Is there a newer file?`,
    incomplete: (lists: string) => `Names were damaged and are left out: ${lists}.`,
    who: (count: number) => (count === 1 ? 'One customer is not watched:' : `${count} customers are not watched:`),
    paused: 'Paused',
    until: (reason: string, day: string) => `${reason}, until ${day}`,
    customer: 'customer',
    all: 'Everybody is watched who must be.',
    companies: 'Companies',
    companiesWatched: 'Companies watched',
    whichCompanies: (count: number) =>
      count === 1 ? 'One company is not watched:' : `${count} companies are not watched:`,
    outdated: (count: number) =>
      count === 1
        ? 'One customer was compared with less than is wanted now:'
        : `${count} customers were compared with less than is wanted now:`,
    nameless: (count: number) =>
      count === 1
        ? 'The name of one of them has no letters, so no list is compared with it:'
        : `The names of ${count} of them have no letters, so no list is compared with them:`,
    gaps: {
      run_waiting: 'a run is queued',
      run_failed: 'the last run failed, and is tried again',
      not_compared: 'was not compared yet',
      checks: 'a check was added',
      lists: 'a list was added',
      list_versions: 'a new version of a list is being looked at',
      own_list: 'your own list has changed',
      lines: 'the lines have changed',
      algorithm: 'compared by an earlier algorithm',
    },
  },
  pt: {
    title: 'Cobertura',
    approved: 'Clientes',
    monitored: 'Acompanhados',
    upToDate: 'Comparados com tudo o que se pede agora',
    unmonitored: 'Não acompanhados',
    overdue: 'Execuções atrasadas',
    open: 'Alertas que ninguém assumiu',
    oldest: (when: string) => `o mais antigo de ${when}`,
    stale: (lists: string) => `Desatualizadas: ${lists}.`,
    old: (lists: string) => `Publicadas há mais tempo do que é comum: ${lists}. Há um arquivo mais novo?`,
    incomplete: (lists: string) => `Com nomes danificados, que ficaram de fora: ${lists}.`,
    who: (count: number) => (count === 1 ? 'Um cliente não é acompanhado:' : `${count} clientes não são acompanhados:`),
    paused: 'Em pausa',
    until: (reason: string, day: string) => `${reason}, até ${day}`,
    customer: 'cliente',
    all: 'Todos que devem ser acompanhados o são.',
    companies: 'Empresas',
    companiesWatched: 'Empresas acompanhadas',
    whichCompanies: (count: number) =>
      count === 1 ? 'Uma empresa não é acompanhada:' : `${count} empresas não são acompanhadas:`,
    outdated: (count: number) =>
      count === 1
        ? 'Um cliente foi comparado com menos do que se pede agora:'
        : `${count} clientes foram comparados com menos do que se pede agora:`,
    nameless: (count: number) =>
      count === 1
        ? 'O nome de um deles não tem letras, por isso nenhuma lista é comparada com ele:'
        : `Os nomes de ${count} deles não têm letras, por isso nenhuma lista é comparada com eles:`,
    gaps: {
      run_waiting: 'há uma execução na fila',
      run_failed: 'a última execução falhou, e será repetida',
      not_compared: 'ainda não foi comparado',
      checks: 'uma verificação foi acrescentada',
      lists: 'uma lista foi acrescentada',
      list_versions: 'uma nova versão de uma lista está sendo examinada',
      own_list: 'a sua própria lista mudou',
      lines: 'as linhas mudaram',
      algorithm: 'comparado por um algoritmo anterior',
    },
  },
});

/** Shows whether everyone who must be monitored is monitored, and who is not and why. */
export function Coverage() {
  const t = useWords(words);
  const coverage = api.useQuery('get', '/v1/monitoring/coverage');
  return (
    <Section title={t.title}>
      <Loaded query={coverage}>{(found) => <Report coverage={found} />}</Loaded>
    </Section>
  );
}

function Report({
  coverage: {
    approvedSubjects,
    monitored,
    upToDate,
    unmonitoredCount,
    unmonitored,
    notComparableCount,
    notComparable,
    outdatedCount,
    outdated,
    algorithm,
    paused,
    overdueRuns,
    staleLists,
    oldPublications,
    incompleteLists,
    openAlerts,
    oldestUnreviewedAlert,
    businesses,
  },
}: {
  readonly coverage: Schemas['MonitoringCoverage'];
}) {
  const t = useWords(words);
  const format = useRecordFormat();
  const figures: readonly (readonly [string, number, string?])[] = [
    [t.approved, approvedSubjects],
    [t.monitored, monitored],
    [t.upToDate, upToDate],
    [t.unmonitored, unmonitoredCount],
    [t.companies, businesses.approved],
    [t.companiesWatched, businesses.monitored],
    [t.overdue, overdueRuns],
    [t.open, openAlerts, oldestUnreviewedAlert === null ? undefined : t.oldest(format.relative(oldestUnreviewedAlert))],
  ];
  return (
    <>
      <dl className="figures">
        {figures.map(([name, value, hint]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{format.number(value)}</strong>
              {hint !== undefined && <span className="muted">{hint}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {staleLists.length > 0 && <Notice tone="warning">{t.stale(staleLists.join(', '))}</Notice>}
      {oldPublications.length > 0 && <Notice tone="warning">{t.old(oldPublications.join(', '))}</Notice>}
      {incompleteLists.length > 0 && <Notice tone="warning">{t.incomplete(incompleteLists.join(', '))}</Notice>}
      {unmonitoredCount > 0 ? (
        <Notice tone="error">
          <p>{t.who(unmonitoredCount)}</p>
          <Customers ids={unmonitored} />
        </Notice>
      ) : (
        paused.length === 0 && businesses.unmonitoredCount === 0 && <p className="muted">{t.all}</p>
      )}
      {businesses.unmonitoredCount > 0 && (
        <Notice tone="error">
          <p>{t.whichCompanies(businesses.unmonitoredCount)}</p>
          <ul className="customers">
            {businesses.unmonitored.map((id) => (
              <li key={id}>
                <CustomerLink applicationId={null} businessId={id}>
                  {id}
                </CustomerLink>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {notComparableCount > 0 && (
        <Notice tone="error">
          <p>{t.nameless(notComparableCount)}</p>
          <Customers ids={notComparable} />
        </Notice>
      )}
      <Algorithm algorithm={algorithm} />
      {outdatedCount > 0 && (
        <Notice tone="warning">
          <p>{t.outdated(outdatedCount)}</p>
          <ul>
            {outdated.map(({ subscriptionId, applicationId, gaps }) => (
              <li key={subscriptionId}>
                <CustomerLink applicationId={applicationId} businessId={null}>
                  {t.customer}
                </CustomerLink>{' '}
                <span className="muted">{gaps.map((gap) => t.gaps[gap]).join(', ')}</span>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {paused.length > 0 && (
        <div>
          <h3>{t.paused}</h3>
          <ul>
            {paused.map(({ subscriptionId, applicationId, businessId, reason, until }) => (
              <li key={subscriptionId}>
                <CustomerLink applicationId={applicationId} businessId={businessId}>
                  {t.customer}
                </CustomerLink>{' '}
                <span className="muted">{t.until(reason.replaceAll('_', ' '), format.day(until))}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Customers({ ids }: { readonly ids: readonly string[] }) {
  return (
    <ul className="customers">
      {ids.map((id) => (
        <li key={id}>
          <CustomerLink applicationId={id} businessId={null}>
            {id}
          </CustomerLink>
        </li>
      ))}
    </ul>
  );
}
