/**
 * The page `/screenings/…` of one screening. Opened by shell/routes.tsx. An id that does not exist leads back to the
 * list.
 */
import { Link, useParams } from '@tanstack/react-router';
import { api, client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, isProblem } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { HitCard } from './hit-card.tsx';
import { useScreenNow } from './screen-now.ts';
import { calledOf, RESULT_TONES, type Screening, useScreeningNames } from './screening-words.ts';
import './screenings.css';

type Kinds = Readonly<Record<Screening['subject']['identifiers'][number]['kind'], string>>;

const words = inLanguages({
  en: {
    unknown: 'There is no such screening',
    why: 'It may belong to another tenant, or its address is not complete.',
    list: 'To the screenings',
    hits: 'Hits',
    nothing: 'Nobody on the lists is like this.',
    nameless:
      'A name has no letters, so no list was compared with it and nothing is known. Correct ' +
      'the name, and screen again.',
    subject: 'Screened',
    names: 'Names',
    born: 'Born',
    gender: 'Gender',
    countries: 'Countries',
    taxId: 'Tax number',
    numbers: 'Further numbers',
    kinds: {
      passport: 'passport',
      national_id: 'identity card',
      tax_number: 'tax number',
      registration_number: 'registration number',
      lei: 'LEI',
      bic: 'BIC',
      imo: 'IMO',
      mmsi: 'MMSI',
      aircraft_registration: 'aircraft registration',
      wallet: 'wallet',
      other: 'number',
    } satisfies Kinds,
    threshold: 'Least score',
    lists: 'Lists',
    by: 'By',
    application: 'Application',
    open: 'Open',
    again: 'Screen again',
    next: (count: number) => (count === 1 ? 'The open hit' : `To the first of ${count} open hits`),
    truncated: 'There are more hits than an answer holds. Say more about who is screened, or ask for a higher score.',
    stale: (lists: string) => `Out of date when it was searched: ${lists}.`,
    masked: 'Your role sees who was screened masked, and no reasons of scores.',
    superseded:
      'The same was screened again since, so this is how it was before. Decide about the hits of the newest screening.',
    newest: 'To the newest screening',
    since: (added: number, gone: number, changed: number) =>
      `Since the screening before: ${added} new, ${gone} gone, ${changed} with another score.`,
  },
  pt: {
    unknown: 'Esta consulta não existe',
    why: 'Ela pode ser de outro inquilino, ou o endereço está incompleto.',
    list: 'Para as consultas',
    hits: 'Ocorrências',
    nothing: 'Ninguém nas listas se parece.',
    nameless:
      'Um nome não tem letras, por isso nenhuma lista foi comparada com ele e nada se sabe. Corrija o nome e ' +
      'consulte de novo.',
    subject: 'Consultado',
    names: 'Nomes',
    born: 'Nascimento',
    gender: 'Gênero',
    countries: 'Países',
    taxId: 'Número fiscal',
    numbers: 'Outros números',
    kinds: {
      passport: 'passaporte',
      national_id: 'identidade',
      tax_number: 'número fiscal',
      registration_number: 'número de registro',
      lei: 'LEI',
      bic: 'BIC',
      imo: 'IMO',
      mmsi: 'MMSI',
      aircraft_registration: 'matrícula de aeronave',
      wallet: 'carteira',
      other: 'número',
    } satisfies Kinds,
    threshold: 'Nota mínima',
    lists: 'Listas',
    by: 'Por',
    application: 'Solicitação',
    open: 'Abrir',
    again: 'Consultar de novo',
    next: (count: number) => (count === 1 ? 'A ocorrência aberta' : `Para a primeira de ${count} ocorrências abertas`),
    truncated:
      'Há mais ocorrências do que uma resposta comporta. Informe mais sobre o consultado, ou peça uma nota maior.',
    stale: (lists: string) => `Desatualizadas quando foram consultadas: ${lists}.`,
    masked: 'Seu papel vê o consultado mascarado, e nenhum motivo das notas.',
    superseded:
      'O mesmo foi consultado de novo desde então; isto é como era antes. Decida sobre as ' +
      'ocorrências da consulta mais nova.',
    newest: 'Para a consulta mais nova',
    since: (added: number, gone: number, changed: number) =>
      `Desde a consulta anterior: ${added} novas, ${gone} a menos, ${changed} com outra nota.`,
  },
});

export function ScreeningPage() {
  const t = useWords(words);
  const { screeningId } = useParams({ from: '/signed-in/screenings/$screeningId' });
  const screening = api.useQuery('get', '/v1/screenings/{screeningId}', { params: { path: { screeningId } } });
  const { data, error } = screening;
  if (data === undefined && isProblem(error) && [400, 404, 410].includes(error.status))
    return (
      <Page title={t.unknown} lead={t.why}>
        <p>
          <ButtonLink to="/screenings">{t.list}</ButtonLink>
        </p>
      </Page>
    );
  return <Loaded query={screening}>{(found) => <OneScreening key={found.id} screening={found} />}</Loaded>;
}

/** Shows the subject beside each hit, undecided hits first. */
function OneScreening({ screening }: { readonly screening: Screening }) {
  const t = useWords(words);
  const names = useScreeningNames();
  const { subject, result, hits, truncated, staleLists, personalDataMasked, diff, supersededById } = screening;
  const open = hits.filter(({ status }) => status === 'open' || status === 'inconclusive');
  return (
    <Page
      title={calledOf(subject)}
      badges={<Badge tone={RESULT_TONES[result]}>{names.results[result]}</Badge>}
      actions={supersededById === null && <Rerun screening={screening} />}
      lead={
        open[0] === undefined || supersededById !== null ? undefined : (
          <a href={`#${open[0].id}`}>{t.next(open.length)}</a>
        )
      }
    >
      {supersededById !== null && (
        <Notice tone="warning">
          {t.superseded}{' '}
          <Link to="/screenings/$screeningId" params={{ screeningId: supersededById }}>
            {t.newest}
          </Link>
        </Notice>
      )}
      {personalDataMasked && <Notice>{t.masked}</Notice>}
      {staleLists.length > 0 && <Notice tone="warning">{t.stale(staleLists.join(', '))}</Notice>}
      {result === 'not_comparable' && <Notice tone="error">{t.nameless}</Notice>}
      {truncated && <Notice tone="warning">{t.truncated}</Notice>}
      <div className="columns">
        <section className="stack" aria-label={t.hits}>
          {diff !== null && (
            <p className="muted">{t.since(diff.added.length, diff.removed.length, diff.changed.length)}</p>
          )}
          {hits.length === 0 && result !== 'not_comparable' && <Empty title={t.nothing} />}
          {hits.map((hit) => (
            <HitCard key={hit.id} hit={hit} screening={screening} />
          ))}
        </section>
        <Subject screening={screening} />
      </div>
    </Page>
  );
}

function Subject({
  screening: { subject, criteria, lists, createdBy, createdAt, applicationId },
}: {
  readonly screening: Screening;
}) {
  const t = useWords(words);
  const format = useFormat();
  const born =
    subject.dateOfBirth === null ? (subject.yearOfBirth?.toString() ?? '–') : format.day(subject.dateOfBirth);
  return (
    <div className="stack">
      <Section title={t.subject}>
        <Facts
          facts={[
            [t.names, subject.names.join('; ') || '***'],
            [t.born, born],
            [t.gender, subject.gender ?? '–'],
            [t.countries, subject.countries.join(', ') || '–'],
            [t.taxId, subject.taxId ?? '–'],
            ...(subject.identifiers.length === 0
              ? []
              : [
                  [
                    t.numbers,
                    subject.identifiers
                      .map(
                        ({ kind, value, country }) =>
                          `${t.kinds[kind]} ${value}${country === null ? '' : ` (${country})`}`,
                      )
                      .join('; '),
                  ] as const,
                ]),
            ...(applicationId === null
              ? []
              : [
                  [
                    t.application,
                    <Link key="link" to="/applications/$applicationId" params={{ applicationId }}>
                      {t.open}
                    </Link>,
                  ] as const,
                ]),
            [t.threshold, format.number(criteria.threshold)],
            [t.by, `${createdBy.display}, ${format.dateTime(createdAt)}`],
          ]}
        />
      </Section>
      <Section title={t.lists}>
        <ul className="searched">
          {lists.map(({ listId, version }) => (
            <li key={listId}>
              {listId} <span className="muted version">{version}</span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

/** Screens the same subject against the current lists. */
function Rerun({ screening: { id: screeningId } }: { readonly screening: Screening }) {
  const t = useWords(words);
  const may = useMay();
  const keyFor = useIdempotencyKey();
  const { run, busy, error } = useScreenNow(() =>
    answerOf(
      client.POST('/v1/screenings/{screeningId}/rerun', {
        params: { path: { screeningId }, header: { 'Idempotency-Key': keyFor(screeningId) } },
        body: {},
      }),
    ),
  );
  return (
    may('rerunScreening') && (
      <>
        {error !== null && <Problems error={error} />}
        <Button busy={busy} onClick={run}>
          {t.again}
        </Button>
      </>
    )
  );
}
