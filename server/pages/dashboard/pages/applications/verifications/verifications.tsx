/**
 * The verifications of an application: what each has found, check by check, and the override of a person beside it.
 * Part of application-page.tsx. A check that was not run is shown as such and never as passed.
 */
import { api } from '../../../core/api.ts';
import { useRecordFormat } from '../../../core/business-clock.ts';
import { useMay } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Facts, Section } from '../../../ui/page.tsx';
import { nameOf, type Application } from '../words.ts';
import { AskAgain } from './ask-again.tsx';
import { OverrideVerification } from './override-verification.tsx';
import { StartVerification } from './start-verification.tsx';
import { TakeOver } from './take-over.tsx';
import { nameOfMatter, RESULT_TONES, useVerificationNames, type Verification } from './verification-words.ts';

const words = inLanguages({
  en: {
    title: 'Verifications',
    none: 'Nothing was verified by a machine yet.',
    more: 'Only the newest are shown.',
    attempt: (attempt: number) => `attempt ${attempt} of 5`,
    details: 'Checks',
    extracted: 'Read from the document',
    replaced: (result: string) => `${result} by a person`,
    machine: (result: string) => `machine: ${result}`,
  },
  pt: {
    title: 'Verificações',
    none: 'Nada foi verificado por uma máquina ainda.',
    more: 'Só as mais recentes são mostradas.',
    attempt: (attempt: number) => `tentativa ${attempt} de 5`,
    details: 'Conferências',
    extracted: 'Lido do documento',
    replaced: (result: string) => `${result} por uma pessoa`,
    machine: (result: string) => `máquina: ${result}`,
  },
});

const SHOWN = 50;
const POLL_MS = 2000;
const isRunning = ({ status }: Verification): boolean => status === 'queued' || status === 'processing';

export function Verifications({ application }: { readonly application: Application }) {
  const t = useWords(words);
  const may = useMay();
  const { id, environment } = application;
  const newest = api.useQuery(
    'get',
    '/v1/verifications',
    { params: { query: { applicationId: id, environment, limit: SHOWN } } },
    {
      enabled: may('listVerifications'),
      refetchInterval: ({ state }) => (state.data?.items.some(isRunning) === true ? POLL_MS : false),
    },
  );
  if (!may('listVerifications')) return null;
  return (
    <Section title={t.title} id="verifications" actions={<StartVerification application={application} />}>
      <Loaded query={newest}>
        {({ items, hasMore }) =>
          items.length === 0 ? (
            <p className="muted">{t.none}</p>
          ) : (
            <>
              <ul className="verification-list">
                {items.map((verification) => (
                  <OneVerification key={verification.id} application={application} verification={verification} />
                ))}
              </ul>
              {hasMore && <p className="muted">{t.more}</p>}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

interface Props {
  readonly application: Application;
  readonly verification: Verification;
}

function OneVerification({ application, verification }: Props) {
  const t = useWords(words);
  const names = useVerificationNames();
  const format = useRecordFormat(application.environment);
  const { status, result, error, override, attempt, finishedAt, createdAt } = verification;
  const matter = nameOfMatter(names, verification);
  return (
    <li id={verification.id}>
      <div className="row">
        <strong>{matter}</strong>
        {override === null ? (
          <Badge tone={RESULT_TONES[status]}>{nameOf(names.statuses, status)}</Badge>
        ) : (
          <Badge tone={RESULT_TONES[override.result]}>{t.replaced(nameOf(names.statuses, override.result))}</Badge>
        )}
        <span className="muted">
          {[
            override === null ? '' : t.machine(nameOf(names.statuses, status)),
            result === null ? '' : nameOf(names.providers, result.provider),
            t.attempt(attempt),
            format.relative(finishedAt ?? createdAt),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <AskAgain application={application} verification={verification} />
        <OverrideVerification application={application} verification={verification} matter={matter} />
      </div>
      {error !== null && <p className="hint">{nameOf(names.errors, error.code)}</p>}
      {override !== null && (
        <p className="hint">
          {nameOf(names.overrideReasons, override.reasonCode)} · {override.note} · {override.by.display},{' '}
          {format.dateTime(override.at)}
        </p>
      )}
      {result !== null && <Findings application={application} result={result} matter={matter} />}
    </li>
  );
}

/** Lists the checks and what was read. They are folded away, because a document has about fifteen. */
function Findings({
  application,
  result: { checks, extracted },
  matter,
}: {
  readonly application: Application;
  readonly result: NonNullable<Verification['result']>;
  readonly matter: string;
}) {
  const t = useWords(words);
  const names = useVerificationNames();
  return (
    <details>
      <summary>
        {t.details}: {matter}
      </summary>
      <Facts
        facts={checks.map(({ code, outcome, expected, observed, reasonCode }) => [
          nameOf(names.checks, code),
          [
            nameOf(names.outcomes, outcome),
            reasonCode === null ? '' : nameOf(names.reasons, reasonCode),
            observed === null ? '' : [observed, expected].filter((text) => text !== null).join(' ≠ '),
          ]
            .filter(Boolean)
            .join(' · '),
        ])}
      />
      {extracted !== null && <Extracted fields={extracted} />}
      {extracted !== null && <TakeOver application={application} fields={extracted} />}
    </details>
  );
}

function Extracted({ fields }: { readonly fields: NonNullable<NonNullable<Verification['result']>['extracted']> }) {
  const t = useWords(words);
  const names = useVerificationNames();
  const { mrzType: _, ...read } = fields;
  const facts = Object.entries(read).flatMap(([name, field]) =>
    field === null
      ? []
      : [[nameOf(names.fields, name), `${field.value} (${nameOf(names.sources, field.source)})`] as const],
  );
  if (facts.length === 0) return null;
  return (
    <>
      <p className="muted">{t.extracted}</p>
      <Facts facts={facts} />
    </>
  );
}
