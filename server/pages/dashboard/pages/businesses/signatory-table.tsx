/** Who may sign for a company, rule by rule, as a table. Used on the page of the company and on the sheet to print. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { useFormat } from '../../ui/format.ts';

const words = inLanguages({
  en: {
    title: 'Who may sign',
    nobody: 'No confirmed power is in force.',
    cut: 'There are more ways to sign than this list shows.',
    person: 'Person',
    how: 'How',
    limit: 'Up to',
    until: 'Until',
    clause: 'Clause',
    alone: 'alone',
    with: (names: string) => `with ${names}`,
    or: ', or ',
    and: ' and ',
  },
  pt: {
    title: 'Quem pode assinar',
    nobody: 'Nenhum poder confirmado está em vigor.',
    cut: 'Há mais formas de assinar do que esta lista mostra.',
    person: 'Pessoa',
    how: 'Como',
    limit: 'Até o valor de',
    until: 'Até',
    clause: 'Cláusula',
    alone: 'sozinha',
    with: (names: string) => `com ${names}`,
    or: ', ou ',
    and: ' e ',
  },
});

export function SignatoryTable({ sheet: { items, truncated } }: { readonly sheet: Schemas['SignatorySheet'] }) {
  const t = useWords(words);
  const format = useFormat();
  const names = new Map(items.map(({ partyKey, name }) => [partyKey, name]));
  const together = (sets: readonly (readonly string[])[]) =>
    t.with(sets.map((set) => set.map((key) => names.get(key) ?? key).join(t.and)).join(t.or));
  if (items.length === 0) return <p className="muted">{t.nobody}</p>;
  return (
    <div className="stack">
      <table className="table">
        <caption className="visually-hidden">{t.title}</caption>
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
          {items.map(({ partyKey, name, alone, with: sets, maxAmount, validUntil, clause, ruleKey, ...row }) => (
            <tr key={`${row.instrumentId ?? ''} ${ruleKey} ${partyKey}`}>
              <th scope="row">{name}</th>
              <td data-label={t.how}>{alone ? t.alone : together(sets)}</td>
              <td data-label={t.limit}>
                {maxAmount === null ? '–' : format.money(maxAmount.amount, maxAmount.currency)}
              </td>
              <td data-label={t.until}>{validUntil ?? '–'}</td>
              <td data-label={t.clause}>{clause ?? ruleKey}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {truncated && <p className="muted">{t.cut}</p>}
    </div>
  );
}
