import { Fragment, useState } from 'react';
import { api, type Schemas } from '../../app/api.ts';
import { useMay } from '../../app/current.tsx';
import { inLanguages, useWords } from '../../app/language.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { type Application, type Document, nameOf, useNames } from './words.ts';

const words = inLanguages({
  en: {
    title: 'History', created: 'Created', submitted: 'Submitted', decided: 'Decided', uploaded: (type: string) => `Document added: ${type}`, ended: 'Last change',
    who: 'Show who did what', note: 'Reading the audit log is written into it.', all: 'Open in the audit log',
    actions: {
      'application.created': 'Created', 'application.updated': 'Data changed', 'application.submitted': 'Submitted', 'application.withdrawn': 'Withdrawn',
      'application.status_changed': 'Status changed', 'application.expired': 'Expired', 'access.denied': 'Access refused',
    },
  },
  pt: {
    title: 'Histórico', created: 'Criada', submitted: 'Enviada', decided: 'Decidida', uploaded: (type: string) => `Documento acrescentado: ${type}`, ended: 'Última mudança',
    who: 'Mostrar quem fez o quê', note: 'A leitura da trilha de auditoria fica registrada nela.', all: 'Abrir na trilha de auditoria',
    actions: {
      'application.created': 'Criada', 'application.updated': 'Dados alterados', 'application.submitted': 'Enviada', 'application.withdrawn': 'Retirada',
      'application.status_changed': 'Situação alterada', 'application.expired': 'Expirada', 'access.denied': 'Acesso recusado',
    },
  },
});

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly what: string;
  readonly who?: string;
}

/** What has happened, newest first: from the application itself for everybody, and from the audit log for those who may read it and want to. */
export function History({ application }: { readonly application: Application }) {
  const t = useWords(words);
  const mayAudit = useMay()('listAuditEvents');
  const [audited, setAudited] = useState(false);
  return (
    <Section title={t.title}>
      {audited ? <AuditedHistory application={application} /> : <OwnHistory application={application} />}
      {mayAudit && !audited && <div className="stack"><p><Button small onClick={() => setAudited(true)}>{t.who}</Button></p><p className="hint">{t.note}</p></div>}
    </Section>
  );
}

function OwnHistory({ application: { id, status, createdAt, createdBy, submittedAt, decidedAt, updatedAt, documents = [] } }: { readonly application: Application }) {
  const t = useWords(words);
  const names = useNames();
  const isEnd = status === 'withdrawn' || status === 'expired';
  const entries = inOrder([
    { id: `${id}-created`, at: createdAt, what: t.created, who: createdBy.display },
    ...documents.map((document) => uploaded(document, t.uploaded(names.documentTypes[document.type]))),
    ...(submittedAt === null ? [] : [{ id: `${id}-submitted`, at: submittedAt, what: t.submitted }]),
    ...(decidedAt === null ? [] : [{ id: `${id}-decided`, at: decidedAt, what: t.decided }]),
    ...(isEnd ? [{ id: `${id}-ended`, at: updatedAt, what: names.statuses[status] }] : []),
  ]);
  return <Entries entries={entries} />;
}

function AuditedHistory({ application: { id, documents = [] } }: { readonly application: Application }) {
  const t = useWords(words);
  const names = useNames();
  const events = api.useQuery('get', '/v1/audit/events', { params: { query: { resourceId: id, limit: 50 } } }, { refetchOnWindowFocus: false });
  const entry = ({ id: key, occurredAt, action, actor, changes }: Schemas['AuditEvent']): Entry => {
    const status = action === 'application.status_changed' ? changes.find(({ path }) => path === '/status')?.value : undefined;
    const what = nameOf(t.actions, action);
    return { id: key, at: occurredAt, who: actor.display, what: typeof status === 'string' ? `${what}: ${nameOf(names.statuses, status)}` : what };
  };
  return (
    <Loaded query={events}>
      {({ items }) => (
        <div className="stack">
          <Entries entries={inOrder([...items.map(entry), ...documents.map((document) => uploaded(document, t.uploaded(names.documentTypes[document.type])))])} />
          <p><ButtonLink small to="/audit" search={{ resourceId: id }}>{t.all}</ButtonLink></p>
        </div>
      )}
    </Loaded>
  );
}

function uploaded({ id, createdAt }: Document, what: string): Entry {
  return { id, at: createdAt, what };
}

function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort((a, b) => b.at.localeCompare(a.at));
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  const format = useFormat();
  return (
    <ol className="history">
      {entries.map(({ id, at, what, who }) => (
        <li key={id}>
          <span>{what}</span>
          <span className="muted"><time dateTime={at}>{format.precise(at)}</time>{who !== undefined && <Fragment> · {who}</Fragment>}</span>
        </li>
      ))}
    </ol>
  );
}
