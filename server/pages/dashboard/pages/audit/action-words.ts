import { inLanguages } from '../../app/language.ts';

interface ActionWords {
  readonly groups: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<string, string>>;
}

/** What was done, in words. An action that came later is shown as the log names it. */
export const actionWords = inLanguages<ActionWords>({
  en: {
    groups: {
      auth: 'Signing in and passwords', user: 'Team', api_key: 'API keys', oauth: 'Access tokens', application: 'Applications', document: 'Documents', consent: 'Consents', information_request: 'Requests for information', decision: 'Decisions', subject: 'Erasures',
      settings: 'Settings', tenant: 'Tenants', onboarding: 'Going live', sandbox: 'Sandbox', funds_recovery: 'Funds recovery', audit: 'This log', access: 'Refused calls',
    },
    actions: {
      'access.denied': 'Call refused',
      'api_key.created': 'API key created', 'api_key.revoked': 'API key revoked', 'api_key.rotated': 'API key rotated', 'api_key.scopes_changed': 'Scopes of an API key changed', 'api_key.updated': 'API key changed',
      'application.created': 'Application created', 'application.expired': 'Application expired', 'application.relationship_ended': 'Relationship ended', 'application.reopened': 'Application reopened', 'application.status_changed': 'Status of an application changed', 'application.submitted': 'Application submitted', 'application.updated': 'Application changed', 'application.withdrawn': 'Application withdrawn',
      'audit.checkpointed': 'Checkpoint signed', 'audit.exported': 'Log exported', 'audit.verification_failed': 'Verification of the log failed', 'audit.verified': 'Log verified', 'audit.viewed': 'Log viewed',
      'auth.invitation.accepted': 'Invitation accepted', 'auth.invitation.viewed': 'Invitation opened', 'auth.login.failed': 'Sign-in failed', 'auth.login.locked': 'Sign-in locked', 'auth.login.succeeded': 'Signed in', 'auth.logout': 'Signed out',
      'auth.mfa.confirmed': 'Second factor confirmed', 'auth.mfa.disabled': 'Second factor removed', 'auth.mfa.enrolled': 'Second factor enrolled',
      'auth.password.changed': 'Password changed', 'auth.password.reset': 'Password reset', 'auth.password.reset_requested': 'Password reset requested',
      'auth.refresh.reuse_detected': 'Refresh token used twice', 'auth.session.proof_refused': 'Session without its proof refused',
      'consent.granted': 'Consent recorded', 'consent.withdrawn': 'Consent withdrawn',
      'decision.auto_approved': 'Decision made without a person', 'decision.confirmed': 'Decision confirmed', 'decision.invalidated': 'Decision no longer stands', 'decision.proposed': 'Decision made', 'decision.returned': 'Decision returned',
      'document.deleted': 'Document deleted', 'document.downloaded': 'Document downloaded', 'document.rejected': 'Document rejected', 'document.uploaded': 'Document uploaded',
      'evidence_pack.exported': 'Evidence pack downloaded',
      'funds_recovery.events_acknowledged': 'Events of recoveries acknowledged', 'funds_recovery.exported': 'Recoveries exported', 'funds_recovery.payloads_erased': 'Payloads of a recovery erased',
      'information_request.answered': 'Information provided', 'information_request.created': 'Information asked for', 'information_request.overdue': 'Information not provided in time',
      'requirement.waived': 'Requirement waived', 'requirement.waiver_revoked': 'Requirement no longer waived', 'requirement.attested': 'Look-up attested',
      'list.version_ingested': 'Version of a watch list active', 'list.version_checked': 'Watch list looked at', 'list.version_proposed': 'Version of a watch list proposed', 'list.version_returned': 'Version of a watch list returned',
      'list.own_replaced': 'Own list replaced', 'list.own_checked': 'Own list sent again', 'list.own_removed': 'Own list removed',
      'oauth.token.issued': 'Access token issued', 'oauth.token.refused': 'Access token refused',
      'onboarding.step_completed': 'Step to go live completed', 'onboarding.step_dismissed': 'Step to go live dismissed', 'onboarding.step_regressed': 'Step to go live open again', 'onboarding.step_restored': 'Step to go live restored',
      'sandbox.disabled': 'Sandbox switched off', 'sandbox.enabled': 'Sandbox switched on', 'sandbox.fault_armed': 'Fault of the directory armed', 'sandbox.recovery_advanced': 'Clock of the sandbox advanced', 'sandbox.recovery_started': 'Recovery played', 'sandbox.reset': 'Sandbox emptied', 'sandbox.simulated': 'Event simulated',
      'allowlist.created': 'Put on the allow-list', 'allowlist.revoked': 'Taken off the allow-list', 'allowlist.expired': 'Entry of the allow-list expired', 'allowlist.suspended': 'Entry of the allow-list suspended',
      'alert.raised': 'Alert raised', 'alert.triaged': 'Alert dealt with', 'monitoring.subscribed': 'Monitoring begun', 'monitoring.changed': 'Monitoring changed', 'monitoring.paused': 'Monitoring paused',
      'monitoring.resumed': 'Monitoring resumed', 'monitoring.run': 'Monitoring run asked for', 'monitoring.algorithm_released': 'Algorithm of monitoring released',
      'hit.adjudicated': 'Hit decided', 'hit.freeze_due': 'Assets to be frozen', 'hit.second_reviewed': 'Hit looked at by a second person', 'screening.run': 'Name screened',
      'settings.updated': 'Settings changed',
      'subject.erased': 'Record erased',
      'tenant.closure_requested': 'Closure of a tenant requested', 'tenant.created': 'Tenant created', 'tenant.quota_changed': 'Quota of a tenant changed', 'tenant.status_changed': 'Status of a tenant changed', 'tenant.updated': 'Tenant changed', 'tenant.went_live': 'Went live',
      'user.deactivated': 'Member deactivated', 'user.invitation_revoked': 'Invitation revoked', 'user.invited': 'Member invited', 'user.mfa_reset': 'Second factor of a member reset', 'user.reactivated': 'Member reactivated', 'user.role_changed': 'Role of a member changed', 'user.sessions_ended': 'Sessions of a member ended', 'user.unlocked': 'Member unlocked', 'user.updated': 'Member changed',
    },
  },
  pt: {
    groups: {
      auth: 'Acesso e senhas', user: 'Equipe', api_key: 'Chaves de API', oauth: 'Tokens de acesso', application: 'Solicitações', document: 'Documentos', consent: 'Consentimentos', information_request: 'Pedidos de informação', decision: 'Decisões', subject: 'Exclusões de dados',
      settings: 'Configurações', tenant: 'Inquilinos', onboarding: 'Entrada em produção', sandbox: 'Sandbox', funds_recovery: 'Recuperação de valores', audit: 'Esta trilha', access: 'Chamadas recusadas',
    },
    actions: {
      'access.denied': 'Chamada recusada',
      'api_key.created': 'Chave de API criada', 'api_key.revoked': 'Chave de API revogada', 'api_key.rotated': 'Chave de API trocada', 'api_key.scopes_changed': 'Escopos de chave de API alterados', 'api_key.updated': 'Chave de API alterada',
      'application.created': 'Solicitação criada', 'application.expired': 'Solicitação expirada', 'application.relationship_ended': 'Relacionamento encerrado', 'application.reopened': 'Solicitação reaberta', 'application.status_changed': 'Situação da solicitação alterada', 'application.submitted': 'Solicitação enviada', 'application.updated': 'Solicitação alterada', 'application.withdrawn': 'Solicitação retirada',
      'audit.checkpointed': 'Ponto de verificação assinado', 'audit.exported': 'Trilha exportada', 'audit.verification_failed': 'Verificação da trilha falhou', 'audit.verified': 'Trilha verificada', 'audit.viewed': 'Trilha consultada',
      'auth.invitation.accepted': 'Convite aceito', 'auth.invitation.viewed': 'Convite aberto', 'auth.login.failed': 'Falha ao entrar', 'auth.login.locked': 'Acesso bloqueado', 'auth.login.succeeded': 'Entrou', 'auth.logout': 'Saiu',
      'auth.mfa.confirmed': 'Segundo fator confirmado', 'auth.mfa.disabled': 'Segundo fator removido', 'auth.mfa.enrolled': 'Segundo fator cadastrado',
      'auth.password.changed': 'Senha alterada', 'auth.password.reset': 'Senha redefinida', 'auth.password.reset_requested': 'Redefinição de senha pedida',
      'auth.refresh.reuse_detected': 'Token de renovação usado duas vezes', 'auth.session.proof_refused': 'Sessão sem a sua prova recusada',
      'consent.granted': 'Consentimento registrado', 'consent.withdrawn': 'Consentimento revogado',
      'decision.auto_approved': 'Decisão tomada sem uma pessoa', 'decision.confirmed': 'Decisão confirmada', 'decision.invalidated': 'Decisão não vale mais', 'decision.proposed': 'Decisão tomada', 'decision.returned': 'Decisão devolvida',
      'document.deleted': 'Documento excluído', 'document.downloaded': 'Documento baixado', 'document.rejected': 'Documento recusado', 'document.uploaded': 'Documento enviado',
      'evidence_pack.exported': 'Pacote de evidências baixado',
      'funds_recovery.events_acknowledged': 'Eventos de recuperações confirmados', 'funds_recovery.exported': 'Recuperações exportadas', 'funds_recovery.payloads_erased': 'Conteúdo de uma recuperação apagado',
      'information_request.answered': 'Informações enviadas', 'information_request.created': 'Informações pedidas', 'information_request.overdue': 'Informações fora do prazo',
      'requirement.waived': 'Requisito dispensado', 'requirement.waiver_revoked': 'Requisito não mais dispensado', 'requirement.attested': 'Consulta atestada',
      'list.version_ingested': 'Versão de lista em vigor', 'list.version_checked': 'Lista conferida', 'list.version_proposed': 'Versão de lista proposta', 'list.version_returned': 'Versão de lista devolvida',
      'list.own_replaced': 'Lista própria substituída', 'list.own_checked': 'Lista própria enviada de novo', 'list.own_removed': 'Lista própria removida',
      'oauth.token.issued': 'Token de acesso emitido', 'oauth.token.refused': 'Token de acesso recusado',
      'onboarding.step_completed': 'Passo para produção concluído', 'onboarding.step_dismissed': 'Passo para produção dispensado', 'onboarding.step_regressed': 'Passo para produção reaberto', 'onboarding.step_restored': 'Passo para produção restaurado',
      'sandbox.disabled': 'Sandbox desligado', 'sandbox.enabled': 'Sandbox ligado', 'sandbox.fault_armed': 'Falha do diretório preparada', 'sandbox.recovery_advanced': 'Relógio do sandbox adiantado', 'sandbox.recovery_started': 'Recuperação simulada', 'sandbox.reset': 'Sandbox esvaziado', 'sandbox.simulated': 'Evento simulado',
      'allowlist.created': 'Incluído na lista de permissões', 'allowlist.revoked': 'Retirado da lista de permissões', 'allowlist.expired': 'Item da lista de permissões vencido', 'allowlist.suspended': 'Item da lista de permissões suspenso',
      'alert.raised': 'Alerta gerado', 'alert.triaged': 'Alerta tratado', 'monitoring.subscribed': 'Monitoramento iniciado', 'monitoring.changed': 'Monitoramento alterado', 'monitoring.paused': 'Monitoramento pausado',
      'monitoring.resumed': 'Monitoramento retomado', 'monitoring.run': 'Nova verificação de monitoramento pedida', 'monitoring.algorithm_released': 'Algoritmo de monitoramento liberado',
      'hit.adjudicated': 'Apontamento decidido', 'hit.freeze_due': 'Ativos a bloquear', 'hit.second_reviewed': 'Apontamento visto por uma segunda pessoa', 'screening.run': 'Nome consultado em listas',
      'settings.updated': 'Configurações alteradas',
      'subject.erased': 'Registro apagado',
      'tenant.closure_requested': 'Encerramento de inquilino pedido', 'tenant.created': 'Inquilino criado', 'tenant.quota_changed': 'Cota de inquilino alterada', 'tenant.status_changed': 'Situação de inquilino alterada', 'tenant.updated': 'Inquilino alterado', 'tenant.went_live': 'Entrou em produção',
      'user.deactivated': 'Membro desativado', 'user.invitation_revoked': 'Convite revogado', 'user.invited': 'Membro convidado', 'user.mfa_reset': 'Segundo fator de membro removido', 'user.reactivated': 'Membro reativado', 'user.role_changed': 'Papel de membro alterado', 'user.sessions_ended': 'Sessões de membro encerradas', 'user.unlocked': 'Membro desbloqueado', 'user.updated': 'Membro alterado',
    },
  },
});
