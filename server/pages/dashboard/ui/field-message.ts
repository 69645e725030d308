/** Errors of fields in words. Used by form.tsx and problems.tsx. An unknown code keeps the service's English. */
import { inLanguages, type Language } from '../core/language.ts';
import type { FieldError } from '../core/problem.ts';

type Texts = Readonly<Record<string, (limit: string) => string>>;

/** By code of the field error. `limit` is the number in the service's message. */
const words = inLanguages<Texts>({
  en: {
    required: () => 'Is missing.',
    unknown_field: () => 'Is not allowed here.',
    type: () => 'Has the wrong form.',
  },
  pt: {
    required: () => 'Está faltando.',
    unknown_field: () => 'Não é permitido aqui.',
    type: () => 'Tem a forma errada.',
    format: () => 'Não tem a forma certa.',
    pattern: () => 'Não tem a forma certa.',
    enum: () => 'Não é uma das opções.',
    too_short: (limit) => `Curto demais: ao menos ${limit} caracteres.`,
    too_long: (limit) => `Longo demais: no máximo ${limit} caracteres.`,
    too_small: (limit) => `Pequeno demais: ao menos ${limit}.`,
    too_large: (limit) => `Grande demais: no máximo ${limit}.`,
    multiple_of: () => 'Não é um múltiplo permitido.',
    too_few_items: () => 'Faltam itens.',
    too_many_items: (limit) => `Itens demais: no máximo ${limit}.`,
    duplicate_item: () => 'Repete um item.',
  },
});

const EMAIL: Readonly<Record<Language, string>> = { en: 'This is not an e-mail address.', pt: 'Isto não é um e-mail.' };

/**
 * Describes a field error to the user. The service describes it in English and for programs; unknown codes keep its
 * words.
 */
export function fieldMessage({ code, message }: FieldError, language: Language): string {
  if (code === 'format' && /e-?mail/.test(message)) return EMAIL[language];
  const text = words[language][code]?.(/\d+/.exec(message)?.[0] ?? '');
  return text ?? sentence(message);
}

function sentence(text: string): string {
  const full = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(full) ? full : `${full}.`;
}

/** Omits errors that only repeat that a value is malformed: an invalid e-mail address is often too short as well. */
export function withoutRepetition(errors: readonly FieldError[]): readonly FieldError[] {
  const hasWrongForm = errors.some(({ code }) => code === 'format' || code === 'pattern');
  return hasWrongForm ? errors.filter(({ code }) => code !== 'too_short' && code !== 'too_long') : errors;
}
