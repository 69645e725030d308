/** The powers of a company, and who may sign by them. Parts of business-page.tsx. */
import { api } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { nameOf } from '../applications/words.ts';
import { useBusinessNames } from './business-words.ts';

const words = inLanguages({
  en: {
    title: 'Powers',
    none: 'No powers are recorded.',
    type: 'Document',
    status: 'Status',
    from: 'From',
    until: 'Until',
    clauses: 'Clauses',
    signatories: 'Who may sign',
    nobody: 'No confirmed power is in force.',
    cut: 'There are more ways to sign than this list shows.',
    person: 'Person',
    how: 'How',
    limit: 'Up to',
    clause: 'Clause',
    alone: 'alone',
    with: (names: string) => `with ${names}`,
    or: ', or ',
    and: ' and ',
  },
  pt: {
    title: 'Poderes',
    none: 'Nenhum poder registrado.',
    type: 'Documento',
    status: 'Situação',
    from: 'Desde',
    until: 'Até',
    clauses: 'Cláusulas',
    signatories: 'Quem pode assinar',
    nobody: 'Nenhum poder confirmado está em vigor.',
    cut: 'Há mais formas de assinar do que esta lista mostra.',
    person: 'Pessoa',
    how: 'Como',
    limit: 'Até o valor de',
    clause: 'Cláusula',
    alone: 'sozinha',
    with: (names: string) => `com ${names}`,
    or: ', ou ',
    and: ' e ',
  },
});

const TONES: Readonly<Record<string, Tone>> = { draft: 'warning', active: 'good' };

export function Powers({ businessId }: { readonly businessId: string }) {
  const t = useWords(words);
  const { powerTypes, powerStatuses } = useBusinessNames();
  const query = api.useQuery('get', '/v1/businesses/{businessId}/powers', { params: { path: { businessId } } });
  return (
    <Section title={t.title}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t.none}</p>
          ) : (
            <table className="table">
              <caption className="visually-hidden">{t.title}</caption>
              <thead>
                <tr>
                  {[t.type, t.status, t.from, t.until, t.clauses].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, type, status, validFrom, validUntil, rules }) => (
                  <tr key={id}>
                    <th scope="row">{nameOf(powerTypes, type)}</th>
                    <td data-label={t.status}>
                      <Badge tone={TONES[status] ?? 'neutral'}>{nameOf(powerStatuses, status)}</Badge>
                    </td>
                    <td data-label={t.from}>{validFrom}</td>
                    <td data-label={t.until}>{validUntil ?? '–'}</td>
                    <td data-label={t.clauses}>{rules.map(({ clause, key }) => clause ?? key).join('; ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </Section>
  );
}

export function Signatories({ businessId }: { readonly businessId: string }) {
  const t = useWords(words);
  const format = useFormat();
  const query = api.useQuery('get', '/v1/businesses/{businessId}/signatories', { params: { path: { businessId } } });
  return (
    <Section title={t.signatories}>
      <Loaded query={query}>
        {({ items, truncated }) => {
          const names = new Map(items.map(({ partyKey, name }) => [partyKey, name]));
          const together = (sets: readonly (readonly string[])[]) =>
            t.with(sets.map((set) => set.map((key) => names.get(key) ?? key).join(t.and)).join(t.or));
          return items.length === 0 ? (
            <p className="muted">{t.nobody}</p>
          ) : (
            <div className="stack">
              <table className="table">
                <caption className="visually-hidden">{t.signatories}</caption>
                <thead>
                  <tr>
                    {[t.person, t.how, t.limit, t.until, t.clause].map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {items.map(
                    ({ partyKey, name, alone, with: sets, maxAmount, validUntil, clause, ruleKey, ...row }) => (
                      <tr key={`${row.instrumentId ?? ''} ${ruleKey} ${partyKey}`}>
                        <th scope="row">{name}</th>
                        <td data-label={t.how}>{alone ? t.alone : together(sets)}</td>
                        <td data-label={t.limit}>
                          {maxAmount === null ? '–' : format.money(maxAmount.amount, maxAmount.currency)}
                        </td>
                        <td data-label={t.until}>{validUntil ?? '–'}</td>
                        <td data-label={t.clause}>{clause ?? ruleKey}</td>
                      </tr>
                    ),
                  )}
                </tbody>
              </table>
              {truncated && <p className="muted">{t.cut}</p>}
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}
