/**
 * Lets the service check the whole log, against a checkpoint that the user kept if there is one. Opened by
 * audit-page.tsx. Without such a checkpoint it cannot find that the whole log was rewritten.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';

const words = inLanguages({
  en: {
    title: 'Verify the log',
    lead: 'Walks every link, computes every hash again, and compares with every signed checkpoint.',
    action: 'Verify now',
    kept: 'A checkpoint that you kept',
    keptHint: 'The file that you downloaded, as JSON. Without it the log is compared with its own checkpoints only.',
    unreadable: 'The checkpoint is not JSON. Paste the whole file that you kept.',
    holds: 'The log holds.',
    broken: 'The log does not hold.',
    checked: (events: string, checkpoints: string, ms: string) =>
      `Checked ${events} events and ${checkpoints} checkpoints, in ${ms} ms.`,
    at: (what: string, sequence: string) => `${what}, at event ${sequence}.`,
    elsewhere:
      'To trust nobody here, export the log and check it elsewhere: the script needs the export and the public ' +
      'key, and nothing else:',
    kinds: {
      gap: 'An event is missing',
      hash_mismatch: 'The event is not what was hashed',
      link_broken: 'The event does not continue the one before',
      root_mismatch: 'The root of the tree is not the recorded one',
      checkpoint_mismatch: 'A signed checkpoint says something else',
    } satisfies Kinds,
  },
  pt: {
    title: 'Verificar a trilha',
    lead: 'Percorre cada elo, calcula cada hash de novo e compara com cada ponto de verificação assinado.',
    action: 'Verificar agora',
    kept: 'Um ponto de verificação que você guardou',
    keptHint: 'O arquivo que você baixou, em JSON. Sem ele, a trilha só é comparada com os próprios pontos.',
    unreadable: 'O ponto de verificação não é JSON. Cole o arquivo inteiro que você guardou.',
    holds: 'A trilha se sustenta.',
    broken: 'A trilha não se sustenta.',
    checked: (events: string, checkpoints: string, ms: string) =>
      `Verificados ${events} eventos e ${checkpoints} pontos, em ${ms} ms.`,
    at: (what: string, sequence: string) => `${what}, no evento ${sequence}.`,
    elsewhere:
      'Para não confiar em ninguém aqui, exporte a trilha e verifique em outro lugar: o script precisa da ' +
      'exportação e da chave pública, e de mais nada:',
    kinds: {
      gap: 'Falta um evento',
      hash_mismatch: 'O evento não é o que foi resumido no hash',
      link_broken: 'O evento não continua o anterior',
      root_mismatch: 'A raiz da árvore não é a registrada',
      checkpoint_mismatch: 'Um ponto de verificação assinado diz outra coisa',
    } satisfies Kinds,
  },
});

type Kinds = Readonly<Record<string, string>>;

/** Makes the service verify the whole log. */
export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const queries = useQueryClient();
  const [verification, setVerification] = useState<Schemas['AuditVerification'] | null>(null);
  const form = useForm({
    initial: { trustedCheckpoint: '' },
    submit: async ({ trustedCheckpoint }) => {
      setVerification(null);
      setVerification(await answerOf(client.POST('/v1/audit/verify', { body: requestOf(trustedCheckpoint.trim()) })));
      // The verification is an event itself, and may have created a checkpoint.
      void queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/audit/events').queryKey });
    },
    handle: (error) => (error instanceof SyntaxError ? { trustedCheckpoint: [t.unreadable] } : null),
  });
  return (
    <Dialog title={t.title} wide onClose={onClose}>
      <p className="muted">{t.lead}</p>
      <Form form={form} action={t.action}>
        <TextArea field={form.field('trustedCheckpoint')} label={t.kept} hint={t.keptHint} optional />
      </Form>
      <div aria-live="polite">{verification !== null && <Verdict verification={verification} />}</div>
      <p className="hint">
        {t.elsewhere} <code>scripts/verify-audit.mjs</code>
      </p>
    </Dialog>
  );
}

/** Sends only the members that identify a checkpoint. The contract checks their form. */
function requestOf(checkpoint: string): Schemas['AuditVerifyRequest'] {
  if (checkpoint === '') return {};
  const { treeSize, rootHash } = JSON.parse(checkpoint);
  return { trustedCheckpoint: { treeSize, rootHash } };
}

function Verdict({
  verification: { valid, checked, checkpointsChecked, firstFailure, durationMs },
}: {
  readonly verification: Schemas['AuditVerification'];
}) {
  const t = useWords(words);
  const { number } = useFormat();
  const kinds: Kinds = t.kinds;
  const amount = t.checked(number(checked), number(checkpointsChecked), number(durationMs));
  if (valid)
    return (
      <Notice tone="good">
        <strong>{t.holds}</strong> {amount}
      </Notice>
    );
  return (
    <Notice tone="error">
      <strong>{t.broken}</strong>{' '}
      {firstFailure !== null && (
        <>
          {t.at(kinds[firstFailure.kind] ?? firstFailure.detail, number(firstFailure.sequence))}{' '}
          <code>{firstFailure.kind}</code>{' '}
        </>
      )}
      {amount}
    </Notice>
  );
}
