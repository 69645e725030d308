/** What each invented person is for, in Portuguese; English comes from the service. Used by personas.tsx. */
import { inLanguages } from '../../core/language.ts';

/**
 * Purpose of each persona by its key. The service has it in English; a persona unknown to this page is shown in those
 * words.
 */
export const personaWords = inLanguages<Readonly<Record<string, string>>>({
  en: {},
  pt: {
    clean:
      'Em nenhuma lista: a consulta fica limpa. Com ela, aprovada sem uma pessoa, com risco baixo, onde a ' +
      'política aprova os casos claros (decisionPolicy.autoApprove).',
    pep:
      'Exerce um cargo público: uma ocorrência aberta na lista de pessoas politicamente expostas, com os dígitos do ' +
      'número fiscal que ela mostra. Depois que uma pessoa a confirma, o risco é alto e duas pessoas ' +
      'decidem.',
    sanctioned:
      'Uma correspondência verdadeira na lista das Nações Unidas, com a data de nascimento dada aqui. Depois que ' +
      'uma pessoa a confirma, o risco é proibido e ninguém pode aprovar.',
    expired_document: 'O documento de identidade está vencido.',
    face_mismatch: 'O rosto não é o do documento.',
    liveness_spoof: 'A câmera vê uma foto em vez de uma pessoa viva.',
    provider_timeout: 'O provedor não responde na primeira vez e responde na segunda.',
    homonyms:
      'Doze ocorrências abertas pelo nome, todas de pessoas nascidas em outros anos. Decidido que cada uma é ' +
      'outra pessoa, a consulta fica liberada.',
    account_protection: 'Pediu ao Banco Central (BC Protege+) que nenhuma conta seja aberta em seu nome.',
    cancelled_cpf: 'O CPF está cancelado porque o titular morreu.',
    active_company: 'Uma sociedade limitada ativa com dois sócios.',
    layered_company: 'Três camadas de sócios; o beneficiário final detém 26 %.',
    cross_holding: 'Duas empresas que são donas uma da outra.',
    closed_company: 'Baixada no registro.',
    sanctioned_owner: 'Seu beneficiário final está em uma lista de sanções.',
    joint_signature: 'Acima de R$ 100.000, dois diretores assinam juntos.',
    expired_mandate: 'O mandato dos diretores terminou.',
    registry_outage: 'O registro não responde.',
    unknown_shares: 'O registro informa os sócios sem as participações.',
  },
});
