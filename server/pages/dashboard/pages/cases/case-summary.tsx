import { Link } from '@tanstack/react-router';
import { api } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Section } from '../../ui/page.tsx';

const words = inLanguages({
  en: {
    title: 'At a glance',
    open: 'Open',
    late: 'Late',
    unassigned: 'Assigned to nobody',
    age: 'Age, median and 95th percentile',
    resolved: (days: number) => `Resolved in ${days} days`,
    lateOf: (count: string, late: string) => `${count}, ${late} of them late`,
    hours: (median: string, p95: string) => `${median} h, ${p95} h`,
    queues: 'By queue',
    inQueue: (count: string, late: string) => `${count} open, ${late} late`,
  },
  pt: {
    title: 'Visão geral',
    open: 'Abertos',
    late: 'Atrasados',
    unassigned: 'Sem responsável',
    age: 'Idade, mediana e percentil 95',
    resolved: (days: number) => `Concluídos em ${days} dias`,
    lateOf: (count: string, late: string) => `${count}, ${late} com atraso`,
    hours: (median: string, p95: string) => `${median} h, ${p95} h`,
    queues: 'Por fila',
    inQueue: (count: string, late: string) => `${count} abertos, ${late} atrasados`,
  },
});

/** Shows counts, ages and queues of the open cases, each queue as a bar whose length is its share of all. */
export function CaseSummary() {
  const t = useWords(words);
  const format = useFormat();
  const may = useMay();
  const summary = api.useQuery('get', '/v1/cases/summary', {}, { enabled: may('getCaseSummary') });
  if (!may('getCaseSummary')) return null;
  return (
    <Section title={t.title}>
      <Loaded query={summary}>
        {({ openCount, breachedCount, unassignedCount, medianAgeHours, p95AgeHours, byQueue, resolved }) => (
          <>
            <Facts
              facts={[
                [t.open, format.number(openCount)],
                [t.late, format.number(breachedCount)],
                [t.unassigned, format.number(unassignedCount)],
                ...(medianAgeHours === null || p95AgeHours === null
                  ? []
                  : [[t.age, t.hours(format.number(medianAgeHours), format.number(p95AgeHours))] as const]),
                [
                  t.resolved(resolved.days),
                  t.lateOf(format.number(resolved.count), format.number(resolved.breachedCount)),
                ],
              ]}
            />
            {byQueue.length > 0 && (
              <ul className="queue-bars" aria-label={t.queues}>
                {byQueue.map(({ queue, count, breachedCount: late }) => (
                  <li key={queue}>
                    <Link to="/cases" search={{ queue }}>
                      {queue}
                    </Link>
                    <span className="queue-bar" aria-hidden="true">
                      <span style={{ inlineSize: `${openCount === 0 ? 0 : (100 * count) / openCount}%` }} />
                    </span>
                    <span className="muted">{t.inQueue(format.number(count), format.number(late))}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
