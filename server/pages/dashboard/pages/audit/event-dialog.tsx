/** One event of the audit log in full. Opened by audit-page.tsx. */
import { Link } from '@tanstack/react-router';
import { api, type Schemas } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts } from '../../ui/page.tsx';
import { EventProof } from './event-proof.tsx';
import { actorName, codeInWords, type NameOf, OutcomeBadge, useEventWords } from './event-words.tsx';

type AuditEvent = Schemas['AuditEvent'];

const words = inLanguages({
  en: {
    event: 'Event',
    place: 'Place in the log',
    when: 'When',
    who: 'Who',
    about: 'About',
    outcome: 'Outcome',
    environment: 'Environment',
    sandbox: 'Sandbox',
    live: 'Live',
    ip: 'From',
    program: 'With',
    request: 'Request',
    sealed: 'Sealed values',
    hash: 'Hash',
    previous: 'Hash before',
    name: 'Name in the log',
    id: 'the id',
    theRequest: 'the id of the request',
    theHash: 'the hash',
    inPlace: (id: string) => `in place of ${id}`,
    changes: 'Changes',
    none: 'Nothing was changed.',
    ops: {
      add: 'added',
      replace: 'changed to',
      remove: 'removed',
      test: 'was',
      move: 'moved',
      copy: 'copied',
    } satisfies Ops,
    allBy: 'All that they did',
    allAbout: 'All about it',
  },
  pt: {
    event: 'Evento',
    place: 'Lugar na trilha',
    when: 'Quando',
    who: 'Quem',
    about: 'Sobre',
    outcome: 'Resultado',
    environment: 'Ambiente',
    sandbox: 'Sandbox',
    live: 'Produção',
    ip: 'De',
    program: 'Com',
    request: 'Requisição',
    sealed: 'Valores lacrados',
    hash: 'Hash',
    previous: 'Hash anterior',
    name: 'Nome na trilha',
    id: 'o id',
    theRequest: 'o id da requisição',
    theHash: 'o hash',
    inPlace: (id: string) => `em lugar de ${id}`,
    changes: 'Mudanças',
    none: 'Nada foi mudado.',
    ops: {
      add: 'incluído',
      replace: 'mudado para',
      remove: 'retirado',
      test: 'era',
      move: 'movido',
      copy: 'copiado',
    } satisfies Ops,
    allBy: 'Tudo o que fez',
    allAbout: 'Tudo sobre isto',
  },
});

type Ops = Readonly<Record<string, string>>;

interface EventDialogProps {
  readonly id: string;
  /** The event if the list contains it. Otherwise the URL has named it, and it is fetched. */
  readonly listed: AuditEvent | undefined;
  readonly nameOf: NameOf;
  readonly onClose: () => void;
}

/** Everything about one event, and its proof. */
export function EventDialog({ id, listed, nameOf, onClose }: EventDialogProps) {
  const t = useWords(words);
  const names = useEventWords();
  const read = api.useQuery(
    'get',
    '/v1/audit/events/{eventId}',
    { params: { path: { eventId: id } } },
    { enabled: listed === undefined, staleTime: Infinity, refetchOnWindowFocus: false },
  );
  const event = listed ?? read.data;
  return (
    <Dialog title={event === undefined ? t.event : names.action(event.action)} side="right" wide onClose={onClose}>
      <Loaded query={{ ...read, data: event }}>{(known) => <Details event={known} nameOf={nameOf} />}</Loaded>
    </Dialog>
  );
}

function Details({ event, nameOf }: { readonly event: AuditEvent; readonly nameOf: NameOf }) {
  const t = useWords(words);
  const may = useMay();
  const format = useFormat();
  const names = useEventWords();
  const {
    sequence,
    action,
    occurredAt,
    environment,
    actor,
    resource,
    reason,
    requestId,
    ip,
    userAgent,
    sealedRef,
    prevHash,
    hash,
  } = event;
  return (
    <>
      <Facts
        facts={[
          [t.when, <time dateTime={occurredAt}>{format.precise(occurredAt)}</time>],
          [
            t.outcome,
            <>
              <OutcomeBadge event={event} /> {reason !== null && codeInWords(reason)}
            </>,
          ],
          [
            t.who,
            <div className="audit-what">
              <span>
                {actorName(actor, nameOf)}{' '}
                <span className="muted">
                  ({names.actorType(actor.type)}
                  {actor.impersonatorId !== null && `, ${t.inPlace(actor.impersonatorId)}`})
                </span>
              </span>
              {actor.id !== null && (
                <>
                  <Copyable text={actor.id} what={t.id} />
                  <Link from="/audit" search={{ actorId: actor.id }}>
                    {t.allBy}
                  </Link>
                </>
              )}
            </div>,
          ],
          [
            t.about,
            <div className="audit-what">
              <span>
                {nameOf(resource) === null ? (
                  names.resourceType(resource.type)
                ) : (
                  <>
                    {nameOf(resource)} <span className="muted">({names.resourceType(resource.type)})</span>
                  </>
                )}
              </span>
              {resource.id !== null && (
                <>
                  <Copyable text={resource.id} what={t.id} />
                  <Link from="/audit" search={{ resourceType: resource.type, resourceId: resource.id }}>
                    {t.allAbout}
                  </Link>
                </>
              )}
            </div>,
          ],
          [t.environment, environment === 'sandbox' ? t.sandbox : t.live],
          [t.place, format.number(sequence)],
          [t.name, <code>{action}</code>],
          ...(ip === null ? [] : [[t.ip, ip] as const]),
          ...(userAgent === null ? [] : [[t.program, userAgent] as const]),
          ...(requestId === null ? [] : [[t.request, <Copyable text={requestId} what={t.theRequest} />] as const]),
          ...(sealedRef === null ? [] : [[t.sealed, <code>{sealedRef}</code>] as const]),
        ]}
      />
      <Changes changes={event.changes} />
      {may('getAuditEventProof') && <EventProof event={event} />}
      <Facts
        facts={[
          [t.hash, <Copyable text={hash} what={t.theHash} />],
          [t.previous, <Copyable text={prevHash} what={t.theHash} />],
        ]}
      />
    </>
  );
}

/** Shows the steps of a JSON Patch. */
function Changes({ changes }: { readonly changes: AuditEvent['changes'] }) {
  const t = useWords(words);
  const ops: Ops = t.ops;
  return (
    <section className="stack" aria-label={t.changes}>
      <h3>{t.changes}</h3>
      {changes.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="audit-changes">
          {changes.map(({ op, path, value }, index) => (
            <li key={`${index} ${path}`}>
              <code>{path}</code> <span className="muted">{ops[op] ?? op}</span>{' '}
              {value !== undefined && <code className="audit-value">{JSON.stringify(value)}</code>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
