/**
 * The invented people and companies of the sandbox. Part of sandbox-page.tsx. Applications can be created from them
 * only while the sandbox is on.
 */
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { columnsOf, DataTable } from '../../ui/table.tsx';
import { announce } from '../../ui/toasts.tsx';
import { personaWords } from './persona-words.ts';
import { words } from './words.ts';

type Persona = Schemas['SandboxPersona'];

/** Shows invented people and companies, and their outcomes. */
export function Personas({
  status: { enabled, personas },
  reload,
}: {
  readonly status: Schemas['SandboxStatus'];
  readonly reload: () => Promise<void>;
}) {
  const t = useWords(words);
  const may = useMay();
  const [asked, setAsked] = useState<Persona | null>(null);
  const mayApply = enabled && may('createApplication') && may('submitApplication');
  const columns = useMemo(() => {
    const column = columnsOf<Persona>();
    return [
      column.display({
        id: 'name',
        header: t.name,
        cell: ({
          row: {
            original: { name, kind },
          },
        }) => (
          <>
            {name} <span className="muted">{kind === 'company' ? t.company : t.person}</span>
          </>
        ),
      }),
      column.display({
        id: 'taxId',
        header: t.taxId,
        cell: ({
          row: {
            original: { taxId },
          },
        }) => <Copyable text={taxId} what={t.taxId} />,
      }),
      column.display({
        id: 'outcome',
        header: t.outcome,
        cell: ({ row: { original } }) => <Outcome persona={original} />,
      }),
      ...(mayApply
        ? [
            column.display({
              id: 'apply',
              header: '',
              cell: ({ row: { original } }) =>
                original.kind === 'person' && (
                  <Button look="quiet" small onClick={() => setAsked(original)}>
                    {t.apply}
                    <span className="visually-hidden"> ({original.name})</span>
                  </Button>
                ),
            }),
          ]
        : []),
    ];
  }, [t, mayApply]);
  return (
    <section className="stack" aria-label={t.personas}>
      <h2>{t.personas}</h2>
      <p className="muted">{t.personasText}</p>
      <DataTable caption={t.personas} rows={personas} columns={columns} rowId={({ taxId }) => taxId} />
      {asked !== null && <ApplyDialog persona={asked} reload={reload} close={() => setAsked(null)} />}
    </section>
  );
}

/** Shows what a persona is for, and its outcomes. */
function Outcome({ persona: { key, description, outcomes } }: { readonly persona: Persona }) {
  const texts = useWords(personaWords);
  return (
    <div>
      <p>{texts[key] ?? description}</p>
      {outcomes.length > 0 && (
        <p className="row">
          {outcomes.map((outcome) => (
            <code key={outcome}>{outcome}</code>
          ))}
        </p>
      )}
    </div>
  );
}

/** Creates an application of a persona and submits it. */
function ApplyDialog({
  persona: { name, taxId, dateOfBirth },
  reload,
  close,
}: {
  readonly persona: Persona;
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}) {
  const t = useWords(words);
  const creationKey = useIdempotencyKey();
  const apply = async () => {
    const { id } = await answerOf(
      client.POST('/v1/applications', {
        params: { header: { 'Idempotency-Key': creationKey(taxId) } },
        body: {
          purpose: 'account_opening',
          level: 'basic',
          submit: true,
          applicant: { fullName: name, dateOfBirth, taxId: { type: 'cpf', value: taxId } },
        },
      }),
    );
    await reload();
    announce(
      <>
        {t.submitted(name)}{' '}
        <Link to="/applications/$applicationId" params={{ applicationId: id }}>
          {t.open}
        </Link>
      </>,
    );
  };
  return (
    <ConfirmDialog title={t.applyTitle(name)} action={t.submit} run={apply} onClose={close}>
      <p>{t.applyText}</p>
    </ConfirmDialog>
  );
}
