/**
 * Refusals of the service in words, and what the user can do about each. Used by everything that calls the API or shows
 * an error. A code without words here is shown in the service's English.
 */
import type { components } from '../../../contract/generated/client-types.ts';
import { inLanguages, type Language, language } from './language.ts';

export type Problem = components['schemas']['Problem'];
export type FieldError = components['schemas']['FieldError'];

/** There was no answer, because the network or the service is unavailable. */
export class Unreachable extends Error {
  constructor() {
    super('unreachable');
  }
}

/** The dialog that a call waited for was closed. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'status' in value && 'title' in value;
}

export function codeOf(error: unknown): string {
  if (isProblem(error)) return error.code;
  if (error instanceof Cancelled) return 'cancelled';
  return 'unreachable';
}

/** Returns the answer of a call or throws its problem, for calls outside of queries. */
export async function answerOf<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call;
  if (error !== undefined) throw error;
  if (data === undefined) throw new Unreachable();
  return data;
}

/** Does the same for calls that answer without a body. */
export async function done(call: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) throw error ?? new Unreachable();
}

interface ProblemWords {
  readonly unreachable: string;
  readonly cancelled: string;
  readonly waitSeconds: (seconds: number) => string;
  readonly waitUntil: (time: string, minutes: number) => string;
  /** Titles by problem code. A code without one is shown in the words of the service. */
  readonly titles: Readonly<Partial<Record<Problem['code'], string>>>;
}

const words = inLanguages<ProblemWords>({
  en: {
    unreachable: 'The service cannot be reached. Check the connection and try again: nothing is done twice.',
    cancelled: 'Not done: it needs a code of your authenticator.',
    waitSeconds: (seconds) => `Try again in ${seconds} seconds.`,
    waitUntil: (time, minutes) => `Try again at ${time}, in ${minutes} minutes.`,
    titles: {
      validation_failed: 'Something is missing or not as it should be.',
      malformed_request: 'The service did not understand this page. Load it again.',
    },
  },
  pt: {
    unreachable: 'Não foi possível falar com o serviço. Verifique a conexão e tente de novo: nada é feito duas vezes.',
    cancelled: 'Nada foi feito: falta um código do seu autenticador.',
    waitSeconds: (seconds) => `Tente de novo em ${seconds} segundos.`,
    waitUntil: (time, minutes) => `Tente de novo às ${time}, em ${minutes} minutos.`,
    titles: {
      role_forbidden: 'Seu papel não permite isto.',
      invalid_credentials: 'E-mail ou senha incorretos.',
      account_locked: 'A conta está bloqueada por algum tempo.',
      rate_limited: 'Muitas tentativas em pouco tempo.',
      version_conflict: 'Alguém mudou isto enquanto você trabalhava. Carregue a página de novo.',
      validation_failed: 'Algo está faltando ou não está como deveria.',
      malformed_request: 'O serviço não entendeu esta página. Carregue de novo.',
      overloaded: 'O serviço não pode responder agora.',
      dependency_unavailable: 'O serviço não pode responder agora.',
      internal_error: 'O serviço falhou. Tente de novo.',
      invitation_invalid: 'Este convite não vale mais. Peça outro a quem convidou você.',
      invitation_already_used: 'Este convite já foi aceito. Entre com seu e-mail e sua senha.',
      reset_token_invalid: 'Este link não vale mais. Peça outro.',
      tenant_suspended: 'O inquilino está suspenso.',
      user_exists: 'Esta pessoa já faz parte da equipe.',
      seat_limit: 'Não há mais lugares no plano.',
      last_owner: 'Precisa haver ao menos um proprietário.',
      mfa_required_by_policy: 'O inquilino exige um segundo fator.',
      second_administrator_required: 'Falta a confirmação de um segundo administrador.',
      slug_taken: 'Este nome curto já está em uso.',
      mail_limit_reached: 'Muitos e-mails para este endereço. Tente mais tarde.',
      not_found: 'Não existe, ou não está ao seu alcance.',
    },
  },
});

type Titles = ProblemWords['titles'];
let further: Readonly<Record<Language, Titles>> = { en: {}, pt: {} };

/** Adds words for refusals that only some pages get. Those pages add them when they are loaded. */
export function explainAlso(titles: Readonly<Record<Language, Titles>>): void {
  further = { en: { ...further.en, ...titles.en }, pt: { ...further.pt, ...titles.pt } };
}

/** An obstacle with a link to the place where it can be removed: a part of the page, or another page. */
export type Way = { readonly text: string; readonly label: string } & (
  | { readonly place: string; readonly href?: undefined }
  | { readonly href: string; readonly place?: undefined }
);

let waysOf: (problem: Problem) => readonly Way[] = () => [];

/** Sets the links for refusals that only some pages get. Those pages set them when they are loaded. */
export function leadOutBy(ways: typeof waysOf): void {
  waysOf = ways;
}

export function waysOutOf(problem: Problem): readonly Way[] {
  return waysOf(problem);
}

/** Explains a failure to the user, in the page's language if the code is known. */
export function explain(error: unknown): string {
  const t = words[language()];
  if (error instanceof Cancelled) return t.cancelled;
  if (!isProblem(error)) return t.unreachable;
  const text =
    t.titles[error.code] ??
    further[language()][error.code] ??
    [`${error.title.replace(/\.$/, '')}.`, error.detail].filter((part) => part !== undefined && part !== '').join(' ');
  return [text, error.retryAfter === undefined ? '' : waitText(error.retryAfter)].join(' ').trim();
}

/** Returns the waiting time and, if it is long, its end. */
function waitText(seconds: number): string {
  const t = words[language()];
  if (seconds < 120) return t.waitSeconds(seconds);
  const clock = new Intl.DateTimeFormat(language() === 'pt' ? 'pt-BR' : 'en-GB', { timeStyle: 'short' });
  return t.waitUntil(clock.format(Date.now() + seconds * 1000 + 59_999), Math.ceil(seconds / 60));
}
