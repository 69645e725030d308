import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, type Schemas } from '../../app/api.ts';
import { inLanguages, useWords } from '../../app/language.ts';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';

const words = inLanguages({
  en: {
    title: 'Coverage', approved: 'Customers', monitored: 'Watched', unmonitored: 'Not watched', overdue: 'Runs that are late', open: 'Alerts nobody has taken up', oldest: (when: string) => `the oldest from ${when}`, stale: (lists: string) => `Out of date: ${lists}.`,
    who: (count: number) => (count === 1 ? 'One customer is not watched:' : `${count} customers are not watched:`), paused: 'Paused', until: (reason: string, day: string) => `${reason}, until ${day}`, customer: 'customer', all: 'Everybody is watched who must be.',
    nameless: (count: number) => (count === 1 ? 'The name of one of them has no letters, so no list is compared with it:' : `The names of ${count} of them have no letters, so no list is compared with them:`),
  },
  pt: {
    title: 'Cobertura', approved: 'Clientes', monitored: 'Acompanhados', unmonitored: 'Não acompanhados', overdue: 'Execuções atrasadas', open: 'Alertas que ninguém assumiu', oldest: (when: string) => `o mais antigo de ${when}`, stale: (lists: string) => `Desatualizadas: ${lists}.`,
    who: (count: number) => (count === 1 ? 'Um cliente não é acompanhado:' : `${count} clientes não são acompanhados:`), paused: 'Em pausa', until: (reason: string, day: string) => `${reason}, até ${day}`, customer: 'cliente', all: 'Todos que devem ser acompanhados o são.',
    nameless: (count: number) => (count === 1 ? 'O nome de um deles não tem letras, por isso nenhuma lista é comparada com ele:' : `Os nomes de ${count} deles não têm letras, por isso nenhuma lista é comparada com eles:`),
  },
});

/** Whether everybody is watched who must be: who is not, and why. */
export function Coverage() {
  const t = useWords(words);
  const coverage = api.useQuery('get', '/v1/monitoring/coverage');
  return <Section title={t.title}><Loaded query={coverage}>{(found) => <Report coverage={found} />}</Loaded></Section>;
}

function Report({ coverage: { approvedSubjects, monitored, unmonitoredCount, unmonitored, notComparableCount, notComparable, paused, overdueRuns, staleLists, openAlerts, oldestUnreviewedAlert } }: { readonly coverage: Schemas['MonitoringCoverage'] }) {
  const t = useWords(words);
  const format = useFormat();
  const figures: readonly (readonly [string, number, string?])[] = [
    [t.approved, approvedSubjects], [t.monitored, monitored], [t.unmonitored, unmonitoredCount], [t.overdue, overdueRuns],
    [t.open, openAlerts, oldestUnreviewedAlert === null ? undefined : t.oldest(format.relative(oldestUnreviewedAlert))],
  ];
  return (
    <>
      <dl className="figures">{figures.map(([name, value, hint]) => <div key={name}><dt>{name}</dt><dd><strong>{format.number(value)}</strong>{hint !== undefined && <span className="muted">{hint}</span>}</dd></div>)}</dl>
      {staleLists.length > 0 && <Notice tone="warning">{t.stale(staleLists.join(', '))}</Notice>}
      {unmonitoredCount > 0 ? <Notice tone="error"><p>{t.who(unmonitoredCount)}</p><Customers ids={unmonitored} /></Notice> : paused.length === 0 && <p className="muted">{t.all}</p>}
      {notComparableCount > 0 && <Notice tone="error"><p>{t.nameless(notComparableCount)}</p><Customers ids={notComparable} /></Notice>}
      {paused.length > 0 && (
        <div>
          <h3>{t.paused}</h3>
          <ul>{paused.map(({ subscriptionId, applicationId, reason, until }) => <li key={subscriptionId}><Customer id={applicationId}>{t.customer}</Customer> <span className="muted">{t.until(reason.replaceAll('_', ' '), format.day(until))}</span></li>)}</ul>
        </div>
      )}
    </>
  );
}

function Customers({ ids }: { readonly ids: readonly string[] }) {
  return <ul className="customers">{ids.map((id) => <li key={id}><Customer id={id}>{id}</Customer></li>)}</ul>;
}

function Customer({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return <Link to="/applications/$applicationId" params={{ applicationId: id }}>{children}</Link>;
}
