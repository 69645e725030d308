/** One recovery with its progress and events. Used by funds-recovery-page.tsx. */
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts } from '../../ui/page.tsx';
import { overdueStage } from './overdue.ts';
import { isFinished } from './recovery-search.ts';
import { shortType, useRecoveryWords } from './recovery-words.ts';
import { Timeline } from './timeline.tsx';

type Recovery = Schemas['FundsRecoveryRecord'];
type RecoveryEvent = Schemas['FundsRecoveryEvent'];

const words = inLanguages({
  en: {
    untraced: 'Amount not known yet',
    opened: (day: string) => `Opened ${day}`,
    overdue: 'Overdue',
    lifecycle: 'Lifecycle',
    here: 'it is here',
    done: 'done',
    skipped: 'left out',
    ahead: 'not yet',
    root: 'Root transaction',
    agreed: 'Agreed to block',
    returned: 'Returned',
    due: 'Due next',
    isOverdue: 'Overdue since',
    participant: 'Participant',
    id: 'Recovery',
    rootId: 'End-to-end id',
    theId: 'the id',
    unknown: 'Not known',
    missed: (stage: string) => `${stage}: the limit has passed`,
  },
  pt: {
    untraced: 'Valor ainda desconhecido',
    opened: (day: string) => `Aberta em ${day}`,
    overdue: 'Atrasada',
    lifecycle: 'Andamento',
    here: 'está aqui',
    done: 'feito',
    skipped: 'pulado',
    ahead: 'ainda não',
    root: 'Transação de origem',
    agreed: 'Bloqueio acordado',
    returned: 'Devolvido',
    due: 'Próximo prazo',
    isOverdue: 'Atrasada desde',
    participant: 'Participante',
    id: 'Recuperação',
    rootId: 'Id de ponta a ponta',
    theId: 'o id',
    unknown: 'Desconhecido',
    missed: (stage: string) => `${stage}: o prazo passou`,
  },
});

/** Tones of the statuses that end a recovery. */
const STATUS_TONES: Readonly<Record<string, Tone>> = { COMPLETED: 'good', CANCELLED: 'neutral' };

interface CardProps {
  readonly recovery: Recovery;
  /** Whether the URL names the recovery, which is then expanded whatever its status. */
  readonly named: boolean;
  /** Time of its environment, which deadlines are relative to. */
  readonly now: number;
}

/**
 * Shows a recovery, its status and all its events. Finished ones are collapsed initially; one that is open when it
 * finishes stays open.
 */
export function RecoveryCard({ recovery, named, now }: CardProps) {
  const { id, role, status, money, situationType, createdAt, revision, updatedAt } = recovery;
  const t = useWords(words);
  const format = useFormat();
  const names = useRecoveryWords();
  const heading = useId();
  const [isOpen, setOpen] = useState(named || !isFinished(status));
  useEffect(() => {
    if (named) setOpen(true);
  }, [named]);
  const timeline = api.useInfiniteQuery(
    'get',
    '/api/v1/funds-recovery/{fundsRecoveryId}/events',
    { params: { path: { fundsRecoveryId: id }, query: { limit: 100 } } },
    {
      initialPageParam: null,
      getNextPageParam: (page: Schemas['FundsRecoveryTimeline']) => (page.hasMore ? page.cursor : null),
      enabled: isOpen,
    },
  );
  const events = useMemo(() => timeline.data?.pages.flatMap((page) => page.events) ?? [], [timeline.data]);
  const { refetch, hasNextPage, fetchNextPage, isFetching } = timeline;
  // A recovery with a newer version in the list is reloaded. A long timeline is loaded completely.
  const version = `${revision} ${status} ${updatedAt}`;
  const [read, setRead] = useState(version);
  useEffect(() => {
    if (!isOpen || isFetching) return;
    if (read !== version) {
      setRead(version);
      void refetch();
    } else if (hasNextPage) void fetchNextPage();
  }, [isOpen, isFetching, read, version, hasNextPage, refetch, fetchNextPage]);
  // Without a tracking graph the directory reports the amount only as what the receivers agreed to block.
  const amount = money.rootAmount ?? money.refundableAmount;
  const overdue = isFinished(status) ? null : overdueStage(recovery, events, now);

  return (
    <article className="card recovery" aria-labelledby={heading}>
      <header>
        <h3 id={heading}>
          <button type="button" className="recovery-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <ChevronDown aria-hidden size={18} />
            <span className="number">{amount === null ? t.untraced : format.money(amount, money.currency)}</span>
            <span className="muted">
              {[situationType === null ? '' : names.situation(situationType), t.opened(format.day(createdAt))]
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </button>
        </h3>
        <p className="row">
          {overdue !== null && <Badge tone="danger">{t.overdue}</Badge>}
          <Badge>{names.role(role)}</Badge>
          <Badge tone={STATUS_TONES[status] ?? 'info'}>{names.status(status)}</Badge>
        </p>
      </header>
      {isOpen && (
        <>
          <Lifecycle status={status} events={events} />
          <RecoveryFacts recovery={recovery} overdue={overdue} now={now} />
          <Loaded query={timeline}>{() => <Timeline events={events} />}</Loaded>
        </>
      )}
    </article>
  );
}

/** The usual course, which a recovery may leave early. */
const COURSE = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED'] as const;

/** Shows the progress of a recovery: the reported, the current and the skipped stages. */
function Lifecycle({ status, events }: { readonly status: string; readonly events: readonly RecoveryEvent[] }) {
  const t = useWords(words);
  const names = useRecoveryWords();
  const reported = new Set(events.map(({ eventType }) => shortType(eventType)));
  const course: readonly string[] =
    status === 'CANCELLED' ? [...COURSE.filter((step) => reported.has(step)), status] : COURSE;
  const here = course.indexOf(status);
  const kindOf = (step: string, index: number): 'here' | 'done' | 'skipped' | 'ahead' => {
    if (index === here) return 'here';
    if (reported.has(step)) return 'done';
    return index < here ? 'skipped' : 'ahead';
  };
  return (
    <ol className="recovery-course" aria-label={t.lifecycle}>
      {course.map((step, index) => {
        const kind = kindOf(step, index);
        return (
          <li
            key={step}
            className={step === 'CANCELLED' ? `${kind} cancelled` : kind}
            aria-current={kind === 'here' ? 'step' : undefined}
          >
            {names.status(step)}
            <span className="visually-hidden">: {t[kind]}</span>
          </li>
        );
      })}
    </ol>
  );
}

function RecoveryFacts({
  recovery: { id, money, nextDeadline, participant, rootTransactionId },
  overdue,
  now,
}: {
  readonly recovery: Recovery;
  readonly overdue: string | null;
  readonly now: number;
}) {
  const t = useWords(words);
  const format = useFormat();
  const names = useRecoveryWords();
  const amount = (minor: number | null) =>
    minor === null ? t.unknown : <span className="number">{format.money(minor, money.currency)}</span>;
  const isPast = nextDeadline !== null && Date.parse(nextDeadline.dueAt) < now;
  return (
    <Facts
      facts={[
        [t.root, amount(money.rootAmount)],
        [t.agreed, amount(money.refundableAmount)],
        [t.returned, amount(money.refundedAmount)],
        ...(overdue !== null && !isPast
          ? [[t.overdue, <span className="recovery-overdue">{t.missed(names.stage(overdue))}</span>] as const]
          : []),
        ...(nextDeadline === null
          ? []
          : [
              [
                isPast ? t.isOverdue : t.due,
                <span className={isPast ? 'recovery-overdue' : undefined}>
                  {names.stage(nextDeadline.stage)}, {format.dateTime(nextDeadline.dueAt)}
                </span>,
              ] as const,
            ]),
        [t.participant, <code>{participant}</code>],
        [t.id, <Copyable text={id} what={t.theId} />],
        [t.rootId, <Copyable text={rootTransactionId} what={t.theId} />],
      ]}
    />
  );
}
