/** One hit of a screening. Used by screening-page.tsx. */
import { useState } from 'react';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Facts } from '../../ui/page.tsx';
import { nameOf } from '../applications/words.ts';
import { DecideDialog } from './decide-dialog.tsx';
import { Reasons } from './reasons.tsx';
import { BAND_TONES, type Hit, HIT_TONES, type Screening, useScreeningNames } from './screening-words.ts';

const words = inLanguages({
  en: {
    decide: 'Decide',
    review: 'Second review',
    score: 'Score',
    own: 'Somebody else has to review your decision.',
    waits: (verdict: string, name: string, note: string) => `${name} says: ${verdict}. ${note}`,
    type: 'Kind',
    aliases: 'Other names',
    born: 'Born',
    countries: 'Countries',
    programmes: 'Programmes',
    position: 'Function',
    remarks: 'Remarks',
    source: 'At the publisher',
    more: (count: number) => `and ${count} more`,
    freeze: (time: string) =>
      `On the list of the United Nations: freeze the assets without delay, and tell the authorities by ${time}.`,
    reopened: 'It was decided before, and something has changed since:',
    namesake:
      'Somebody on a list of sanctions has this name. Dates of birth, genders and countries that differ do not ' +
      'clear it: find out whether it is the same person.',
  },
  pt: {
    decide: 'Decidir',
    review: 'Segunda revisão',
    score: 'Nota',
    own: 'Outra pessoa precisa revisar a sua decisão.',
    waits: (verdict: string, name: string, note: string) => `${name} diz: ${verdict}. ${note}`,
    type: 'Tipo',
    aliases: 'Outros nomes',
    born: 'Nascimento',
    countries: 'Países',
    programmes: 'Programas',
    position: 'Função',
    remarks: 'Observações',
    source: 'Na fonte',
    more: (count: number) => `e mais ${count}`,
    freeze: (time: string) =>
      `Consta na lista das Nações Unidas: bloqueie os ativos sem demora, e avise as autoridades até ${time}.`,
    reopened: 'Já foi decidida, e algo mudou desde então:',
    namesake:
      'Alguém numa lista de sanções tem este nome. Datas de nascimento, gêneros e países diferentes não o ' +
      'descartam: descubra se é a mesma pessoa.',
  },
});

const SHOWN_ALIASES = 8;

interface HitProps {
  readonly hit: Hit;
  readonly screening: Screening;
}

/** Shows a hit: the listed entity, the reasons of its score, and the decisions about it. */
export function HitCard({ hit, screening }: HitProps) {
  const t = useWords(words);
  const names = useScreeningNames();
  const format = useFormat();
  const may = useMay();
  const { user } = useCurrent();
  const [deciding, setDeciding] = useState(false);
  const { id, entity, listId, entityId, category, score, band, status, decision, proposal, reopened, features } = hit;
  const isOwn = proposal?.decidedBy.id === user.id;
  // Compliance officers are the second person and may change decisions. Only hits of the newest screening can be
  // decided.
  const mayDecide =
    may('adjudicateHit') &&
    screening.supersededById === null &&
    !screening.personalDataMasked &&
    !isOwn &&
    ((proposal === null && decision === null) || user.role === 'compliance_officer');
  return (
    <article className="card stack hit" id={id} aria-label={entity.name}>
      <div className="section-header">
        <h3>{entity.name}</h3>
        <span className="row">
          <Badge tone={HIT_TONES[status]}>{names.statuses[status]}</Badge>
          <Badge>{names.categories[category]}</Badge>
          <Badge tone={BAND_TONES[band]}>{names.bands[band]}</Badge>
          <span className="score" title={t.score}>
            {score.toFixed(3)}
          </span>
        </span>
      </div>
      <p className="hint version">
        {listId} · {entityId}
      </p>
      {reopened !== null && (
        <Notice tone="warning">
          <p>{t.reopened}</p>
          <ul>
            {reopened.changes.map(({ path, before, after }) => (
              <li key={path}>{`${path}: ${before} → ${after}`}</li>
            ))}
          </ul>
        </Notice>
      )}
      {band === 'namesake' && <Notice>{t.namesake}</Notice>}
      {features.length > 0 && <Reasons features={features} score={score} />}
      <Entity entity={entity} />
      {decision !== null && (
        <p>
          {[
            names.statuses[decision.status],
            nameOf(names.reasons, decision.reasonCode),
            decision.decidedBy.display,
            format.dateTime(decision.decidedAt),
          ].join(' · ')}
          <br />
          <span className="muted">{decision.note}</span>
        </p>
      )}
      {decision?.freezeDueAt != null && <Notice tone="error">{t.freeze(format.dateTime(decision.freezeDueAt))}</Notice>}
      {proposal !== null && (
        <Notice>
          {t.waits(names.statuses[proposal.status], proposal.decidedBy.display, proposal.note)}
          {isOwn && ` ${t.own}`}
        </Notice>
      )}
      {mayDecide && (
        <div className="row">
          <Button small look={status === 'open' ? 'primary' : 'plain'} onClick={() => setDeciding(true)}>
            {proposal === null ? t.decide : t.review}
          </Button>
        </div>
      )}
      {deciding && <DecideDialog screening={screening} hit={hit} close={() => setDeciding(false)} />}
    </article>
  );
}

function Entity({
  entity: {
    type,
    aliases,
    datesOfBirth,
    countries,
    programmes,
    position,
    positionFrom,
    positionTo,
    remarks,
    sourceUrl,
  },
}: {
  readonly entity: Hit['entity'];
}) {
  const t = useWords(words);
  const others =
    aliases.length <= SHOWN_ALIASES
      ? aliases.join('; ')
      : `${aliases.slice(0, SHOWN_ALIASES).join('; ')} ${t.more(aliases.length - SHOWN_ALIASES)}`;
  const term = [positionFrom, positionTo].some((day) => day !== null)
    ? ` (${positionFrom ?? ''} – ${positionTo ?? ''})`
    : '';
  const facts: readonly (readonly [string, string])[] = [
    [t.type, type],
    [t.aliases, others],
    [t.born, datesOfBirth.join('; ')],
    [t.countries, countries.join(', ')],
    [t.programmes, programmes.join('; ')],
    [t.position, position === null ? '' : position + term],
    [t.remarks, remarks ?? ''],
  ];
  return (
    <>
      <Facts facts={facts.filter(([, value]) => value !== '')} />
      {sourceUrl?.startsWith('https://') === true && (
        <p>
          <a href={sourceUrl} target="_blank" rel="noreferrer">
            {t.source}
          </a>
        </p>
      )}
    </>
  );
}
