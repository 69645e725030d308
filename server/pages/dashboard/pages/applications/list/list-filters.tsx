/** The filters of the list of applications. Used by applications-page.tsx. */
import { inLanguages, useWords } from '../../../core/language.ts';
import { useMay } from '../../../core/current.tsx';
import { Filters, SelectFilter, TextFilter } from '../../../ui/filters.tsx';
import { useRiskNames } from '../../risk/risk-words.ts';
import { optionsOf, type Status, useNames } from '../words.ts';
import { type ApplicationsSearch, isFiltered, SORTS, STATUSES } from './search.ts';

const words = inLanguages({
  en: {
    status: 'Status',
    level: 'Level',
    allLevels: 'All levels',
    risk: 'Risk',
    anyRisk: 'Any risk',
    externalId: 'External ID',
    taxId: 'Tax number',
    from: 'Created from',
    to: 'Created until',
    environment: 'Environment',
    where: 'Where you work now',
    live: 'Live',
    sandbox: 'Sandbox',
    sort: 'Order',
    sorts: {
      '-createdAt': 'Newest first',
      createdAt: 'Oldest first',
      '-updatedAt': 'Last changed first',
      updatedAt: 'First changed first',
      '-riskScore': 'Highest risk first',
      riskScore: 'Lowest risk first',
    },
  },
  pt: {
    status: 'Situação',
    level: 'Nível',
    allLevels: 'Todos os níveis',
    risk: 'Risco',
    anyRisk: 'Qualquer risco',
    externalId: 'ID externo',
    taxId: 'CPF, CNPJ ou outro',
    from: 'Criada de',
    to: 'Criada até',
    environment: 'Ambiente',
    where: 'Onde você trabalha agora',
    live: 'Produção',
    sandbox: 'Sandbox',
    sort: 'Ordem',
    sorts: {
      '-createdAt': 'Mais novas primeiro',
      createdAt: 'Mais antigas primeiro',
      '-updatedAt': 'Últimas mudanças primeiro',
      updatedAt: 'Primeiras mudanças primeiro',
      '-riskScore': 'Maior risco primeiro',
      riskScore: 'Menor risco primeiro',
    },
  },
});

interface Props {
  readonly search: ApplicationsSearch;
  readonly apply: (changed: ApplicationsSearch) => void;
  readonly clear: () => void;
}

export function ListFilters({ search, apply, clear }: Props) {
  const t = useWords(words);
  const names = useNames();
  const { levels: riskLevels } = useRiskNames();
  const may = useMay();
  const chosen = search.status ?? [];
  const toggle = (status: Status) => {
    const next = chosen.includes(status)
      ? chosen.filter((one) => one !== status)
      : STATUSES.filter((one) => one === status || chosen.includes(one));
    apply({ status: next.length > 0 ? next : undefined });
  };
  const rare = (
    <>
      <SelectFilter
        label={t.environment}
        value={search.environment ?? ''}
        apply={(value) => apply({ environment: value === '' ? undefined : value })}
        options={[
          ['', t.where],
          ['live', t.live],
          ['sandbox', t.sandbox],
        ]}
      />
      <TextFilter
        label={t.from}
        type="date"
        value={search.from ?? ''}
        apply={(value) => apply({ from: value || undefined })}
      />
      <TextFilter
        label={t.to}
        type="date"
        value={search.to ?? ''}
        apply={(value) => apply({ to: value || undefined })}
      />
    </>
  );
  return (
    <Filters
      rare={rare}
      rareInUse={search.environment !== undefined || search.from !== undefined || search.to !== undefined}
      clear={isFiltered(search) ? clear : null}
    >
      <div role="group" aria-label={t.status} className="status-chips">
        {STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            className="chip"
            aria-pressed={chosen.includes(status)}
            onClick={() => toggle(status)}
          >
            {names.statuses[status]}
          </button>
        ))}
      </div>
      <TextFilter
        label={t.externalId}
        value={search.externalId ?? ''}
        apply={(value) => apply({ externalId: value || undefined })}
      />
      {/* Only roles that see numbers unmasked may search for one; the permission to open documents identifies them. */}
      {may('downloadDocument') && (
        <TextFilter
          label={t.taxId}
          value={search.taxId ?? ''}
          apply={(value) => apply({ taxId: value || undefined })}
        />
      )}
      <SelectFilter
        label={t.level}
        value={search.level ?? ''}
        apply={(value) => apply({ level: value === '' ? undefined : value })}
        options={[['', t.allLevels], ...optionsOf(names.levels)]}
      />
      <SelectFilter
        label={t.risk}
        value={search.risk ?? ''}
        apply={(value) => apply({ risk: value === '' ? undefined : value })}
        options={[['', t.anyRisk], ...optionsOf(riskLevels)]}
      />
      <SelectFilter
        label={t.sort}
        value={search.sort ?? '-createdAt'}
        apply={(value) => apply({ sort: value === '-createdAt' ? undefined : value })}
        options={SORTS.map((sort) => [sort, t.sorts[sort]])}
      />
    </Filters>
  );
}
