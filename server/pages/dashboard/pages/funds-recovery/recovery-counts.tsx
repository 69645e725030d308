/** Numbers about the recoveries that the filters find, and their export. Used by funds-recovery-page.tsx. */
import { useMemo, useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Problems } from '../../ui/problems.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import type { parametersOf } from './recovery-search.ts';
import { useRecoveryWords } from './recovery-words.ts';

type Count = Schemas['FundsRecoveryCount'];
type Query = ReturnType<typeof parametersOf>;

const words = inLanguages({
  en: {
    title: 'In numbers',
    count: 'Recoveries',
    root: 'Amount of original transactions',
    requested: 'Asked back',
    refunded: 'Returned',
    byMonth: 'By month, part and status',
    group: 'Month',
    export: 'Export as CSV',
  },
  pt: {
    title: 'Em números',
    count: 'Recuperações',
    root: 'Valor das transações de origem',
    requested: 'Pedido de volta',
    refunded: 'Devolvido',
    byMonth: 'Por mês, parte e situação',
    group: 'Mês',
    export: 'Exportar em CSV',
  },
});

interface Props {
  readonly query: Query;
  /** Polling interval in milliseconds; `false` turns polling off. */
  readonly every: number | false;
}

/** Shows counts and sums of the filtered recoveries, and exports all of them as CSV. */
export function RecoveryCounts({ query, every }: Props) {
  const t = useWords(words);
  const may = useMay();
  const statistics = api.useQuery(
    'get',
    '/api/v1/funds-recovery/statistics',
    { params: { query } },
    { refetchInterval: every },
  );
  return (
    <section className="card stack recovery-counts" aria-label={t.title}>
      <Loaded query={statistics}>{(found) => <Numbers found={found} />}</Loaded>
      {may('exportFundsRecoveries') && <Export query={query} />}
    </section>
  );
}

function Numbers({ found: { currency, items } }: { readonly found: Schemas['FundsRecoveryStatistics'] }) {
  const t = useWords(words);
  const names = useRecoveryWords();
  const { number, money, month } = useFormat();
  const total = (of: (item: Count) => number): number => items.reduce((sum, item) => sum + of(item), 0);
  const figures: readonly (readonly [string, string])[] = [
    [t.count, number(total(({ count }) => count))],
    [
      t.root,
      money(
        total(({ rootAmount }) => rootAmount),
        currency,
      ),
    ],
    [
      t.requested,
      money(
        total(({ requestedAmount }) => requestedAmount),
        currency,
      ),
    ],
    [
      t.refunded,
      money(
        total(({ refundedAmount }) => refundedAmount),
        currency,
      ),
    ],
  ];
  const columns = useMemo(() => {
    const column = columnsOf<Count>();
    return [
      column.display({
        id: 'group',
        header: t.group,
        cell: ({
          row: {
            original: { month: of, role, status },
          },
        }) => (
          <>
            {month(of)}{' '}
            <span className="muted">
              {names.role(role)} · {names.status(status)}
            </span>
          </>
        ),
      }),
      column.display({ id: 'count', header: t.count, cell: ({ row: { original } }) => number(original.count) }),
      column.display({
        id: 'root',
        header: t.root,
        cell: ({ row: { original } }) => money(original.rootAmount, currency),
      }),
      column.display({
        id: 'requested',
        header: t.requested,
        cell: ({ row: { original } }) => money(original.requestedAmount, currency),
      }),
      column.display({
        id: 'refunded',
        header: t.refunded,
        cell: ({ row: { original } }) => money(original.refundedAmount, currency),
      }),
    ];
  }, [t, names, number, money, month, currency]);
  return (
    <>
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
            </dd>
          </div>
        ))}
      </dl>
      {items.length > 0 && (
        <details>
          <summary>{t.byMonth}</summary>
          <DataTable
            caption={t.byMonth}
            rows={items}
            columns={columns}
            rowId={({ month: of, role, status }) => `${of} ${role} ${status}`}
          />
        </details>
      )}
    </>
  );
}

function Export({ query }: Pick<Props, 'query'>) {
  const t = useWords(words);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      saveFile(
        `funds-recoveries-${new Date().toISOString().slice(0, 10)}.csv`,
        await answerOf(client.GET('/api/v1/funds-recovery/export', { params: { query }, parseAs: 'blob' })),
      );
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {error !== null && <Problems error={error} />}
      <div className="row">
        <Button small busy={busy} onClick={() => void download()}>
          {t.export}
        </Button>
      </div>
    </>
  );
}
