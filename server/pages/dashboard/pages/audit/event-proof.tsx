/**
 * The proof that an event is in the log. Used by event-dialog.tsx. A new event has none until the next checkpoint; the
 * check runs in the browser (verify-proof.ts), not at the service.
 */
import { useEffect, useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, isProblem } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Problems } from '../../ui/problems.tsx';
import { saveJson } from '../../ui/save-file.ts';
import { canVerify, type Finding, verifyProof } from './verify-proof.ts';

type AuditEvent = Schemas['AuditEvent'];
type AuditProof = Schemas['AuditProof'];

const words = inLanguages({
  en: {
    title: 'Proof',
    lead:
      'The way from this event to a signed checkpoint. Whoever holds the event, the proof and the public key needs ' +
      'to trust nobody.',
    verify: 'Verify in this browser',
    save: 'Download the proof',
    waiting: (seconds: number) => `The event is not covered by a checkpoint yet. Asking again in ${seconds} seconds…`,
    insecure: 'Browsers verify on a secure connection only. Open this page over HTTPS, or download the proof.',
    broken: 'The proof does not hold.',
    holds: 'The proof holds.',
    perhaps: 'As far as this browser can tell, the proof holds.',
    hashed: 'The event is what was hashed',
    included: (place: string, size: string) => `Its hash is number ${place} of the ${size} below the root`,
    signed: 'The checkpoint with this root is signed by the key it names',
    yes: 'yes',
    no: 'no',
    unknown: 'cannot be told here',
    noEd25519: 'this browser has no Ed25519',
    key: 'Compare the key with the one that you got from a source you trust:',
  },
  pt: {
    title: 'Prova',
    lead:
      'O caminho deste evento até um ponto de verificação assinado. Quem tem o evento, a prova e a chave pública ' +
      'não precisa confiar em ninguém.',
    verify: 'Verificar neste navegador',
    save: 'Baixar a prova',
    waiting: (seconds: number) =>
      `Nenhum ponto de verificação cobre o evento ainda. Nova consulta em ${seconds} segundos…`,
    insecure: 'Navegadores só verificam em conexão segura. Abra esta página por HTTPS, ou baixe a prova.',
    broken: 'A prova não se sustenta.',
    holds: 'A prova se sustenta.',
    perhaps: 'Até onde este navegador sabe, a prova se sustenta.',
    hashed: 'O evento é o que foi resumido no hash',
    included: (place: string, size: string) => `Seu hash é o número ${place} dos ${size} sob a raiz`,
    signed: 'O ponto de verificação com esta raiz está assinado pela chave que ele nomeia',
    yes: 'sim',
    no: 'não',
    unknown: 'não se sabe aqui',
    noEd25519: 'este navegador não tem Ed25519',
    key: 'Compare a chave com a que você recebeu de uma fonte em que confia:',
  },
});

type Use = 'verify' | 'save';

type Result =
  | { readonly kind: 'none' | 'insecure' }
  | { readonly kind: 'waiting'; readonly use: Use; readonly seconds: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'verified'; readonly proof: AuditProof; readonly findings: readonly Finding[] };

/** Downloads the proof of an event, or checks it in the browser. */
export function EventProof({ event }: { readonly event: AuditEvent }) {
  const t = useWords(words);
  // Both buttons use the same proof, so that the downloaded one is the one that was checked.
  const [known, setKnown] = useState<AuditProof | null>(null);
  const [result, setResult] = useState<Result>({ kind: 'none' });

  const withProof = async (use: Use) => {
    try {
      const proof =
        known ??
        (await answerOf(client.GET('/v1/audit/events/{eventId}/proof', { params: { path: { eventId: event.id } } })));
      setKnown(proof);
      if (use === 'verify')
        return setResult(
          canVerify() ? { kind: 'verified', proof, findings: await verifyProof(event, proof) } : { kind: 'insecure' },
        );
      saveJson(`audit-proof-${event.sequence}.json`, { event, proof });
      setResult({ kind: 'none' });
    } catch (error) {
      setResult(
        isProblem(error) && error.code === 'not_checkpointed_yet'
          ? { kind: 'waiting', use, seconds: error.retryAfter ?? 10 }
          : { kind: 'failed', error },
      );
    }
  };

  // The newest events wait for their checkpoint. The proof is requested again while the dialog is open.
  useEffect(() => {
    if (result.kind !== 'waiting') return;
    const timer = setTimeout(() => void withProof(result.use), result.seconds * 1000);
    return () => clearTimeout(timer);
  }, [result]);

  return (
    <section className="stack" aria-label={t.title}>
      <h3>{t.title}</h3>
      <p className="muted">{t.lead}</p>
      <div className="row">
        <Button onClick={() => void withProof('verify')}>{t.verify}</Button>
        <Button onClick={() => void withProof('save')}>{t.save}</Button>
      </div>
      <div className="stack" aria-live="polite">
        <Outcome result={result} />
      </div>
    </section>
  );
}

function Outcome({ result }: { readonly result: Result }) {
  const t = useWords(words);
  const format = useFormat();
  switch (result.kind) {
    case 'none':
      return null;
    case 'insecure':
      return <Notice tone="warning">{t.insecure}</Notice>;
    case 'waiting':
      return <Notice>{t.waiting(result.seconds)}</Notice>;
    case 'failed':
      return <Problems error={result.error} />;
    case 'verified': {
      const { proof, findings } = result;
      const sentences = {
        hashed: t.hashed,
        included: t.included(format.number(proof.index + 1), format.number(proof.treeSize)),
        signed: t.signed,
      };
      return (
        <>
          <Verdict findings={findings} />
          <ul className="audit-findings">
            {findings.map(({ check, holds }) => {
              const { className, mark, word } = lookOf(holds);
              return (
                <li key={check} className={className}>
                  <span aria-hidden="true">{mark}</span>
                  <span>
                    {sentences[check]}
                    <span className="visually-hidden">: {t[word]}</span>
                    {holds === null && ` (${t.noEd25519})`}
                  </span>
                </li>
              );
            })}
          </ul>
          <p className="hint">
            {t.key} <code>{proof.publicKey.kid}</code>
          </p>
        </>
      );
    }
  }
}

/** Says what all findings mean for the proof: one that fails breaks it, one that is unknown leaves it open. */
function Verdict({ findings }: { readonly findings: readonly Finding[] }) {
  const t = useWords(words);
  if (findings.some(({ holds }) => holds === false)) return <Notice tone="error">{t.broken}</Notice>;
  if (findings.every(({ holds }) => holds === true)) return <Notice tone="good">{t.holds}</Notice>;
  return <Notice tone="warning">{t.perhaps}</Notice>;
}

interface FindingLook {
  readonly className?: string;
  readonly mark: string;
  readonly word: 'yes' | 'no' | 'unknown';
}

function lookOf(holds: Finding['holds']): FindingLook {
  if (holds === null) return { mark: '?', word: 'unknown' };
  return holds ? { className: 'holds', mark: '✓', word: 'yes' } : { className: 'broken', mark: '✗', word: 'no' };
}
