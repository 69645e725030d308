/** Settings of the reports to the authority: what is shipped, and which placeholders their two templates may have. */
import type { components } from '../../contract/generated/types.ts';
import type { FieldError } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import { type Vocabulary, templateFaults } from '../../rules/template.ts';

type ReportSettings = components['schemas']['ReportSettings'];

const OF_THE_CASE = [
  'case.number',
  'case.type',
  'case.openedOn',
  'case.reason',
  'subject.name',
  'subject.taxId',
  'subject.dateOfBirth',
  'operation.on',
  'operation.amount',
  'report.kind',
  'report.selectedOn',
];

/** Placeholders of the text with which a narrative begins. */
export const NARRATIVE_VOCABULARY: Vocabulary = { values: OF_THE_CASE, lists: {} };

/** Placeholders of the file for submission. */
export const SUBMISSION_VOCABULARY: Vocabulary = {
  values: [...OF_THE_CASE, 'report.id', 'report.year', 'report.decidedOn', 'report.legalBasis', 'report.narrative'],
  lists: {
    parties: ['party.name', 'party.taxId', 'party.role'],
    documents: ['document.fileName', 'document.mediaType', 'document.sha256', 'document.base64'],
  },
};

/** Lists the faults of the templates that a patch sets. */
export function templateErrors(settings: ValidPart<ReportSettings> | undefined): FieldError[] {
  const faults = (member: 'narrativeTemplate' | 'submissionTemplate', vocabulary: Vocabulary): FieldError[] =>
    templateFaults(settings?.[member] ?? '', vocabulary).map((fault) => ({
      pointer: `/reports/${member}`,
      code: 'unknown_placeholder',
      message: `must ${fault}`,
    }));
  return [...faults('narrativeTemplate', NARRATIVE_VOCABULARY), ...faults('submissionTemplate', SUBMISSION_VOCABULARY)];
}

const NARRATIVE = `Caso {{case.number}} ({{case.type}}), aberto em {{case.openedOn}}: {{case.reason}}

Cliente: {{subject.name}}, {{subject.taxId}}, nascimento {{subject.dateOfBirth}}.
Operação de {{operation.on}}, no valor de {{operation.amount}}.

Descreva aqui o que foi observado, por que é suspeito e o que foi verificado.`;

const SUBMISSION = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Exemplo: este arquivo não segue o leiaute do Siscoaf. Troque o modelo em Configurações antes de enviar. -->
<comunicacao exemplo="sim" tipo="{{report.kind}}" numero="{{report.id}}" ano="{{report.year}}">
  <enquadramento>{{report.legalBasis}}</enquadramento>
  <operacao data="{{operation.on}}" valor="{{operation.amount}}"/>
  <selecao>{{report.selectedOn}}</selecao>
  <decisao>{{report.decidedOn}}</decisao>
{{#parties}}  <envolvido papel="{{party.role}}" documento="{{party.taxId}}">{{party.name}}</envolvido>
{{/parties}}  <relato>{{report.narrative}}</relato>
{{#documents}}  <anexo nome="{{document.fileName}}" tipo="{{document.mediaType}}"
    sha256="{{document.sha256}}">{{document.base64}}</anexo>
{{/documents}}</comunicacao>`;

/**
 * What a tenant has before it sets anything. The deadlines are those of Circular BCB 3.978/2020 as the contract cites
 * it; the file for submission is an example and says so.
 */
export const SHIPPED_REPORT_SETTINGS: ReportSettings = {
  selectionDays: 45,
  analysisDays: 45,
  suspiciousBusinessDays: 1,
  cashBusinessDays: 1,
  nonOccurrenceBusinessDays: 10,
  narrativeTemplate: NARRATIVE,
  submissionFormat: 'xml',
  submissionTemplate: SUBMISSION,
};
