/**
 * The receipt of the question whether somebody may sign: the answer, the clause, who is missing, and why. Opened by
 * signatories.tsx. It never changes, so it can be shown to the other side later.
 */
import { api, type Schemas } from '../../core/api.ts';
import { useRecordFormat } from '../../core/business-clock.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts } from '../../ui/page.tsx';
import { nameOf } from '../applications/words.ts';
import { useSignerNames } from './parties.ts';
import { RESULT_TONES, useSigningNames } from './signing-words.ts';

const words = inLanguages({
  en: {
    title: 'May they sign?',
    act: 'Act',
    amount: 'Amount',
    at: 'When',
    signers: 'Who signs',
    anybody: 'Nobody was named: the question was who could',
    clauses: 'By the clause',
    missing: 'Who is missing',
    sets: 'Who could sign',
    more: 'There are more ways than these.',
    reasons: 'Why it is not a plain yes',
    digest: 'Digest of the receipt',
    evaluated: 'Answered',
    until: 'May be relied upon until',
    changed: 'A person was erased since, so it cannot be evaluated again. Digest and answer stand.',
  },
  pt: {
    title: 'Podem assinar?',
    act: 'Ato',
    amount: 'Valor',
    at: 'Quando',
    signers: 'Quem assina',
    anybody: 'Ninguém foi indicado: a pergunta foi quem poderia',
    clauses: 'Pela cláusula',
    missing: 'Quem falta',
    sets: 'Quem poderia assinar',
    more: 'Há mais formas além destas.',
    reasons: 'Por que não é um simples sim',
    digest: 'Resumo criptográfico do recibo',
    evaluated: 'Respondido',
    until: 'Vale até',
    changed: 'Uma pessoa foi apagada desde então, por isso não é possível avaliar de novo. Resumo e resposta valem.',
  },
});

interface Props {
  readonly businessId: string;
  readonly evaluationId: string;
  readonly close: () => void;
}

export function Receipt({ businessId, evaluationId, close }: Props) {
  const t = useWords(words);
  const query = api.useQuery('get', '/v1/businesses/{businessId}/signing-evaluations/{evaluationId}', {
    params: { path: { businessId, evaluationId } },
  });
  return (
    <Dialog title={t.title} onClose={close} wide>
      <Loaded query={query}>{(evaluation) => <Answer evaluation={evaluation} />}</Loaded>
    </Dialog>
  );
}

function Answer({ evaluation }: { readonly evaluation: Schemas['SigningEvaluation'] }) {
  const t = useWords(words);
  const names = useSigningNames();
  const format = useRecordFormat(evaluation.environment);
  const nameOfParty = useSignerNames(evaluation.businessId);
  const {
    act: { type, amount = null, at },
    signers,
    result,
    coverage,
    satisfiedBy,
    missing,
    minimalSets,
    truncated,
    reasons,
    digest,
    reproducible,
    evaluatedAt,
    expiresAt,
  } = evaluation;
  const people = (keys: readonly string[]) => keys.map(nameOfParty).join(names.and);
  const reasonText = ({ code, partyKey }: Schemas['SigningReason']) =>
    [nameOf(names.reasons, code), ...(partyKey === null ? [] : [nameOfParty(partyKey)])].join(': ');
  return (
    <div className="stack">
      <p className="row">
        <Badge tone={RESULT_TONES[result]}>{names.results[result]}</Badge> <span>{names.coverages[coverage]}</span>
      </p>
      <Facts
        facts={[
          [t.act, nameOf(names.acts, type)],
          ...(amount === null ? [] : [[t.amount, format.money(amount.amount, amount.currency)] as const]),
          ...(at === undefined ? [] : [[t.at, format.dateTime(at)] as const]),
          [
            t.signers,
            signers === null
              ? t.anybody
              : signers
                  .map(({ partyKey, taxId }) => (partyKey ? nameOfParty(partyKey) : (taxId ?? '')))
                  .join(names.and),
          ],
          [t.evaluated, format.dateTime(evaluatedAt)],
          [t.until, format.dateTime(expiresAt)],
        ]}
      />
      <Items title={t.clauses} items={satisfiedBy.map(({ clause, ruleKey }) => clause ?? ruleKey)} />
      <Items title={t.missing} items={missing.map(people)} />
      <Items title={t.sets} items={minimalSets.map(people)} />
      {truncated && <p className="muted">{t.more}</p>}
      <Items title={t.reasons} items={reasons.map(reasonText)} />
      {!reproducible && <p className="muted">{t.changed}</p>}
      {digest !== undefined && (
        <div>
          {t.digest}: <Copyable text={digest} what={t.digest} block />
        </div>
      )}
    </div>
  );
}

/** A list with a heading; nothing if it is empty. */
function Items({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {[...new Set(items)].map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
