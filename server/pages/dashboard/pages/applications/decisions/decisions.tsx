/**
 * The decisions about an application or a company and the buttons to make one. Part of the pages of both. Nobody
 * reviews their own decision; the service enforces it.
 */
import { useState } from 'react';
import { useCurrent } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import type { Problem } from '../../../core/problem.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFormat } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { useReadAgain } from '../changed.ts';
import { type Subject, useMayWith } from '../subject.ts';
import { nameOf } from '../words.ts';
import { type Decision, DECISION_TONES, type EvidenceChange, useDecisionNames } from './decision-words.ts';
import { MakeDecision } from './make-decision.tsx';
import { Reopen } from './reopen.tsx';
import { ReviewDecision } from './review-decision.tsx';
import { Signals } from './signals.tsx';

const words = inLanguages({
  en: {
    title: 'Decisions',
    none: 'Nothing has been decided yet.',
    decide: 'Decide',
    review: 'Second review',
    reopen: 'Reopen',
    by: 'by',
    own: 'Somebody else has to review your decision.',
    fourEyes: (reasons: string) => `two people, because: ${reasons}`,
    reviewed: (name: string) => `reviewed by ${name}`,
    message: 'Message',
    second: 'Second person',
    changed: 'The evidence has changed since you read it. Nothing was decided. Look at what changed, then decide anew.',
    item: (what: string, change: string) => `${what}: ${change}`,
  },
  pt: {
    title: 'Decisões',
    none: 'Nada foi decidido ainda.',
    decide: 'Decidir',
    review: 'Segunda revisão',
    reopen: 'Reabrir',
    by: 'por',
    own: 'Outra pessoa precisa revisar a sua decisão.',
    fourEyes: (reasons: string) => `duas pessoas, porque: ${reasons}`,
    reviewed: (name: string) => `revisada por ${name}`,
    message: 'Mensagem',
    second: 'Segunda pessoa',
    changed: 'As evidências mudaram depois da sua leitura. Nada foi decidido. Veja o que mudou e decida de novo.',
    item: (what: string, change: string) => `${what}: ${change}`,
  },
});

/** Shows the decisions, newest first, and the decisions that the signed-in user may make now. */
export function Decisions({ subject }: { readonly subject: Subject }) {
  const t = useWords(words);
  const may = useMayWith(subject);
  const { user } = useCurrent();
  const [open, setOpen] = useState<'decide' | 'review' | 'reopen' | null>(null);
  const [differences, setDifferences] = useState<readonly EvidenceChange[] | null>(null);
  const { status, decisions = [], signals = [] } = subject;
  const pending = decisions.find((decision) => decision.status === 'pending_review');
  const isOwn = pending?.madeBy.id === user.id;
  const begin = (what: typeof open) => {
    setDifferences(null);
    setOpen(what);
  };
  const read = useReadAgain(subject);
  const stale = (problem: Problem) => {
    setDifferences(problem.changed ?? []);
    setOpen(null);
    void read();
  };
  const dialog = { subject, read, close: () => setOpen(null) };
  return (
    <Section
      title={t.title}
      id="decisions"
      actions={
        <>
          {status === 'in_review' && may('decide') && (
            <Button small look="primary" onClick={() => begin('decide')}>
              {t.decide}
            </Button>
          )}
          {pending !== undefined && !isOwn && may('review') && (
            <Button small look="primary" onClick={() => begin('review')}>
              {t.review}
            </Button>
          )}
          {(status === 'approved' || status === 'rejected') && may('reopen') && (
            <Button small onClick={() => begin('reopen')}>
              {t.reopen}
            </Button>
          )}
        </>
      }
    >
      <Signals signals={signals} />
      {differences !== null && <Differences changes={differences} />}
      {isOwn && <p className="muted">{t.own}</p>}
      {decisions.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <ul className="document-list">
          {decisions.map((decision) => (
            <Entry key={decision.id} decision={decision} />
          ))}
        </ul>
      )}
      {open === 'decide' && <MakeDecision {...dialog} stale={stale} />}
      {open === 'review' && pending !== undefined && <ReviewDecision {...dialog} decision={pending} stale={stale} />}
      {open === 'reopen' && <Reopen subject={subject} close={() => setOpen(null)} />}
    </Section>
  );
}

/** Lists the changes of the evidence, if the service can name them. */
function Differences({ changes }: { readonly changes: readonly EvidenceChange[] }) {
  const t = useWords(words);
  const names = useDecisionNames();
  return (
    <Notice tone="warning" role="alert">
      <p>{t.changed}</p>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ kind, id, change }) => (
            <li key={`${kind} ${id}`}>{t.item(nameOf(names.evidence, kind), names.changes[change])}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function Entry({
  decision: {
    outcome,
    rejectType,
    status,
    reasonCodes,
    note,
    applicantMessage,
    fourEyesReasons,
    madeBy,
    reviewedBy,
    reviewNote,
    createdAt,
  },
}: {
  readonly decision: Decision;
}) {
  const t = useWords(words);
  const names = useDecisionNames();
  const format = useFormat();
  const facts = [
    format.dateTime(createdAt),
    `${t.by} ${madeBy.display}`,
    reasonCodes.map((code) => nameOf(names.reasons, code)).join(', '),
    fourEyesReasons.length === 0
      ? ''
      : t.fourEyes(fourEyesReasons.map((reason) => nameOf(names.fourEyes, reason)).join(', ')),
    reviewedBy === null ? '' : t.reviewed(reviewedBy.display),
  ];
  return (
    <li className="document">
      <p className="row">
        <strong>{rejectType === null ? names.outcomes[outcome] : names.choices[rejectType]}</strong>{' '}
        <Badge tone={DECISION_TONES[status]}>{names.statuses[status]}</Badge>
      </p>
      <p className="hint">{facts.filter((fact) => fact !== '').join(' · ')}</p>
      <p>{note}</p>
      {applicantMessage !== null && (
        <p className="hint">
          {t.message}: {applicantMessage}
        </p>
      )}
      {reviewNote !== null && (
        <p>
          {t.second}: {reviewNote}
        </p>
      )}
    </li>
  );
}
