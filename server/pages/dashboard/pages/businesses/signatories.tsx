/**
 * Who may sign for a company, and whether given persons may sign an act. Part of business-page.tsx. Every answer leaves
 * a receipt, which can be read again.
 */
import { useState } from 'react';
import { api } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import type { Subject } from '../applications/subject.ts';
import { nameOf } from '../applications/words.ts';
import { AskSigning } from './ask-signing.tsx';
import { Receipt } from './receipt.tsx';
import { SignatoriesSheet } from './signatories-sheet.tsx';
import { SignatoryTable } from './signatory-table.tsx';
import { RESULT_TONES, useSigningNames } from './signing-words.ts';

const words = inLanguages({
  en: {
    title: 'Who may sign',
    sheet: 'Sheet to print',
    ask: 'May they sign?',
    earlier: 'Earlier questions',
    act: 'Act',
    result: 'May they sign?',
    when: 'When',
    receipt: 'Receipt',
  },
  pt: {
    title: 'Quem pode assinar',
    sheet: 'Folha para imprimir',
    ask: 'Podem assinar?',
    earlier: 'Perguntas anteriores',
    act: 'Ato',
    result: 'Podem assinar?',
    when: 'Quando',
    receipt: 'Recibo',
  },
});

/** Questions that are listed; the newest first. */
const LISTED = 10;

export function Signatories({ subject }: { readonly subject: Subject }) {
  const t = useWords(words);
  const may = useMay();
  const [open, setOpen] = useState<'ask' | 'sheet' | { readonly evaluationId: string } | null>(null);
  const { id } = subject;
  const path = { businessId: id };
  const sheet = api.useQuery('get', '/v1/businesses/{businessId}/signatories', { params: { path } });
  const close = () => setOpen(null);
  const read = (evaluationId: string) => setOpen({ evaluationId });
  return (
    <Section
      title={t.title}
      id="signatories"
      actions={
        <>
          <Button small onClick={() => setOpen('sheet')}>
            {t.sheet}
          </Button>
          {may('createSigningEvaluation') && (
            <Button small look="primary" onClick={() => setOpen('ask')}>
              {t.ask}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={sheet}>{(found) => <SignatoryTable sheet={found} />}</Loaded>
      <Evaluations businessId={id} read={read} />
      {open === 'sheet' && <SignatoriesSheet subject={subject} close={close} />}
      {open === 'ask' && <AskSigning businessId={id} read={read} close={close} />}
      {typeof open === 'object' && open !== null && (
        <Receipt businessId={id} evaluationId={open.evaluationId} close={close} />
      )}
    </Section>
  );
}

function Evaluations({
  businessId,
  read,
}: {
  readonly businessId: string;
  readonly read: (evaluationId: string) => void;
}) {
  const t = useWords(words);
  const names = useSigningNames();
  const format = useFormat();
  const query = api.useQuery('get', '/v1/businesses/{businessId}/signing-evaluations', {
    params: { path: { businessId }, query: { limit: LISTED } },
  });
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length > 0 && (
          <table className="table">
            <caption>{t.earlier}</caption>
            <thead>
              <tr>
                {[t.act, t.result, t.when, t.receipt].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map(({ id, actType, result, evaluatedAt }) => (
                <tr key={id}>
                  <th scope="row">{nameOf(names.acts, actType)}</th>
                  <td data-label={t.result}>
                    <Badge tone={RESULT_TONES[result]}>{names.results[result]}</Badge>
                  </td>
                  <td data-label={t.when}>{format.dateTime(evaluatedAt)}</td>
                  <td data-label={t.receipt}>
                    <Button
                      small
                      aria-label={`${t.receipt}: ${nameOf(names.acts, actType)}, ${format.precise(evaluatedAt)}`}
                      onClick={() => read(id)}
                    >
                      {t.receipt}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Loaded>
  );
}
