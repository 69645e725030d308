import type { SettingsWords } from './settings-words-en.ts';

/** The settings in Brazilian Portuguese. */
export const portuguese: SettingsWords = {
  yes: 'Sim', no: 'Não', enterNumber: 'Digite um número.', enterColour: 'Digite uma cor.', enterValue: 'Digite um valor.', check: 'Verificação', pick: (label) => `Escolher: ${label}`,
  risk: { low: 'Baixo', medium: 'Médio', high: 'Alto' },
  levels: { basic: 'Básico', standard: 'Padrão', enhanced: 'Reforçado' },
  checks: {
    identity_data: 'Dados de identidade completos', tax_id_valid: 'CPF ou CNPJ válido', legal_bases_recorded: 'Bases legais registradas', screening_clear: 'Triagem sem apontamentos',
    cpf_status_ok: 'CPF regular', account_protection_clear: 'Sem proteção contra abertura de contas', id_document: 'Documento de identidade', document_ocr_passed: 'Documento lido',
    liveness_passed: 'Prova de vida', face_match_passed: 'Rosto confere com o documento', address: 'Endereço', proof_of_address: 'Comprovante de endereço', income_declared: 'Renda declarada',
    source_of_funds: 'Origem dos recursos', adverse_media_clear: 'Sem mídia adversa', senior_approval: 'Aprovação de um sênior', registry_active: 'Empresa ativa',
    officers_match: 'Administradores conferem com o registro', ownership_complete: 'Estrutura societária completa', bo_identified: 'Beneficiários finais identificados',
    bo_screened: 'Beneficiários finais triados', powers_confirmed: 'Poderes confirmados', representatives_verified: 'Representantes verificados',
  },
  sections: {
    branding: {
      title: 'Marca', explanation: 'O idioma dos e-mails, e o que as suas próprias páginas mostram aos solicitantes: o serviço não tem nenhuma.', displayName: 'Nome que os solicitantes veem', primaryColor: 'Cor principal',
      colourHint: 'Como #rrggbb. Texto branco precisa ser legível sobre ela.', supportEmail: 'Para onde os solicitantes escrevem', locale: 'Idioma', en: 'Inglês', pt: 'Português (Brasil)', es: 'Espanhol',
      logo: 'Logotipo', logoHint: 'O id de uma imagem anexada como documento do tipo “other”.',
    },
    decisionPolicy: {
      title: 'Política de decisão', explanation: 'Como se decide sobre as solicitações. A lista de entrada em produção pede que um oficial de compliance a salve.',
      autoApprove: 'Aprovar casos claros automaticamente', autoApproveHint: 'Casos de baixo risco sem nenhum apontamento, com todas as verificações que o nível pede.',
      levels: 'Duas pessoas decidem nestes níveis de risco', onPep: 'Duas pessoas para pessoas expostas politicamente', onPepHint: 'Seja qual for o nível de risco.',
      onConfirmedHit: 'Duas pessoas após um apontamento confirmado', onConfirmedHitHint: 'Em uma lista de triagem.', onNotScreened: 'Duas pessoas para aprovar sem triagem', onNotScreenedHint: 'Quando nenhuma triagem abrange a pessoa como ela está agora.', onOverride: 'Duas pessoas quando um resultado é contrariado', onOverrideHint: 'De uma verificação automática. Em breve; o que você define fica guardado até lá.',
      amountAbove: 'Duas pessoas acima de um valor', amountHint: 'Vazio significa que o valor não importa. Em breve; o que você define fica guardado até lá.', requiredChecks: 'Verificações que cada nível de diligência pede',
      minimumAge: 'Idade mínima dos solicitantes, em anos', validity: (risk) => `Uma aprovação vale por, em meses (risco: ${risk.toLowerCase()})`, informationDueDays: 'Solicitantes respondem em, dias',
      resubmissionLimit: 'Quantas vezes podem responder', reasonCodes: 'Motivos que as decisões podem dar', onePerLine: 'Um por linha.',
    },
    ownership: {
      title: 'Beneficiários finais', explanation: 'A partir de que participação alguém conta como um.', toCome: 'As empresas ainda virão; o que você define fica guardado até lá.',
      percent: 'Participação, em %', comparator: 'Contagem', gte: 'A partir desta participação', gt: 'Acima desta participação', lowerFor: 'Participações menores por nível de risco', riskLevel: 'Nível de risco',
      add: 'Incluir participação menor', row: (number) => `participação menor ${number}`, remove: (number) => `Remover participação menor ${number}`, item: (percent, risk) => `${percent} % no risco: ${risk}`,
    },
    screening: {
      title: 'Triagem', explanation: 'Como os nomes são comparados com listas.', profile: 'Notas das ocorrências',
      profileHint: 'De 0,5 a 1. Abaixo da primeira nota nada é ocorrência; a partir dela, uma ocorrência é fraca, possível ou forte. As já decididas continuam decididas.',
      kind: 'Na lista: quem é consultado', kindsOfList: { sanctions: 'Sanções', pep: 'Exposição política', other: 'Outras listas' }, kindsOfSubject: { person: 'pessoas', organisation: 'organizações' },
      lines: { alert: 'Ocorrência a partir de', review: 'Possível a partir de', strong: 'Forte a partir de' }, stale: 'Uma lista desatualizada bloqueia aprovações', staleHint: 'Se a lei exige a lista.',
      lists: 'Listas sempre consultadas', listsHint: 'Uma por linha, pelo código: un-csnu, por exemplo.',
    },
    retention: {
      title: 'Retenção', explanation: 'Por quanto tempo os registros são mantidos. A lei define o mínimo.', customerYears: 'Clientes, anos após o fim do relacionamento',
      rejectedYears: 'Solicitantes recusados, anos', biometricDays: 'Selfies e vídeos, dias após a decisão', biometricHint: 'Os arquivos são apagados então; hash e status ficam.', auditYears: 'Trilha de auditoria, anos', auditHint: 'Em breve: nada apaga eventos ainda.',
    },
    security: {
      title: 'Acesso', explanation: 'Como as pessoas entram.', mfaRequired: 'Todos precisam de um segundo fator', mfaHint: 'Quem não tem cadastra um antes de qualquer outra coisa.',
      passwordMinLength: 'Tamanho mínimo das senhas', sessionHours: 'Uma sessão dura no máximo, em horas', idleMinutes: 'Termina sem uso por, em minutos',
      inactivityDays: 'Usuários são bloqueados após, em dias sem entrar', emptyNever: 'Vazio significa nunca.', never: 'Nunca', allowedEmailDomains: 'Domínios que podem ser convidados',
      domainsHint: 'Um por linha. Vazio significa qualquer um.', any: 'Qualquer um',
    },
    queues: {
      title: 'Filas', explanation: 'Onde os casos esperam, e por quanto tempo.', toCome: 'Os casos ainda virão; o que você define fica guardado até lá.', label: 'Filas de casos', key: 'Chave', name: 'Nome',
      slaHours: 'Resolver em, horas', add: 'Incluir fila', row: (number) => `fila ${number}`, remove: (number) => `Remover fila ${number}`, item: (name, key, hours) => `${name} (${key}), ${hours} horas`,
    },
    customActTypes: {
      title: 'Atos jurídicos', explanation: 'Tipos de atos jurídicos seus, além dos que a plataforma conhece.', toCome: 'Os poderes de representantes ainda virão; o que você define fica guardado até lá.',
      label: 'Tipos de atos', key: 'Chave', name: 'Nome', add: 'Incluir tipo', row: (number) => `tipo ${number}`, remove: (number) => `Remover tipo ${number}`,
    },
    fundsRecovery: {
      title: 'Recuperação de valores', explanation: 'O que o feed de recuperações mostra de pessoas e com que frequência pede para ser lido.', rawPayload: 'Documentos do diretório', full: 'Completos', masked: 'Pessoas, contas e textos livres com máscara',
      receivesReports: 'Recebemos relatos de infração', receivesReportsHint: 'O feed pede para ser lido a cada minuto. A partir do primeiro relato, isso acontece sem esta opção.',
      deadlineNoticeHours: 'Anunciar os prazos com esta antecedência, em horas', deadlineNoticeHoursHint: 'Uma por linha, até cinco, de 1 a 144. Vazio significa nunca.',
    },
    removeShort: 'Remover',
  },
};
