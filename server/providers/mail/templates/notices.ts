/**
 * Templates of mails that inform about an event. Used by templates/index.ts. They name no screened person, because
 * others may read the mail.
 */
import type { Template, TemplateContext } from '../compose.ts';

/** A process that asks for the attention of people. Its name is one that the tenant has chosen. */
interface Asking {
  readonly process: string;
  readonly instanceId: string;
}

interface AtInstant {
  readonly at: Date;
}

/** Origin of the request, if it is worth mentioning. */
interface FromSomewhere extends AtInstant {
  readonly ip: string | null;
}

const NOT_YOU = {
  en: 'If this was not you, set a new password at once and tell your administrator.',
  'pt-BR': 'Se não foi você, defina uma nova senha imediatamente e avise seu administrador.',
} as const;

const origin = {
  en: ({ at, ip }: FromSomewhere, { time }: TemplateContext) => `${time(at)}${ip === null ? '' : `, from ${ip}`}`,
  'pt-BR': ({ at, ip }: FromSomewhere, { time }: TemplateContext) =>
    `${time(at)}${ip === null ? '' : `, a partir de ${ip}`}`,
} as const;

export const passwordChanged: Template<AtInstant> = {
  en: ({ at }, { time }) => ({
    subject: 'Your password was changed',
    paragraphs: [`The password of your account was changed (${time(at)}). All other sessions were ended.`, NOT_YOU.en],
  }),
  'pt-BR': ({ at }, { time }) => ({
    subject: 'Sua senha foi alterada',
    paragraphs: [
      `A senha da sua conta foi alterada (${time(at)}). Todas as outras sessões foram encerradas.`,
      NOT_YOU['pt-BR'],
    ],
  }),
};

export const refreshTokenReused: Template<FromSomewhere> = {
  en: (values, pen) => ({
    subject: 'A session of yours was ended for safety',
    paragraphs: [
      `A sign-in token of yours was used a second time (${origin.en(values, pen)}). That can mean that somebody ` +
        'copied it, so we ended the session.',
      'Sign in again.',
      NOT_YOU.en,
    ],
  }),
  'pt-BR': (values, pen) => ({
    subject: 'Uma sessão sua foi encerrada por segurança',
    paragraphs: [
      `Um token de acesso seu foi usado pela segunda vez (${origin['pt-BR'](values, pen)}). Isso pode significar ` +
        'que alguém o copiou; por isso encerramos a sessão.',
      'Entre novamente.',
      NOT_YOU['pt-BR'],
    ],
  }),
};

export const recoveryCodeUsed: Template<FromSomewhere & { readonly remaining: number }> = {
  en: (values, pen) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `One of your recovery codes was used to sign in (${origin.en(values, pen)}). Recovery codes that are left: ` +
        `${values.remaining}.`,
      NOT_YOU.en,
    ],
  }),
  'pt-BR': (values, pen) => ({
    subject: 'Um código de recuperação foi usado',
    paragraphs: [
      `Um dos seus códigos de recuperação foi usado para entrar (${origin['pt-BR'](values, pen)}). Códigos ` +
        `restantes: ${values.remaining}.`,
      NOT_YOU['pt-BR'],
    ],
  }),
};

interface Lock {
  readonly until: Date;
  readonly ip: string | null;
}

export const accountLocked: Template<Lock> = {
  en: ({ until, ip }, { time }) => ({
    subject: 'Signing in from new devices is locked for a while',
    paragraphs: [
      'There were too many failed attempts to sign in to your ' +
        `account${ip === null ? '' : `, the last one from ${ip}`}. Until ${time(until)} nobody gets in from a ` +
        'device or address that you have not signed in from lately. Open sessions go on.',
      'If it was you, wait and try again, or reset your password. If not, tell your administrator. While attempts ' +
        'go on, we do not write again.',
    ],
  }),
  'pt-BR': ({ until, ip }, { time }) => ({
    subject: 'O acesso por novos dispositivos está bloqueado por algum tempo',
    paragraphs: [
      `Houve tentativas demais de entrar na sua conta${ip === null ? '' : `, a última a partir de ${ip}`}. Até ` +
        `${time(until)}, ninguém entra a partir de um dispositivo ou endereço que você não usou recentemente. As ` +
        'sessões abertas continuam.',
      'Se foi você, espere e tente de novo, ou redefina sua senha. Se não foi, avise seu administrador. Enquanto ' +
        'as tentativas continuarem, não escreveremos de novo.',
    ],
  }),
};

/** Sent to the person whose session was locked. Strangers cannot cause it, because it takes a session of the person. */
export const sessionLocked: Template<Lock> = {
  en: ({ until, ip }, { time }) => ({
    subject: 'Too many wrong passwords or codes in a session of yours',
    paragraphs: [
      'Somebody who is signed in to your account gave a wrong password or code too ' +
        `often${ip === null ? '' : `, the last time from ${ip}`}. What needs one is locked in that ` +
        `session until ${time(until)}.`,
      NOT_YOU.en,
    ],
  }),
  'pt-BR': ({ until, ip }, { time }) => ({
    subject: 'Senhas ou códigos errados demais em uma sessão sua',
    paragraphs: [
      'Alguém conectado à sua conta informou senha ou código errado vezes ' +
        `demais${ip === null ? '' : `, a última a partir de ${ip}`}. O que exige um deles está bloqueado nessa ` +
        `sessão até ${time(until)}.`,
      NOT_YOU['pt-BR'],
    ],
  }),
};

export const mfaEnrolled: Template<AtInstant> = {
  en: ({ at }, { time }) => ({
    subject: 'Two-step sign-in is on',
    paragraphs: [
      `An authenticator app was added to your account (${time(at)}). Keep the recovery codes in a safe place.`,
      NOT_YOU.en,
    ],
  }),
  'pt-BR': ({ at }, { time }) => ({
    subject: 'A verificação em duas etapas está ativa',
    paragraphs: [
      `Um aplicativo autenticador foi adicionado à sua conta (${time(at)}). Guarde os códigos de ` +
        'recuperação em lugar seguro.',
      NOT_YOU['pt-BR'],
    ],
  }),
};

export const mfaDisabled: Template<AtInstant> = {
  en: ({ at }, { time }) => ({
    subject: 'Two-step sign-in is off',
    paragraphs: [`The authenticator app was removed from your account (${time(at)}).`, NOT_YOU.en],
  }),
  'pt-BR': ({ at }, { time }) => ({
    subject: 'A verificação em duas etapas foi desativada',
    paragraphs: [`O aplicativo autenticador foi removido da sua conta (${time(at)}).`, NOT_YOU['pt-BR']],
  }),
};

/** Sent if an administrator has reset the second factor of a person who lost it. */
export const mfaReset: Template<AtInstant & { readonly administratorName: string }> = {
  en: ({ at, administratorName }, { time }) => ({
    subject: 'Your two-step sign-in was reset',
    paragraphs: [
      `${administratorName} removed the authenticator app from your account and ended your sessions ` +
        `(${time(at)}). You can add a new one when you sign in.`,
      'If you did not ask for this, tell your administrator at once.',
    ],
  }),
  'pt-BR': ({ at, administratorName }, { time }) => ({
    subject: 'Sua verificação em duas etapas foi redefinida',
    paragraphs: [
      `${administratorName} removeu o aplicativo autenticador da sua conta e encerrou suas sessões (${time(at)}). ` +
        'Você pode adicionar outro ao entrar.',
      'Se você não pediu isso, avise seu administrador imediatamente.',
    ],
  }),
};

interface ConfirmedHit {
  readonly deciderName: string;
  readonly listTitle: string;
  readonly screeningId: string;
  readonly dueAt: Date;
}

/** Names the screening and not the person, because mail may be read by others. */
export const sanctionConfirmed: Template<ConfirmedHit> = {
  en: ({ deciderName, listTitle, screeningId, dueAt }, { time }) => ({
    subject: 'A hit on a sanctions list was confirmed: assets must be frozen',
    paragraphs: [
      `${deciderName} confirmed a hit on the ${listTitle} (screening ${screeningId}).`,
      'Assets must be frozen without delay (Lei 13.810/2019), and what is known reported to the authorities by ' +
        `${time(dueAt)} (Lei 9.613/1998, art. 11).`,
      'The application cannot be approved any more.',
    ],
  }),
  'pt-BR': ({ deciderName, listTitle, screeningId, dueAt }, { time }) => ({
    subject: 'Um apontamento em lista de sanções foi confirmado: os ativos devem ser bloqueados',
    paragraphs: [
      `${deciderName} confirmou um apontamento na lista ${listTitle} (consulta ${screeningId}).`,
      'Os ativos devem ser bloqueados sem demora (Lei 13.810/2019), e o que se sabe comunicado às autoridades até ' +
        `${time(dueAt)} (Lei 9.613/1998, art. 11).`,
      'A solicitação não pode mais ser aprovada.',
    ],
  }),
};

interface RaisedAlerts {
  readonly count: number;
  /** Number of critical alerts. */
  readonly critical: number;
  /** Due date of the first alert. */
  readonly dueAt: Date;
}

/** One letter for all alerts of a minute. It names no person. */
export const alertsRaised: Template<RaisedAlerts> = {
  en: ({ count, critical, dueAt }, { link, time }) => ({
    subject: count === 1 ? 'Monitoring has raised an alert' : `Monitoring has raised ${count} alerts`,
    paragraphs: [
      `${count === 1 ? 'An alert about a customer waits' : `${count} alerts about customers wait`} for you. ` +
        `Critical: ${critical}. Look at the first by ${time(dueAt)}.`,
      link('The alerts', '/monitoring'),
    ],
  }),
  'pt-BR': ({ count, critical, dueAt }, { link, time }) => ({
    subject: count === 1 ? 'O monitoramento gerou um alerta' : `O monitoramento gerou ${count} alertas`,
    paragraphs: [
      `${count === 1 ? 'Um alerta sobre um cliente espera' : `${count} alertas sobre clientes esperam`} por você. ` +
        `Críticos: ${critical}. Olhe o primeiro até ${time(dueAt)}.`,
      link('Os alertas', '/monitoring'),
    ],
  }),
};

/** It says which process asks, and nothing of what it is about. */
export const processAsks: Template<Asking> = {
  en: ({ process, instanceId }, { link }) => ({
    subject: `The process ${process} asks you to look at it`,
    paragraphs: [
      `An instance of the process ${process} asks for your attention.`,
      link('The instance', `/workflows/instances/${instanceId}`),
    ],
  }),
  'pt-BR': ({ process, instanceId }, { link }) => ({
    subject: `O processo ${process} pede sua atenção`,
    paragraphs: [
      `Uma instância do processo ${process} pede sua atenção.`,
      link('A instância', `/workflows/instances/${instanceId}`),
    ],
  }),
};
