/** How a tenant and the jobs of the service are doing. Opened by tenants-page.tsx. */
import { useMemo } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts } from '../../ui/page.tsx';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import type { Tenant } from './tenant-words.ts';

const words = inLanguages({
  en: {
    title: (name: string) => `Health of ${name}`,
    events: 'Audit events',
    underCheckpoint: (all: string, checked: string) => `${all}, ${checked} of them under a checkpoint`,
    stored: 'Stored',
    gib: (used: string, quota: string) => `${used} of ${quota} GiB`,
    end: 'End of its chain',
    jobs: 'Jobs of the service',
    job: 'Job',
    success: 'Last success',
    late: 'Late',
    never: 'Never',
    unknown: 'Unknown',
    onTime: 'On time',
    seconds: (count: string) => `${count} s`,
  },
  pt: {
    title: (name: string) => `Saúde de ${name}`,
    events: 'Eventos de auditoria',
    underCheckpoint: (all: string, checked: string) => `${all}, ${checked} deles sob um ponto de verificação`,
    stored: 'Armazenado',
    gib: (used: string, quota: string) => `${used} de ${quota} GiB`,
    end: 'Fim da cadeia',
    jobs: 'Tarefas do serviço',
    job: 'Tarefa',
    success: 'Último sucesso',
    late: 'Atraso',
    never: 'Nunca',
    unknown: 'Desconhecido',
    onTime: 'Em dia',
    seconds: (count: string) => `${count} s`,
  },
});

/** Shows the audit chain of a tenant, its storage, and the delay of the service's jobs. */
export function HealthDialog({
  tenant: { id, name },
  onClose,
}: {
  readonly tenant: Tenant;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const health = api.useQuery('get', '/v1/admin/tenants/{tenantId}', { params: { path: { tenantId: id } } });
  return (
    <Dialog title={t.title(name)} wide onClose={onClose}>
      <Loaded query={health}>{(tenant) => <Health tenant={tenant} />}</Loaded>
    </Dialog>
  );
}

function Health({
  tenant: {
    auditChain: { sequence, checkpointedSequence, hash },
    usage,
    quotas,
    jobs,
  },
}: {
  readonly tenant: Schemas['TenantDetail'];
}) {
  const t = useWords(words);
  const format = useFormat();
  const columns = useMemo(() => {
    const column = columnsOf<Schemas['JobLag']>();
    return [
      column.display({ id: 'job', header: t.job, cell: ({ row: { original } }) => <span>{original.name}</span> }),
      column.display({
        id: 'success',
        header: t.success,
        cell: ({
          row: {
            original: { lastSuccessAt },
          },
        }) => <span>{lastSuccessAt === null ? t.never : format.relative(lastSuccessAt)}</span>,
      }),
      column.display({
        id: 'late',
        header: t.late,
        cell: ({
          row: {
            original: { lagSeconds },
          },
        }) => {
          if (lagSeconds === null) return <span>{t.unknown}</span>;
          return <span>{lagSeconds === 0 ? t.onTime : t.seconds(format.number(lagSeconds))}</span>;
        },
      }),
    ];
  }, [t, format]);
  return (
    <div className="stack">
      <Facts
        facts={[
          [t.events, t.underCheckpoint(format.number(sequence), format.number(checkpointedSequence))],
          [
            t.stored,
            t.gib(
              format.number(Math.round((usage.storageBytes / 2 ** 30) * 100) / 100),
              format.number(quotas.storageGb),
            ),
          ],
          [t.end, <code key="hash">{hash}</code>],
        ]}
      />
      <h3>{t.jobs}</h3>
      <DataTable caption={t.jobs} rows={jobs} columns={columns} rowId={(job) => job.name} />
    </div>
  );
}
