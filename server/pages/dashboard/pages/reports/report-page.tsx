/**
 * The page of one report, for compliance officers only. Every reading is recorded, so it is read again only on request.
 */
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { ReportActions } from './report-actions.tsx';
import { ReportDocuments } from './report-documents.tsx';
import { ReportNarrative } from './report-narrative.tsx';
import { type Report, REPORT_TONES, useReportNames, useReportTitle } from './report-words.ts';
import './reports.css';

const words = inLanguages({
  en: {
    unknown: 'There is no such report',
    why: 'It may belong to another tenant, or its address is not complete.',
    list: 'To the reports',
    deadlines: 'Deadlines',
    next: 'Next deadline',
    selected: 'Selected for analysis',
    selectionDue: 'Selection due',
    analysisDue: 'Analysis due',
    decided: 'Analysis ended',
    reportDue: 'Filing due',
    filed: 'Filed',
    protocol: 'Protocol',
    facts: 'What is reported',
    day: 'Day of the operation',
    amount: 'Amount',
    basis: 'Legal basis',
    parties: 'Parties',
    year: 'Year',
    note: 'Reasons of the decision',
    copy: 'Copy of the case',
    copied: 'It stays as it was when the report was begun.',
    number: 'Case',
    subject: 'Applicant',
    taxId: 'Tax number',
    born: 'Born',
    begun: 'Begun',
  },
  pt: {
    unknown: 'Esta comunicação não existe',
    why: 'Ela pode ser de outro inquilino, ou o endereço está incompleto.',
    list: 'Para as comunicações',
    deadlines: 'Prazos',
    next: 'Próximo prazo',
    selected: 'Selecionada para análise',
    selectionDue: 'Prazo da seleção',
    analysisDue: 'Prazo da análise',
    decided: 'Análise encerrada',
    reportDue: 'Prazo do envio',
    filed: 'Enviada',
    protocol: 'Protocolo',
    facts: 'O que se comunica',
    day: 'Dia da operação',
    amount: 'Valor',
    basis: 'Fundamento',
    parties: 'Envolvidos',
    year: 'Ano',
    note: 'Razões da decisão',
    copy: 'Cópia do caso',
    copied: 'Ela fica como era quando a comunicação foi iniciada.',
    number: 'Caso',
    subject: 'Pessoa',
    taxId: 'CPF ou CNPJ',
    born: 'Nascimento',
    begun: 'Iniciada',
  },
});

export function ReportPage() {
  const t = useWords(words);
  const { reportId } = useParams({ from: '/signed-in/cases/reports/$reportId' });
  const query = api.useQuery(
    'get',
    '/v1/cases/reports/{reportId}',
    { params: { path: { reportId } } },
    { refetchOnWindowFocus: false },
  );
  const { data, error } = query;
  if (data === undefined && isProblem(error) && [400, 404].includes(error.status))
    return (
      <Page title={t.unknown} lead={t.why}>
        <p>
          <ButtonLink to="/cases/reports">{t.list}</ButtonLink>
        </p>
      </Page>
    );
  return <Loaded query={query}>{(report) => <OneReport key={report.id} report={report} />}</Loaded>;
}

function OneReport({ report }: { readonly report: Report }) {
  const names = useReportNames();
  const titleOf = useReportTitle();
  const { status, late, version } = report;
  return (
    <Page
      title={titleOf(report)}
      badges={
        <>
          <Badge tone={REPORT_TONES[status]}>{names.statuses[status]}</Badge>
          {late && <Badge tone="danger">{names.late}</Badge>}
        </>
      }
      actions={<ReportActions report={report} />}
    >
      <div className="columns">
        <div className="stack">
          <ReportNarrative key={version} report={report} />
          <ReportDocuments report={report} />
        </div>
        <div className="stack">
          <Deadlines report={report} />
          <Members report={report} />
          <CaseCopy report={report} />
        </div>
      </div>
    </Page>
  );
}

type Fact = readonly (readonly [string, ReactNode])[];

function fact(name: string, value: ReactNode): Fact {
  return value === null || value === undefined || value === '' ? [] : [[name, value]];
}

function Deadlines({ report }: { readonly report: Report }) {
  const t = useWords(words);
  const format = useRecordFormat(report.environment);
  const time = (name: string, at: string | null) => fact(name, at === null ? null : format.dateTime(at));
  return (
    <Section title={t.deadlines}>
      <Facts
        facts={[
          ...time(t.next, report.dueAt),
          ...time(t.selected, report.selectedAt),
          ...time(t.selectionDue, report.selectionDueAt),
          ...time(t.analysisDue, report.analysisDueAt),
          ...time(t.decided, report.decidedAt),
          ...time(t.reportDue, report.reportDueAt),
          ...time(t.filed, report.filedAt),
          ...fact(t.protocol, report.protocol),
          [t.begun, `${format.dateTime(report.createdAt)}, ${report.createdBy.display}`],
        ]}
      />
    </Section>
  );
}

function Members({ report }: { readonly report: Report }) {
  const t = useWords(words);
  const format = useRecordFormat(report.environment);
  const { year, operationOn, amount, legalBasis, parties = [], decisionNote } = report;
  const facts = [
    ...fact(t.year, year),
    ...fact(t.day, operationOn === null ? null : format.day(operationOn)),
    ...fact(t.amount, amount === null ? null : format.money(amount.amount, amount.currency)),
    ...fact(t.basis, legalBasis.join(', ')),
    ...fact(
      t.parties,
      parties.length === 0 ? null : (
        <ul className="report-parties">
          {parties.map(({ name, taxId, role }, index) => (
            <li key={index}>{[name, taxId, role].filter((part) => part !== null).join(' · ')}</li>
          ))}
        </ul>
      ),
    ),
    ...fact(t.note, decisionNote),
  ];
  if (facts.length === 0) return null;
  return (
    <Section title={t.facts}>
      <Facts facts={facts} />
    </Section>
  );
}

function CaseCopy({ report: { caseCopy, caseId } }: { readonly report: Report }) {
  const t = useWords(words);
  const format = useRecordFormat();
  if (caseCopy === undefined || caseCopy === null || caseId === null) return null;
  const { number, subjectName, subjectTaxId, subjectDateOfBirth } = caseCopy;
  return (
    <Section title={t.copy}>
      <p className="hint">{t.copied}</p>
      <Facts
        facts={[
          [
            t.number,
            <Link key="case" to="/cases/$caseId" params={{ caseId }}>
              {number}
            </Link>,
          ],
          ...fact(t.subject, subjectName),
          ...fact(t.taxId, subjectTaxId),
          ...fact(t.born, subjectDateOfBirth === null ? null : format.day(subjectDateOfBirth)),
        ]}
      />
    </Section>
  );
}
