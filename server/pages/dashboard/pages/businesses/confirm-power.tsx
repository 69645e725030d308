/**
 * The dialog that confirms a power beside its document. Opened by powers.tsx. Confirming is reading: the file is shown
 * with what the draft says, and whoever wrote the draft is refused.
 */
import { useState } from 'react';
import { client, type Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextArea } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { announce } from '../../ui/toasts.tsx';
import { useBusinessChanged } from '../applications/changed.ts';
import { Preview } from '../applications/documents/document-card.tsx';
import type { Subject } from '../applications/subject.ts';
import { nameOf } from '../applications/words.ts';
import { useBusinessNames } from './business-words.ts';
import { sentenceOf, useSigningNames } from './signing-words.ts';

const words = inLanguages({
  en: {
    title: 'Confirm the power',
    text: 'Read the document, and compare it with the draft. Whoever wrote the draft cannot confirm it.',
    show: 'Show the document',
    hide: 'Hide the document',
    silent: 'The draft says that the document gives no powers.',
    upTo: (limit: string) => `up to ${limit}`,
    page: (number: string) => `page ${number}`,
    signs: 'Who signs',
    acts: 'Acts',
    says: 'The clause says',
    read: 'I have read the document, and it says what the draft says.',
    note: 'Note',
    confirm: 'Confirm',
    done: 'The power is confirmed.',
    missing: 'Read the document first.',
  },
  pt: {
    title: 'Confirmar o poder',
    text: 'Leia o documento e compare-o com o rascunho. Quem escreveu o rascunho não pode confirmá-lo.',
    show: 'Mostrar o documento',
    hide: 'Esconder o documento',
    silent: 'O rascunho diz que o documento não dá poderes.',
    upTo: (limit: string) => `até ${limit}`,
    page: (number: string) => `página ${number}`,
    signs: 'Quem assina',
    acts: 'Atos',
    says: 'A cláusula diz',
    read: 'Li o documento, e ele diz o que o rascunho diz.',
    note: 'Observação',
    confirm: 'Confirmar',
    done: 'O poder foi confirmado.',
    missing: 'Leia antes o documento.',
  },
});

interface Props {
  readonly power: Schemas['Power'];
  readonly document: Schemas['Document'];
  readonly subject: Subject;
  readonly nameOfParty: (key: string) => string;
  readonly close: () => void;
}

export function ConfirmPower({ power, document, subject, nameOfParty, close }: Props) {
  const t = useWords(words);
  const { powerTypes } = useBusinessNames();
  const keyFor = useIdempotencyKey();
  const changed = useBusinessChanged();
  const [shown, setShown] = useState(false);
  const { id, businessId, type, rules, evidenceDigest = '' } = power;
  const form = useForm({
    initial: { read: false, note: '' },
    check: ({ read }) => (read ? [] : [{ pointer: '/read', code: 'not_read', message: t.missing }]),
    submit: async ({ note }) => {
      const body = {
        evidenceDigest,
        sourceDocumentSha256: document.originalSha256,
        ...(note.trim() !== '' && { note: note.trim() }),
      };
      const params = { path: { businessId, powerId: id }, header: { 'Idempotency-Key': keyFor({ id, body }) } };
      await answerOf(client.POST('/v1/businesses/{businessId}/powers/{powerId}/confirm', { params, body }));
      await changed();
      announce(t.done);
      close();
    },
  });
  return (
    <Dialog title={`${t.title}: ${nameOf(powerTypes, type)}`} onClose={close} wide>
      <p className="muted">{t.text}</p>
      {rules.length === 0 && <p>{t.silent}</p>}
      <ul className="document-list">
        {rules.map((rule) => (
          <Clause key={rule.key} rule={rule} nameOfParty={nameOfParty} />
        ))}
      </ul>
      <p>
        <Button small aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? t.hide : t.show}
        </Button>
      </p>
      {shown && <Preview subject={subject} document={document} />}
      <Form form={form} action={t.confirm} cancel={close}>
        <Checkbox field={form.field('read')} label={t.read} />
        <TextArea field={form.field('note')} label={t.note} optional maxLength={2000} />
      </Form>
    </Dialog>
  );
}

function Clause({
  rule: { key, clause, actTypes, maxAmount = null, formula, sourceText, anchor },
  nameOfParty,
}: {
  readonly rule: Schemas['PowerRule'];
  readonly nameOfParty: (key: string) => string;
}) {
  const t = useWords(words);
  const names = useSigningNames();
  const format = useFormat();
  const facts = [
    `${t.acts}: ${actTypes.map((act) => nameOf(names.acts, act)).join(', ')}`,
    maxAmount === null ? '' : t.upTo(format.money(maxAmount.amount, maxAmount.currency)),
    anchor == null ? '' : t.page(format.number(anchor.page)),
  ];
  return (
    <li className="document">
      <p>
        <strong>{clause ?? key}</strong>
      </p>
      <p>
        {t.signs}: {sentenceOf(formula, names, nameOfParty)}
      </p>
      <p className="hint">{facts.filter((fact) => fact !== '').join(' · ')}</p>
      {sourceText != null && (
        <p className="hint">
          {t.says}: “{sourceText}”
        </p>
      )}
    </li>
  );
}
