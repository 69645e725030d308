/**
 * The filters of the audit log. Used by audit-page.tsx. Whoever reads a filtered log must see that it is not all of it.
 */
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { oneOf } from '../../core/search.ts';
import { Filters, SelectFilter, TextFilter } from '../../ui/filters.tsx';
import { useFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { ACTOR_TYPES, type AuditSearch, daysOf, ENVIRONMENTS, OUTCOMES, SORTS } from './audit-search.ts';
import { actionWords, nameWords } from './event-words.tsx';

const words = inLanguages({
  en: {
    action: 'What happened',
    anything: 'Anything',
    all: (group: string) => `${group}: all`,
    outcome: 'Outcome',
    anyOutcome: 'All, also refused',
    from: 'From',
    to: 'To',
    actorType: 'Kind of actor',
    anybody: 'Anybody',
    actor: 'Who',
    actorHint: 'Id, or prefix of a key',
    resourceType: 'Kind of resource',
    anyKind: 'Any',
    resource: 'Resource',
    resourceHint: 'Id',
    environment: 'Environment',
    both: 'Live and sandbox',
    live: 'Live',
    sandbox: 'Sandbox',
    order: 'Order',
    newest: 'Newest first',
    oldest: 'Oldest first',
    only: {
      success: 'Only what succeeded is shown: refused and failed events are left out.',
      denied: 'Only what was refused is shown.',
      failed: 'Only what failed is shown.',
    },
    days: (from: string, to: string) => `A search by days alone reaches three months: shown is ${from} to ${to}.`,
    onboarding:
      'Until you go live, you are shown what belongs to the sandbox. It shares one sequence of numbers with what ' +
      'is live: the numbers that are missing in between are of live events, which you see from the ' +
      'day on which you go live.',
  },
  pt: {
    action: 'O que aconteceu',
    anything: 'Qualquer coisa',
    all: (group: string) => `${group}: tudo`,
    outcome: 'Resultado',
    anyOutcome: 'Todos, também recusas',
    from: 'De',
    to: 'Até',
    actorType: 'Tipo de autor',
    anybody: 'Qualquer um',
    actor: 'Quem',
    actorHint: 'Id, ou prefixo de uma chave',
    resourceType: 'Tipo de recurso',
    anyKind: 'Qualquer um',
    resource: 'Recurso',
    resourceHint: 'Id',
    environment: 'Ambiente',
    both: 'Produção e sandbox',
    live: 'Produção',
    sandbox: 'Sandbox',
    order: 'Ordem',
    newest: 'Mais novos primeiro',
    oldest: 'Mais antigos primeiro',
    only: {
      success: 'Só o que teve sucesso aparece: eventos recusados e falhos ficam de fora.',
      denied: 'Só o que foi recusado aparece.',
      failed: 'Só o que falhou aparece.',
    },
    days: (from: string, to: string) => `Uma busca só por dias alcança três meses: aparece de ${from} a ${to}.`,
    onboarding:
      'Até entrar em produção, você vê o que pertence ao sandbox. Ele divide uma só sequência de números com a ' +
      'produção: os números que faltam no meio são de eventos de produção, que você vê a partir do dia em que ' +
      'entrar em produção.',
  },
});

const ANY = '';

/** Filters of the audit log, with a note on what they exclude. */
export function AuditFilters({
  search,
  environments = ENVIRONMENTS,
}: {
  readonly search: AuditSearch;
  readonly environments?: readonly Schemas['Environment'][] | undefined;
}) {
  const t = useWords(words);
  const names = useWords(nameWords);
  const { resources } = useWords(actionWords);
  const navigate = useNavigate({ from: '/audit' });
  const isSandboxAlone = environments.every((environment) => environment === 'sandbox');
  const set = useCallback(
    (changed: AuditSearch) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true }),
    [navigate],
  );
  const { event: _event, show: _show, export: _export, sort: _sort, ...narrowing } = search;
  const clear = Object.values(narrowing).some((value) => value !== undefined)
    ? () =>
        set({
          action: undefined,
          outcome: undefined,
          from: undefined,
          to: undefined,
          actorType: undefined,
          actorId: undefined,
          resourceType: undefined,
          resourceId: undefined,
          environment: undefined,
        })
    : null;
  return (
    <div className="stack">
      {isSandboxAlone && <Notice>{t.onboarding}</Notice>}
      <Filters
        clear={clear}
        rareInUse={[
          search.actorType,
          search.actorId,
          search.resourceType,
          search.resourceId,
          search.environment,
          search.sort,
        ].some((value) => value !== undefined)}
        rare={
          <>
            <SelectFilter
              label={t.actorType}
              value={search.actorType ?? ANY}
              apply={(value) => set({ actorType: oneOf(ACTOR_TYPES, value) })}
              options={[[ANY, t.anybody], ...ACTOR_TYPES.map((type) => [type, names.actors[type]] as const)]}
            />
            <ActorFilter
              label={t.actor}
              hint={t.actorHint}
              value={search.actorId ?? ''}
              apply={(value) => set({ actorId: value === '' ? undefined : value })}
            />
            <SelectFilter
              label={t.resourceType}
              value={search.resourceType ?? ANY}
              apply={(value) => set({ resourceType: value === ANY ? undefined : value })}
              options={withValue([[ANY, t.anyKind], ...Object.entries(resources)], search.resourceType)}
            />
            <TextFilter
              label={t.resource}
              placeholder={t.resourceHint}
              value={search.resourceId ?? ''}
              apply={(value) => set({ resourceId: value === '' ? undefined : value })}
            />
            {environments.length > 1 && (
              <SelectFilter
                label={t.environment}
                value={search.environment ?? ANY}
                apply={(value) => set({ environment: oneOf(ENVIRONMENTS, value) })}
                options={[[ANY, t.both], ...ENVIRONMENTS.map((environment) => [environment, t[environment]] as const)]}
              />
            )}
            <SelectFilter
              label={t.order}
              value={search.sort ?? ANY}
              apply={(value) => set({ sort: oneOf(SORTS, value) })}
              options={[
                [ANY, t.newest],
                ['sequence', t.oldest],
              ]}
            />
          </>
        }
      >
        <SelectFilter
          label={t.action}
          value={search.action ?? ANY}
          apply={(value) => set({ action: value === ANY ? undefined : value })}
          options={withValue(useActionOptions(), search.action)}
        />
        <SelectFilter
          label={t.outcome}
          value={search.outcome ?? ANY}
          apply={(value) => set({ outcome: oneOf(OUTCOMES, value) })}
          options={[[ANY, t.anyOutcome], ...OUTCOMES.map((outcome) => [outcome, names.outcomes[outcome]] as const)]}
        />
        <TextFilter
          type="date"
          label={t.from}
          value={search.from ?? ''}
          apply={(value) => set({ from: value === '' ? undefined : value })}
        />
        <TextFilter
          type="date"
          label={t.to}
          value={search.to ?? ''}
          apply={(value) => set({ to: value === '' ? undefined : value })}
        />
      </Filters>
      <Left search={search} />
    </div>
  );
}

/** Says what a filter excludes, so that a part of the log is not mistaken for all of it. */
function Left({ search }: { readonly search: AuditSearch }) {
  const t = useWords(words);
  const format = useFormat();
  const days = daysOf(search);
  const sentences = [
    ...(search.outcome === undefined ? [] : [t.only[search.outcome]]),
    ...(days?.isNarrowed === true ? [t.days(format.day(days.from ?? ''), format.day(days.to ?? ''))] : []),
  ];
  return (
    <div role="status" className="audit-left">
      {sentences.length > 0 && <p className="hint">{sentences.join(' ')}</p>}
    </div>
  );
}

/** Returns the groups of actions, each followed by its actions. */
function useActionOptions(): readonly (readonly [string, string])[] {
  const t = useWords(words);
  const { groups, actions } = useWords(actionWords);
  return [
    [ANY, t.anything],
    ...Object.entries(groups).flatMap(([group, name]) => [
      [`${group}.*`, t.all(name)] as const,
      ...Object.entries(actions)
        .filter(([action]) => action.startsWith(`${group}.`))
        .map(([action, words_]) => [action, `  ${words_}`] as const),
    ]),
  ];
}

/** Adds the value of the URL if no option has it. */
function withValue(
  options: readonly (readonly [string, string])[],
  value: string | undefined,
): readonly (readonly [string, string])[] {
  return value === undefined || options.some(([option]) => option === value) ? options : [...options, [value, value]];
}

/** Filter for the actor. It suggests members of the team by name to users who may list them. */
function ActorFilter({
  label,
  hint,
  value,
  apply,
}: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly apply: (value: string) => void;
}) {
  const may = useMay();
  const { data } = api.useQuery(
    'get',
    '/v1/users',
    { params: { query: { limit: 100 } } },
    { enabled: may('listUsers') },
  );
  return (
    <TextFilter
      label={label}
      placeholder={hint}
      value={value}
      apply={apply}
      suggestions={(data?.items ?? []).map(
        ({ id, name, email }) => [id, name === null || name === '' ? email : name] as const,
      )}
    />
  );
}
