/**
 * What the registry says of a company: its answer, the differences from what is declared, and the draft of its owners.
 * Part of business-page.tsx. A person says who is right about a difference, and completes and accepts the draft.
 */
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';
import { nameOf } from '../applications/words.ts';
import { AcceptDraft } from './accept-draft.tsx';
import { useBusinessNames } from './business-words.ts';
import { useRegistryNames } from './registry-words.ts';
import { ResolveDifference } from './resolve-difference.tsx';

type Difference = Schemas['RegistryDifference'];

const words = inLanguages({
  en: {
    title: 'Registry',
    none: 'The registry has not been asked.',
    fetch: 'Ask the registry',
    again: 'Ask again',
    fetched: 'The registry has answered.',
    accept: 'Take over the partners',
    situation: 'Situation',
    name: 'Registered name',
    form: 'Legal form',
    opened: 'Registered since',
    capital: 'Share capital',
    partners: 'Partners and officers',
    asked: 'Asked',
    by: (name: string, time: string) => `${time}, ${name}`,
    differences: 'Differences',
    agrees: 'What is declared agrees with the registry.',
    difference: 'Difference',
    severity: 'Severity',
    declared: 'Declared',
    registered: 'Registered',
    resolution: 'Resolution',
    resolve: 'Resolve',
  },
  pt: {
    title: 'Registro',
    none: 'O registro não foi consultado.',
    fetch: 'Consultar o registro',
    again: 'Consultar de novo',
    fetched: 'O registro respondeu.',
    accept: 'Adotar os sócios',
    situation: 'Situação',
    name: 'Nome registrado',
    form: 'Natureza jurídica',
    opened: 'Registrada desde',
    capital: 'Capital social',
    partners: 'Sócios e administradores',
    asked: 'Consultado',
    by: (name: string, time: string) => `${time}, ${name}`,
    differences: 'Divergências',
    agrees: 'O que foi declarado confere com o registro.',
    difference: 'Divergência',
    severity: 'Gravidade',
    declared: 'Declarado',
    registered: 'Registrado',
    resolution: 'Solução',
    resolve: 'Resolver',
  },
});

const SEVERITY_TONES: Readonly<Record<Difference['severity'], Tone>> = {
  low: 'neutral',
  medium: 'warning',
  high: 'danger',
};

export function Registry({ businessId }: { readonly businessId: string }) {
  const t = useWords(words);
  const may = useMay();
  const [resolving, setResolving] = useState<Difference | null>(null);
  const [accepting, setAccepting] = useState<Schemas['OwnershipDraft'] | null>(null);
  const query = api.useQuery('get', '/v1/businesses/{businessId}/registry', { params: { path: { businessId } } });
  const draft = query.data?.draft ?? null;
  return (
    <Section
      title={t.title}
      id="registry"
      actions={
        <>
          {draft !== null && may('replaceOwnership') && (
            <Button small onClick={() => setAccepting(draft)}>
              {t.accept}
            </Button>
          )}
          {query.data !== undefined && may('fetchBusinessRegistry') && (
            <Ask businessId={businessId} label={query.data.answer === null ? t.fetch : t.again} />
          )}
        </>
      }
    >
      <Loaded query={query}>
        {({ answer, differences, environment }) =>
          answer === null ? (
            <p className="muted">{t.none}</p>
          ) : (
            <div className="stack">
              <Answer answer={answer} environment={environment} />
              {differences.length === 0 ? (
                <p className="muted">{t.agrees}</p>
              ) : (
                <Differences items={differences} resolve={may('resolveRegistryDifference') ? setResolving : null} />
              )}
            </div>
          )
        }
      </Loaded>
      {resolving !== null && (
        <ResolveDifference businessId={businessId} difference={resolving} close={() => setResolving(null)} />
      )}
      {accepting !== null && <AcceptDraft businessId={businessId} draft={accepting} close={() => setAccepting(null)} />}
    </Section>
  );
}

/** The button that asks the registry. A refusal is shown beside it. */
function Ask({ businessId, label }: { readonly businessId: string; readonly label: string }) {
  const t = useWords(words);
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const ask = async () => {
    setBusy(true);
    setError(null);
    const params = { path: { businessId }, header: { 'Idempotency-Key': keyFor({ businessId, asked }) } };
    try {
      await answerOf(client.POST('/v1/businesses/{businessId}/registry', { params }));
      setAsked(asked + 1);
      await changed();
      announce(t.fetched);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button small busy={busy} onClick={() => void ask()}>
        {label}
      </Button>
      {error !== null && <Problems error={error} />}
    </>
  );
}

function Answer({
  answer: { situation, legalName, legalForm, openedOn, shareCapital, partners, fetchedAt, fetchedBy },
  environment,
}: {
  readonly answer: Schemas['RegistryAnswer'];
  readonly environment: Schemas['Environment'];
}) {
  const t = useWords(words);
  const { situations } = useRegistryNames();
  const { forms } = useBusinessNames();
  const format = useRecordFormat(environment);
  return (
    <Facts
      facts={[
        [t.situation, nameOf(situations, situation)],
        [t.name, legalName],
        ...(legalForm === null ? [] : [[t.form, forms[legalForm]] as const]),
        ...(openedOn === null ? [] : [[t.opened, format.day(openedOn)] as const]),
        ...(shareCapital === null
          ? []
          : [[t.capital, format.money(shareCapital.amount, shareCapital.currency)] as const]),
        ...(partners.length === 0 ? [] : [[t.partners, partners.map(({ name }) => name).join(', ')] as const]),
        [t.asked, t.by(fetchedBy.display, format.dateTime(fetchedAt))],
      ]}
    />
  );
}

function Differences({
  items,
  resolve,
}: {
  readonly items: readonly Difference[];
  /** Opens the dialog; null if the role may not resolve. */
  readonly resolve: ((difference: Difference) => void) | null;
}) {
  const t = useWords(words);
  const { fields, severities, resolutions } = useRegistryNames();
  return (
    <table className="table">
      <caption>{t.differences}</caption>
      <thead>
        <tr>
          {[t.difference, t.severity, t.declared, t.registered, t.resolution].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((difference) => {
          const { id, field, severity, declared, registered, resolution, note } = difference;
          const name = [nameOf(fields, field), declared ?? registered].filter(Boolean).join(': ');
          return (
            <tr key={id}>
              <th scope="row">{nameOf(fields, field)}</th>
              <td data-label={t.severity}>
                <Badge tone={SEVERITY_TONES[severity]}>{nameOf(severities, severity)}</Badge>
              </td>
              <td data-label={t.declared}>{declared ?? '–'}</td>
              <td data-label={t.registered}>{registered ?? '–'}</td>
              <td data-label={t.resolution}>
                {resolution !== null && [nameOf(resolutions, resolution), note].filter(Boolean).join(': ')}
                {resolution === null && resolve !== null && (
                  <Button small aria-label={`${t.resolve}: ${name}`} onClick={() => resolve(difference)}>
                    {t.resolve}
                  </Button>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
