/** The words of the sandbox page. Used by the other files of this folder. */
import { inLanguages } from '../../core/language.ts';

export const words = inLanguages({
  en: {
    title: 'Sandbox',
    lead: 'Invented people and companies, a clock that you move, and nothing that is real.',
    mode: 'Sandbox mode',
    on: 'On',
    off: 'Off',
    since: (when: string) => `since ${when}`,
    by: (name: string) => `by ${name}`,
    onText: 'New records of people, tokens and live keys that do not keep to live go to the sandbox.',
    offText: 'New records are live. Test keys are refused until it is on.',
    redirected: {
      unpinned_live_keys_in_use:
        'These live keys are not pinned and were used in the last 24 hours. What they create now goes to the ' +
        'sandbox, and followers of the live feed stop.',
      unpinned_live_keys_would_be_redirected:
        'These live keys are not pinned and were used in the last 24 hours. Switching sandbox mode on sends what ' +
        'they create to the sandbox and stops followers of the live feed.',
    },
    onboarding: 'Until your tenant goes live it works in the sandbox only.',
    checklist: 'Go live',
    clock: 'Its clock',
    real: 'Real time.',
    ahead: (span: string) => `${span} ahead of real time. Deleting the sandbox data sets it back.`,
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
    minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
    holds: 'What it holds',
    applications: 'Applications',
    documents: 'Documents',
    events: 'Events',
    remove: 'Delete sandbox data',
    removeTitle: 'Delete all sandbox data?',
    removeText:
      'Every sandbox record of your tenant is removed, and its clock returns to real time. Live records and the ' +
      'audit log stay. This cannot be undone.',
    removed: (applications: number, documents: number, events: number) =>
      `Deleted ${applications} applications, ${documents} documents and ${events} events of the sandbox.`,
    personas: 'Who lives in it',
    personasText:
      'Their tax numbers are never issued, and refused outside the sandbox. Submit an application, screen it, and ' +
      'decide; or record a company and ask its registry: what comes out is known.',
    name: 'Name',
    taxId: 'Tax number',
    outcome: 'What comes out',
    person: 'Person',
    company: 'Company',
    apply: 'Submit an application',
    applyTitle: (name: string) => `Submit an application of ${name}?`,
    applyText:
      'An application to open an account, with the name, the date of birth and the tax number of the persona. It ' +
      'stays in the sandbox.',
    submit: 'Submit',
    submitted: (name: string) => `The application of ${name} is submitted.`,
    open: 'Open it',
    simulate: 'Make something happen',
    switchFirst: 'Switch sandbox mode on first.',
    what: 'What happens',
    howMuch: 'How much time',
    expires: 'What expires',
    id: 'Id',
    idHint: 'Of a record of the sandbox.',
    idHintApproved: 'Of an approved application of the sandbox.',
    list: 'List',
    listHint: 'By its code; one of the settings. Empty: the list of the United Nations (un-csnu).',
    idHintOptional: 'Of a funds recovery of the sandbox. Empty: a new one.',
    enterId: 'Enter the id.',
    event: 'Event',
    eventHint: 'Empty: the next of a usual course.',
    run: 'Simulate',
    nothing: 'Done; nothing changed.',
    types: {
      advance_clock: 'Time passes',
      document_expiry: 'A document expires',
      list_update_hit: 'An approved applicant is put on a list',
      funds_recovery_event: 'A funds recovery goes on',
    },
    spans: {
      '3600': 'An hour',
      '86400': 'A day',
      '604800': 'A week',
      '2592000': '30 days',
      '31536000': 'A year',
    },
    targets: { document: 'A document', application: 'All documents of an application' },
  },
  pt: {
    title: 'Sandbox',
    lead: 'Pessoas e empresas inventadas, um relógio que você move, e nada de real.',
    mode: 'Modo sandbox',
    on: 'Ligado',
    off: 'Desligado',
    since: (when: string) => `desde ${when}`,
    by: (name: string) => `por ${name}`,
    onText: 'Novos registros de pessoas, tokens e chaves de produção que não se fixam em produção vão para o sandbox.',
    offText: 'Novos registros são reais. Chaves de teste são recusadas até ele ser ligado.',
    redirected: {
      unpinned_live_keys_in_use:
        'Estas chaves de produção não estão fixadas e foram usadas nas últimas 24 horas. O que elas criam agora ' +
        'vai para o sandbox, e quem segue o feed de produção com elas para.',
      unpinned_live_keys_would_be_redirected:
        'Estas chaves de produção não estão fixadas e foram usadas nas últimas 24 horas. Ligar o modo sandbox ' +
        'envia ao sandbox o que elas criam e para quem segue com elas o feed de produção.',
    },
    onboarding: 'Até entrar em produção, seu inquilino trabalha só no sandbox.',
    checklist: 'Entrar em produção',
    clock: 'O relógio dele',
    real: 'Hora real.',
    ahead: (span: string) => `${span} à frente da hora real. Apagar os dados do sandbox o acerta.`,
    days: (count: number) => (count === 1 ? '1 dia' : `${count} dias`),
    hours: (count: number) => (count === 1 ? '1 hora' : `${count} horas`),
    minutes: (count: number) => (count === 1 ? '1 minuto' : `${count} minutos`),
    holds: 'O que ele contém',
    applications: 'Solicitações',
    documents: 'Documentos',
    events: 'Eventos',
    remove: 'Apagar dados do sandbox',
    removeTitle: 'Apagar todos os dados do sandbox?',
    removeText:
      'Todos os registros de sandbox do seu inquilino são removidos, e o relógio volta à hora real. Os registros ' +
      'de produção e a trilha de auditoria ficam. Isto não pode ser desfeito.',
    removed: (applications: number, documents: number, events: number) =>
      `Foram apagados ${applications} solicitações, ${documents} documentos e ${events} eventos do sandbox.`,
    personas: 'Quem vive nele',
    personasText:
      'Seus números fiscais nunca são emitidos e são recusados fora do sandbox. Envie uma solicitação, consulte ' +
      'as listas e decida; ou cadastre uma empresa e consulte o seu registro: o resultado é conhecido.',
    name: 'Nome',
    taxId: 'Número fiscal',
    outcome: 'O que resulta',
    person: 'Pessoa',
    company: 'Empresa',
    apply: 'Enviar uma solicitação',
    applyTitle: (name: string) => `Enviar uma solicitação de ${name}?`,
    applyText:
      'Uma solicitação de abertura de conta, com o nome, a data de nascimento e o número fiscal da persona. Ela ' +
      'fica no sandbox.',
    submit: 'Enviar',
    submitted: (name: string) => `A solicitação de ${name} foi enviada.`,
    open: 'Abrir',
    simulate: 'Faça algo acontecer',
    switchFirst: 'Ligue antes o modo sandbox.',
    what: 'O que acontece',
    howMuch: 'Quanto tempo',
    expires: 'O que vence',
    id: 'Id',
    idHint: 'De um registro do sandbox.',
    idHintApproved: 'De uma solicitação aprovada do sandbox.',
    list: 'Lista',
    listHint: 'Pelo código; uma das configurações. Vazio: a lista das Nações Unidas (un-csnu).',
    idHintOptional: 'De uma recuperação de valores do sandbox. Vazio: uma nova.',
    enterId: 'Digite o id.',
    event: 'Evento',
    eventHint: 'Vazio: o próximo de um curso usual.',
    run: 'Simular',
    nothing: 'Feito; nada mudou.',
    types: {
      advance_clock: 'O tempo passa',
      document_expiry: 'Um documento vence',
      list_update_hit: 'Um solicitante aprovado entra em uma lista',
      funds_recovery_event: 'Uma recuperação de valores avança',
    },
    spans: {
      '3600': 'Uma hora',
      '86400': 'Um dia',
      '604800': 'Uma semana',
      '2592000': '30 dias',
      '31536000': 'Um ano',
    },
    targets: { document: 'Um documento', application: 'Todos os documentos de uma solicitação' },
  },
});
