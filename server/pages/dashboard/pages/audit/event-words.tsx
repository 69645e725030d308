/**
 * Events, actors and outcomes of the log in words. Used by the audit pages and by the history of an application. An
 * action that is unknown here is shown as its code.
 */
import { useMemo } from 'react';
import type { AuditAction, AuditResourceType } from '../../../../contract/generated/audit-actions.ts';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { accountWords } from './account-words.ts';
import type { ActionGroup, InBoth } from './action-words.ts';
import type { ACTOR_TYPES, OUTCOMES } from './audit-search.ts';
import { recordWords } from './record-words.ts';

type AuditEvent = Schemas['AuditEvent'];

// Without its words in both languages, a new action, group or resource does not compile.
const groups: InBoth<ActionGroup> = { ...accountWords.groups, ...recordWords.groups };
const actions: InBoth<AuditAction> = { ...accountWords.actions, ...recordWords.actions };
const resources: InBoth<AuditResourceType> = { ...accountWords.resources, ...recordWords.resources };

/** Picks the words of one language: 0 is English, 1 is Portuguese. */
function wordsOf(
  both: Readonly<Record<string, readonly [string, string]>>,
  language: 0 | 1,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(both).map(([key, words]) => [key, words[language]]));
}

const inLanguage = (language: 0 | 1) => ({
  groups: wordsOf(groups, language),
  actions: wordsOf(actions, language),
  resources: wordsOf(resources, language),
});

export const actionWords = inLanguages({ en: inLanguage(0), pt: inLanguage(1) });

interface Names {
  readonly outcomes: Readonly<Record<(typeof OUTCOMES)[number], string>>;
  readonly actors: Readonly<Record<(typeof ACTOR_TYPES)[number], string>>;
}

export const nameWords = inLanguages<Names>({
  en: {
    outcomes: { success: 'Success', denied: 'Refused', failed: 'Failed' },
    actors: {
      user: 'Member',
      api_key: 'API key',
      oauth_client: 'OAuth client',
      platform_user: 'Platform staff',
      system: 'The service',
    },
  },
  pt: {
    outcomes: { success: 'Sucesso', denied: 'Recusado', failed: 'Falhou' },
    actors: {
      user: 'Membro',
      api_key: 'Chave de API',
      oauth_client: 'Cliente OAuth',
      platform_user: 'Equipe da plataforma',
      system: 'O serviço',
    },
  },
});

/** Formats a code that is unknown to this page. */
export function codeInWords(code: string): string {
  return code.replaceAll('_', ' ');
}

export function useEventWords() {
  const { actions, resources } = useWords(actionWords);
  const { outcomes, actors } = useWords(nameWords);
  return useMemo(() => {
    const found = (names: Readonly<Record<string, string>>, code: string, otherwise = codeInWords(code)) =>
      names[code] ?? otherwise;
    return {
      action: (action: string) => found(actions, action, action),
      outcome: (outcome: string) => found(outcomes, outcome),
      actorType: (type: string) => found(actors, type),
      resourceType: (type: string) => found(resources, type),
    };
  }, [actions, outcomes, actors, resources]);
}

/** Returns the current name of a resource; null if it has none or was deleted. */
export type NameOf = (named: Schemas['AuditedResource']) => string | null;

/** Returns the names beside the events. The events do not contain them, because an event is exactly what was hashed. */
export function namesIn(pages: readonly Schemas['AuditEventList'][]): NameOf {
  const names = new Map(
    pages.flatMap((page) => page.names.map(({ type, id, name }) => [`${type} ${id}`, name] as const)),
  );
  return ({ type, id }) => names.get(`${type} ${id}`) ?? null;
}

/** Returns the actor's name as recorded in the log or, if only an id was recorded, the current name. */
export function actorName({ type, id, display }: AuditEvent['actor'], nameOf: NameOf): string {
  return display === '' || display === id ? (nameOf({ type, id }) ?? display) : display;
}

const OUTCOME_TONES: Readonly<Record<AuditEvent['outcome'], Tone>> = {
  success: 'good',
  denied: 'danger',
  failed: 'warning',
};

export function OutcomeBadge({ event: { outcome } }: { readonly event: AuditEvent }) {
  const words = useEventWords();
  return <Badge tone={OUTCOME_TONES[outcome]}>{words.outcome(outcome)}</Badge>;
}
