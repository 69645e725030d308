/** The dialog that changes the members of a report. Opened by report-actions.tsx. */
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { LinesField } from '../../ui/lines-field.tsx';
import { announce } from '../../ui/toasts.tsx';
import { AmountField } from '../settings/amount-field.tsx';
import { matching, type Report, useReportChanged } from './report-words.ts';

const words = inLanguages({
  en: {
    title: 'Change the report',
    day: 'Day of the operation',
    dayHint: 'In São Paulo. The deadlines are counted from it.',
    amount: 'Amount of the operation',
    amountHint: 'Empty while it is unknown.',
    basis: 'Legal basis',
    basisHint: 'One code of the authority, or one norm, per line.',
    parties: 'Parties',
    partiesHint: 'One per line: name; part that it took; tax number. The tax number can be left out.',
    save: 'Save',
    saved: 'The report is changed.',
    party: 'Write the name and, after a semicolon, the part that it took.',
  },
  pt: {
    title: 'Alterar a comunicação',
    day: 'Dia da operação',
    dayHint: 'Em São Paulo. Os prazos são contados a partir dele.',
    amount: 'Valor da operação',
    amountHint: 'Vazio enquanto for desconhecido.',
    basis: 'Fundamento',
    basisHint: 'Um código da autoridade, ou uma norma, por linha.',
    parties: 'Envolvidos',
    partiesHint: 'Um por linha: nome; papel; CPF ou CNPJ. O último pode faltar.',
    save: 'Salvar',
    saved: 'A comunicação foi alterada.',
    party: 'Escreva o nome e, após ponto e vírgula, o papel.',
  },
});

interface Draft {
  readonly operationOn: string;
  readonly amount: Schemas['Money'] | null;
  readonly legalBasis: readonly string[];
  readonly parties: readonly string[];
}

export function ChangeReport({ report, close }: { readonly report: Report; readonly close: () => void }) {
  const t = useWords(words);
  const changed = useReportChanged();
  const initial: Draft = {
    operationOn: report.operationOn ?? '',
    amount: report.amount,
    legalBasis: report.legalBasis,
    parties: (report.parties ?? []).map(lineOf),
  };
  const form = useForm({
    initial,
    check: ({ parties }) =>
      parties.flatMap((line, index) => {
        const { name, role } = partyIn(line);
        const fault = { pointer: `/parties/${index}`, code: 'party', message: t.party };
        return name === '' || role === '' ? [fault] : [];
      }),
    messages: { party: t.party },
    submit: async ({ operationOn, amount, legalBasis, parties }) => {
      const params = { path: { reportId: report.id }, header: matching(report) };
      const body = {
        operationOn: operationOn === '' ? null : operationOn,
        amount,
        legalBasis: [...legalBasis],
        parties: parties.map(partyIn),
      };
      changed(await answerOf(client.PATCH('/v1/cases/reports/{reportId}', { params, body })));
      announce(t.saved);
      close();
    },
  });
  return (
    <Dialog title={t.title} onClose={close}>
      <Form form={form} action={t.save} cancel={close}>
        <TextField
          field={form.field('operationOn')}
          type="date"
          label={t.day}
          hint={t.dayHint}
          optional={report.kind !== 'cash_operation'}
        />
        <AmountField field={form.field('amount')} label={t.amount} hint={t.amountHint} />
        <LinesField field={form.field('legalBasis')} label={t.basis} hint={t.basisHint} optional />
        <LinesField field={form.field('parties')} label={t.parties} hint={t.partiesHint} optional />
      </Form>
    </Dialog>
  );
}

function lineOf({ name, role, taxId }: Schemas['ReportParty']): string {
  return [name, role, ...(taxId === null ? [] : [taxId])].join('; ');
}

function partyIn(line: string): Schemas['ReportParty'] {
  const [name = '', role = '', taxId = ''] = line.split(';').map((part) => part.trim());
  return { name, role, taxId: taxId === '' ? null : taxId };
}
