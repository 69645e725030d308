/**
 * The newest screening of an applicant. Part of application-page.tsx. A screening that the service refuses is explained
 * in place.
 */
import { Link } from '@tanstack/react-router';
import { api, client } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Problems } from '../../ui/problems.tsx';
import { useScreenNow } from '../screenings/screen-now.ts';
import { RESULT_TONES, useScreeningNames } from '../screenings/screening-words.ts';
import type { Application } from './words.ts';

const words = inLanguages({
  en: {
    title: 'Watch lists',
    none: 'Not screened yet.',
    screen: 'Screen',
    again: 'Screen again',
    hits: (open: number, all: number) => `${open} of ${all} hits open`,
    look: 'Look at the hits',
  },
  pt: {
    title: 'Listas',
    none: 'Ainda não consultado.',
    screen: 'Consultar',
    again: 'Consultar de novo',
    hits: (open: number, all: number) => `${open} de ${all} ocorrências abertas`,
    look: 'Ver as ocorrências',
  },
});

/** Shows the newest screening of the applicant, and a button for the next one. */
export function ApplicantScreening({ application: { id, version } }: { readonly application: Application }) {
  const t = useWords(words);
  const names = useScreeningNames();
  const format = useRecordFormat();
  const may = useMay();
  const keyFor = useIdempotencyKey();
  const newest = api.useQuery(
    'get',
    '/v1/screenings',
    { params: { query: { applicationId: id, limit: 1 } } },
    { enabled: may('listScreenings') },
  );
  const known = newest.data?.items[0];
  const { run, busy, error } = useScreenNow(() =>
    answerOf(
      client.POST('/v1/screenings', {
        params: { header: { 'Idempotency-Key': keyFor({ id, version, after: known?.id }) } },
        body: { applicationId: id },
      }),
    ),
  );
  if (!may('listScreenings')) return null;
  return (
    <Section
      title={t.title}
      id="screening"
      actions={
        may('createScreening') && (
          <Button small busy={busy} onClick={run}>
            {known === undefined ? t.screen : t.again}
          </Button>
        )
      }
    >
      {error !== null && <Problems error={error} />}
      <Loaded query={newest}>
        {({ items: [latest] }) =>
          latest === undefined ? (
            <p className="muted">{t.none}</p>
          ) : (
            <p className="row">
              <Badge tone={RESULT_TONES[latest.result]}>{names.results[latest.result]}</Badge>
              <span className="muted">
                {latest.hitCount > 0 && `${t.hits(latest.openHitCount, latest.hitCount)} · `}
                {format.relative(latest.createdAt)}
              </span>
              <Link to="/screenings/$screeningId" params={{ screeningId: latest.id }}>
                {t.look}
              </Link>
            </p>
          )
        }
      </Loaded>
    </Section>
  );
}
