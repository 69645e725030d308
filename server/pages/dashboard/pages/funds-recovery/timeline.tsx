/**
 * The events of one recovery. Used by recovery-card.tsx. A payload may have been erased, and its form is the
 * directory's, so nothing in it can be relied on.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { type Format, useFormat } from '../../ui/format.ts';
import { announce } from '../../ui/toasts.tsx';
import { shortType, useRecoveryWords } from './recovery-words.ts';

type RecoveryEvent = Schemas['FundsRecoveryEvent'];

const words = inLanguages({
  en: {
    events: 'Events',
    payload: 'Payload',
    erased: 'Its payload was erased.',
    due: (stage: string, when: string) => `${stage} is due ${when}`,
    wasDue: (stage: string, when: string) => `${stage} was due ${when}`,
    from: (participant: string) => `from ${participant}`,
    by: (participant: string) => `by ${participant}`,
  },
  pt: {
    events: 'Eventos',
    payload: 'Conteúdo',
    erased: 'O conteúdo foi apagado.',
    due: (stage: string, when: string) => `${stage} vence em ${when}`,
    wasDue: (stage: string, when: string) => `${stage} venceu em ${when}`,
    from: (participant: string) => `de ${participant}`,
    by: (participant: string) => `por ${participant}`,
  },
});

/** Shows all events of a recovery and announces new ones. */
export function Timeline({ events }: { readonly events: readonly RecoveryEvent[] }) {
  const t = useWords(words);
  const names = useRecoveryWords();
  const known = useRef(events.length);
  useEffect(() => {
    const newest = events.at(-1);
    if (newest !== undefined && events.length > known.current) announce(names.event(newest.eventType));
    known.current = events.length;
  }, [events, names]);
  return (
    <ol className="recovery-timeline" aria-label={t.events}>
      {events.map((event) => (
        <Entry key={event.eventId} event={event} />
      ))}
    </ol>
  );
}

function Entry({ event }: { readonly event: RecoveryEvent }) {
  const { eventType, timestamp, rawPayload } = event;
  const t = useWords(words);
  const format = useFormat();
  const names = useRecoveryWords();
  const details = useDetails(event, format);
  return (
    <li className={isTimeOut(eventType) ? 'overdue' : undefined}>
      <p>
        <strong>{names.event(eventType)}</strong>
      </p>
      {details !== null && <p>{details}</p>}
      <p className="muted">
        <time dateTime={timestamp}>{format.precise(timestamp)}</time>
        <code>{eventType}</code>
      </p>
      {rawPayload === null ? <p className="muted">{t.erased}</p> : <Payload content={rawPayload} name={t.payload} />}
    </li>
  );
}

/** Formats the content only when it is opened. */
function Payload({ content, name }: { readonly content: object; readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && (
        <pre className="recovery-payload" tabIndex={0} aria-label={name}>
          {JSON.stringify(content, null, 2)}
        </pre>
      )}
    </details>
  );
}

function isTimeOut(eventType: string): boolean {
  return eventType.endsWith('_TIMED_OUT');
}

/** Returns the details of an event from the directory's own documents. */
function useDetails({ eventType, rawPayload }: RecoveryEvent, format: Format): ReactNode {
  const t = useWords(words);
  const names = useRecoveryWords();
  const due = first(rawPayload, 'Deadline');
  if (due !== null) {
    const [stage, when] = [names.stage(textOf(due, 'Stage') ?? ''), textOf(due, 'DueAt')];
    if (when === undefined) return null;
    return isTimeOut(eventType) ? t.wasDue(stage, format.dateTime(when)) : t.due(stage, format.dateTime(when));
  }
  const type = shortType(eventType);
  const kind = documentKind(type);
  const document = kind === null ? null : first(rawPayload, kind);
  if (document === null) return null;
  const money = (decimal: string | undefined) =>
    decimal === undefined ? undefined : format.money(Math.round(Number(decimal) * 100), 'BRL');
  // A document that was read late already contains the answer, which is shown only with the events about it.
  const isAnswer = /(_CLOSED|_ANALYSED|_CHANGED)$/.test(type);
  const answer = (name: string) => (isAnswer ? names.answer(textOf(document, name) ?? '') : '');
  const parts =
    kind === 'Refunds'
      ? [
          answer('AnalysisResult'),
          answer('RefundRejectionReason'),
          money(
            (isAnswer ? textOf(document, 'EffectiveRefundedAmount') : undefined) ?? textOf(document, 'RefundAmount'),
          ),
          t.from(textOf(document, 'ContestedParticipant') ?? ''),
        ]
      : [
          answer('AnalysisResult'),
          money(textOf(document, 'InfractionAmount')),
          t.by(textOf(document, 'CounterpartyParticipant') ?? ''),
        ];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

/** Returns the member of a payload with the documents that an event of this type is about. */
function documentKind(type: string): 'Refunds' | 'InfractionReports' | null {
  if (/^REFUND_(OPENED|CLOSED|CANCELLED|CHANGED)$/.test(type)) return 'Refunds';
  if (/^REPORT_/.test(type) || type === 'COUNTERPARTY_ANALYSED') return 'InfractionReports';
  return null;
}

type Document = Readonly<Record<string, unknown>>;

/** Returns the document of its kind that caused an event. */
function first(payload: Document | null, name: string): Document | null {
  const found = payload?.[name];
  const document: unknown = Array.isArray(found) ? found[0] : found;
  return isDocument(document) ? document : null;
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null;
}

function textOf(document: Document, name: string): string | undefined {
  const value = document[name];
  return typeof value === 'string' ? value : undefined;
}
