/**
 * Words for refusals that only pages of applications and companies get, and links to where each can be resolved.
 * Loaded for that effect by those pages.
 */
import { inLanguages, language } from '../../core/language.ts';
import { explainAlso, leadOutBy, type Way } from '../../core/problem.ts';
import { nameOf, namesIn } from './words.ts';

/** Explanations of refused files and applications, with what to do. */
explainAlso({
  en: {
    unsupported_file_type: 'This is not a JPEG, PNG, WebP or PDF file. Save it as one of these.',
    content_type_mismatch: 'The file is not what its name says. Save it again as JPEG, PNG, WebP or PDF.',
    file_too_large: 'The file is larger than 15 MB. Make it smaller, or scan it with less detail.',
    empty_file: 'The file is empty.',
    corrupt_file: 'The file is damaged, or two formats at once. Scan or export it again.',
    encrypted_pdf: 'The PDF asks for a password. Save it without one.',
    active_content: 'The PDF contains scripts or other files. Print it to a plain PDF.',
    image_too_small: 'The picture is too small: at least 600 by 400 pixels.',
    image_too_large: 'The picture has more than 50 megapixels. Make it smaller.',
  },
  pt: {
    unsupported_file_type: 'O arquivo não é JPEG, PNG, WebP nem PDF. Salve-o em um destes formatos.',
    content_type_mismatch: 'O arquivo não é o que o nome diz. Salve de novo como JPEG, PNG, WebP ou PDF.',
    file_too_large: 'O arquivo tem mais de 15 MB. Diminua-o, ou digitalize com menos detalhe.',
    empty_file: 'O arquivo está vazio.',
    corrupt_file: 'O arquivo está danificado, ou é de dois formatos ao mesmo tempo. Digitalize ou exporte de novo.',
    encrypted_pdf: 'O PDF pede senha. Salve-o sem senha.',
    active_content: 'O PDF contém scripts ou outros arquivos. Imprima-o em um PDF simples.',
    image_too_small: 'A imagem é pequena demais: ao menos 600 por 400 pixels.',
    image_too_large: 'A imagem tem mais de 50 megapixels. Diminua-a.',
    document_limit: 'Esta solicitação já tem o máximo de documentos.',
    application_closed: 'A solicitação terminou e não recebe mais nada.',
    document_is_evidence: 'O documento já é evidência e não pode mais ser excluído.',
    consent_limit: 'Esta solicitação já tem o máximo de consentimentos.',
    self_approval_forbidden: 'Ninguém revisa a própria decisão. Peça a outra pessoa.',
    evidence_changed: 'As evidências mudaram. Leia de novo antes de decidir.',
    decision_not_pending: 'Esta decisão não aguarda mais uma revisão.',
    checks_incomplete: 'Um requisito não está mais cumprido, e por isso não se aprova.',
    unknown_reason_code: 'Um dos motivos não está no catálogo.',
    human_required: 'Só uma pessoa pode fazer isto.',
    application_not_editable: 'A solicitação já foi enviada e não pode mais ser editada.',
    duplicate_external_id: 'Este ID externo já é de outra solicitação.',
    duplicate_active_application: 'Esta pessoa já tem uma solicitação em andamento.',
    requirements_missing: 'Ainda falta algo que este nível pede.',
    relationship_ended: 'O relacionamento já foi encerrado.',
    erased: 'A solicitação foi apagada.',
    underage_applicant: 'A pessoa ainda não tem a idade mínima.',
    invalid_state_transition: 'A situação da solicitação não permite isto.',
    invalid_tax_id: 'O número fiscal não é válido.',
    quota_exceeded: 'O limite do plano foi atingido.',
    not_final: 'A verificação ainda não terminou.',
  },
});

const ways = inLanguages({
  en: { show: 'Show', existing: 'Open the other application', company: 'Open the other company' },
  pt: { show: 'Mostrar', existing: 'Abrir a outra solicitação', company: 'Abrir a outra empresa' },
});

/** Links to the record that is there already, which is of the kind of the page. */
function existing(id: string): Way {
  const t = ways[language()];
  return window.location.pathname.startsWith('/businesses')
    ? { text: '', label: t.company, href: `/businesses/${id}` }
    : { text: '', label: t.existing, href: `/applications/${id}` };
}

/** Links unmet requirements to the part of the page where they can be met, and existing objects to their page. */
leadOutBy(({ items = [], existingId }) => {
  const t = ways[language()];
  const { requirements, requirementReasons } = namesIn(language());
  return [
    ...items.map(({ key, reasonCode }) => ({
      text: [nameOf(requirements, key), ...(reasonCode === null ? [] : [nameOf(requirementReasons, reasonCode)])].join(
        ': ',
      ),
      label: t.show,
      place: key === 'screening_clear' && document.getElementById('screening') !== null ? 'screening' : 'requirements',
    })),
    ...(existingId === undefined ? [] : [existing(existingId)]),
  ];
});
