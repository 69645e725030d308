/**
 * The filters of recoveries. Used by funds-recovery-page.tsx. A number that is not complete yet is not searched for.
 */
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { oneOf } from '../../core/search.ts';
import { Filters, SelectFilter, TextFilter } from '../../ui/filters.tsx';
import {
  ENVIRONMENTS,
  isFiltered,
  isParticipant,
  isPayment,
  type RecoverySearch,
  ROLES,
  STAGES,
  STATUSES,
} from './recovery-search.ts';
import { useRecoveryWords } from './recovery-words.ts';

const words = inLanguages({
  en: {
    status: 'Status',
    all: 'All',
    open: 'Under way',
    finished: 'Finished',
    role: 'Your part',
    anyRole: 'Any',
    environment: 'Environment',
    liveName: 'Live',
    sandbox: 'Sandbox',
    payment: 'Payment',
    paymentHint: 'End-to-end id',
    noPayment: 'An end-to-end id is E or D and 31 letters and digits.',
    counterparty: 'Counterparty',
    counterpartyHint: 'ISPB',
    noCounterparty: 'An ISPB is eight capital letters and digits.',
    taxId: 'Tax number of the account refunded',
  },
  pt: {
    status: 'Situação',
    all: 'Todas',
    open: 'Em andamento',
    finished: 'Encerradas',
    role: 'Sua parte',
    anyRole: 'Qualquer uma',
    environment: 'Ambiente',
    liveName: 'Produção',
    sandbox: 'Sandbox',
    payment: 'Pagamento',
    paymentHint: 'Id de ponta a ponta',
    noPayment: 'Um id de ponta a ponta é E ou D e 31 letras e dígitos.',
    counterparty: 'Contraparte',
    counterpartyHint: 'ISPB',
    noCounterparty: 'Um ISPB são oito letras maiúsculas e dígitos.',
    taxId: 'CPF ou CNPJ da conta devolvida',
  },
});

interface Props {
  readonly search: RecoverySearch;
  readonly set: (changed: RecoverySearch) => void;
}

export function RecoveryFilters({ search, set }: Props) {
  const t = useWords(words);
  const names = useRecoveryWords();
  const current = useCurrent();
  const may = useMay();
  const { status, role, payment, counterparty, taxId, environment } = search;
  const none: RecoverySearch = {
    status: undefined,
    role: undefined,
    payment: undefined,
    counterparty: undefined,
    taxId: undefined,
    environment: undefined,
  };
  // Only roles that see numbers unmasked may search for one. The permission to open documents tells which ones do.
  const rare = may('downloadDocument') ? (
    <TextFilter label={t.taxId} value={taxId ?? ''} apply={(value) => set({ taxId: value || undefined })} />
  ) : undefined;
  return (
    <Filters
      clear={isFiltered(search) || environment !== undefined ? () => set(none) : null}
      rare={rare}
      rareInUse={taxId !== undefined}
    >
      <SelectFilter
        label={t.status}
        value={status ?? ''}
        apply={(value) => set({ status: oneOf(STAGES, value) })}
        options={[
          ['', t.all],
          ['open', t.open],
          ['finished', t.finished],
          ...STATUSES.map((one) => [one, names.status(one)] as const),
        ]}
      />
      <SelectFilter
        label={t.role}
        value={role ?? ''}
        apply={(value) => set({ role: oneOf(ROLES, value) })}
        options={[['', t.anyRole], ...ROLES.map((one) => [one, names.role(one)] as const)]}
      />
      {current.tenant.status !== 'onboarding' && (
        <SelectFilter
          label={t.environment}
          value={environment ?? current.environment}
          apply={(value) =>
            set({ environment: value === current.environment ? undefined : oneOf(ENVIRONMENTS, value) })
          }
          options={[
            ['live', t.liveName],
            ['sandbox', t.sandbox],
          ]}
        />
      )}
      <TextFilter
        label={t.payment}
        placeholder={t.paymentHint}
        value={payment ?? ''}
        apply={(value) => set({ payment: value || undefined })}
        messages={payment === undefined || isPayment(payment) ? [] : [t.noPayment]}
      />
      <TextFilter
        label={t.counterparty}
        placeholder={t.counterpartyHint}
        value={counterparty ?? ''}
        apply={(value) => set({ counterparty: value || undefined })}
        messages={counterparty === undefined || isParticipant(counterparty) ? [] : [t.noCounterparty]}
      />
    </Filters>
  );
}
