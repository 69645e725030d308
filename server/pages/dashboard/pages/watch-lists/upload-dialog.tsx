/** The dialog that uploads or confirms a version. Opened by watch-lists-page.tsx. */
import { useState } from 'react';
import { client } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, codeOf, isProblem } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../ui/fields.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { useIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Problems } from '../../ui/problems.tsx';
import { announce } from '../../ui/toasts.tsx';
import { type Format, formatsOf, listWords, type Proposal, useListsChanged, type WatchList } from './list-words.ts';

const words = inLanguages({
  en: {
    title: (list: string) => `Upload a version of ${list}`,
    confirmTitle: (version: string) => `Confirm version ${version}?`,
    lead:
      'The file as it was published. It is read at once, and refused as a whole if it is doubtful; single names ' +
      'that are damaged are left out and told.',
    confirm: (by: string, removed: string, matchChanged: string) =>
      `${by} has proposed a file that lacks ${removed} of the active entries and changes ${matchChanged} in what ` +
      'names are compared with. Get the file from the publisher yourself and send it here: if it is the same, ' +
      'byte by byte, it becomes active.',
    format: 'Format',
    file: 'File',
    fileHint: 'As it is, or as ZIP or gzip; up to 15 MB with all other files.',
    alt: 'Aliases (alt.csv)',
    comments: 'Remarks (sdn_comments.csv)',
    published: 'Published on',
    publishedHint: 'Only where the file does not say so.',
    sha256: 'Checksum (SHA-256)',
    sha256Hint: 'If the publisher gives one.',
    older: 'This older publication shall take the place of the active one',
    force: 'The publisher really changed so much',
    forceHint: ' I have found out why. A second administrator has to send the same file.',
    upload: 'Upload',
    choose: 'Choose a file.',
    reading: (name: string) => `Reading ${name}…`,
    confirmAction: 'Confirm and activate',
    activated: (list: string, changes: string) => `${list} has a new version: ${changes}.`,
    unchanged: (list: string) => `${list} has this version already. It counts as looked at today.`,
    pending_review: (list: string) => `${list}: the file waits for a second administrator.`,
    messages: {
      suspicious_shrink:
        'The file lacks more than 5 % of the active entries, or changes more than 10 %. Find out from the ' +
        'publisher why before you go on.',
      too_many_entries:
        'The file has more entries than an upload may bring. The operator imports it by the command line.',
      too_few_entries: 'The file has far fewer entries than this list ever had: it is a part of it, or another list.',
      missing: 'The list is whole only with this file.',
      published_otherwise: 'The file says another day itself.',
      older_than_active: 'The file is older than the active version.',
      checksum_mismatch: 'The file has another checksum: it was damaged or exchanged on its way.',
      version_exists: 'The list has this version already, and another one since. Go back to it from the command line.',
    },
    otherFile: (by: string) =>
      `This is not the file that ${by} proposed. Nothing was confirmed: get it from the publisher again, or ` +
      'return the proposal first.',
    replaced: (by: string) =>
      `This is not the file that ${by} proposed. Nothing was confirmed: yours waits in its place now, until ` +
      'somebody else sends it too.',
    close: 'Close',
    refusals: {
      file_too_large: 'The files are larger than 15 MB together. Send them as ZIP or gzip.',
      self_approval_forbidden: 'You have proposed this file: somebody else has to send it too.',
    },
  },
  pt: {
    title: (list: string) => `Enviar uma versão de ${list}`,
    confirmTitle: (version: string) => `Confirmar a versão ${version}?`,
    lead:
      'O arquivo como foi publicado. É lido na hora, e recusado por inteiro se for duvidoso; nomes isolados que ' +
      'estejam danificados ficam de fora e são informados.',
    confirm: (by: string, removed: string, matchChanged: string) =>
      `${by} propôs um arquivo em que faltam ${removed} dos registros ativos e ${matchChanged} mudam naquilo com ` +
      'que os nomes são comparados. Obtenha você mesmo o arquivo do editor e envie-o aqui: se for o mesmo, byte a ' +
      'byte, entra em vigor.',
    format: 'Formato',
    file: 'Arquivo',
    fileHint: 'Como é, ou em ZIP ou gzip; até 15 MB com todos os outros arquivos.',
    alt: 'Outros nomes (alt.csv)',
    comments: 'Observações (sdn_comments.csv)',
    published: 'Publicado em',
    publishedHint: 'Só se o arquivo não o diz.',
    sha256: 'Soma de verificação (SHA-256)',
    sha256Hint: 'Se o editor a informa.',
    older: 'Esta publicação mais antiga deve substituir a ativa',
    force: 'O editor mudou mesmo tanto',
    forceHint: ' Descobri por quê. Um segundo administrador precisa enviar o mesmo arquivo.',
    upload: 'Enviar',
    choose: 'Escolha um arquivo.',
    reading: (name: string) => `Lendo ${name}…`,
    confirmAction: 'Confirmar e ativar',
    activated: (list: string, changes: string) => `${list} tem uma nova versão: ${changes}.`,
    unchanged: (list: string) => `${list} já tem esta versão. Conta como conferida hoje.`,
    pending_review: (list: string) => `${list}: o arquivo espera um segundo administrador.`,
    messages: {
      suspicious_shrink:
        'No arquivo faltam mais de 5 % dos registros ativos, ou mudam mais de 10 %. Descubra com o editor por quê ' +
        'antes de continuar.',
      too_many_entries:
        'O arquivo tem mais registros do que um envio pode trazer. O operador o importa pela linha de comando.',
      too_few_entries: 'O arquivo tem muito menos registros do que esta lista já teve: é parte dela, ou outra lista.',
      missing: 'A lista só é completa com este arquivo.',
      published_otherwise: 'O próprio arquivo diz outro dia.',
      older_than_active: 'O arquivo é mais antigo que a versão ativa.',
      checksum_mismatch: 'O arquivo tem outra soma: foi danificado ou trocado no caminho.',
      version_exists: 'A lista já teve esta versão, e outra depois. Volte a ela pela linha de comando.',
    },
    otherFile: (by: string) =>
      `Este não é o arquivo que ${by} propôs. Nada foi confirmado: obtenha-o de novo do editor, ou ` +
      'devolva antes a proposta.',
    replaced: (by: string) =>
      `Este não é o arquivo que ${by} propôs. Nada foi confirmado: o seu espera agora no lugar dele, até que ` +
      'outra pessoa o envie também.',
    close: 'Fechar',
    refusals: {
      file_too_large: 'Os arquivos passam de 15 MB juntos. Envie-os em ZIP ou gzip.',
      self_approval_forbidden: 'Foi você quem propôs este arquivo: outra pessoa precisa enviá-lo também.',
    },
  },
});

interface Values {
  readonly format: Format;
  readonly file: File | null;
  readonly alt: File | null;
  readonly comments: File | null;
  readonly publishedOn: string;
  readonly sha256: string;
  readonly mayBeOlder: boolean;
  readonly force: boolean;
}

/** Uploads a file of a list. `confirmed` is the proposal of another user that this upload confirms. */
export function UploadDialog({
  list,
  confirmed,
  onClose,
}: {
  readonly list: WatchList;
  readonly confirmed: Proposal | null;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const { changed: changes } = useWords(listWords);
  const format = useFormat();
  const changed = useListsChanged();
  const keyFor = useIdempotencyKey();
  const [isDoubtful, setIsDoubtful] = useState(false);
  const [isOlder, setIsOlder] = useState(false);
  const [replaced, setReplaced] = useState<Proposal | null>(null);
  const formats = formatsOf(list);
  const first = formats.find(([name]) => name === confirmed?.format)?.[0] ?? formats[0]?.[0] ?? 'un-xml';
  const initial: Values = {
    format: first,
    file: null,
    alt: null,
    comments: null,
    publishedOn: confirmed?.publishedOn ?? '',
    mayBeOlder: false,
    force: confirmed !== null,
    // For several files the proposal has the checksum of all, and not that of the main one.
    sha256: confirmed === null || confirmed.format === 'ofac-csv' ? '' : confirmed.sha256,
  };
  const form = useForm({
    initial,
    required: { file: t.choose },
    messages: {
      ...t.messages,
      ...(confirmed !== null && { checksum_mismatch: t.otherFile(confirmed.proposedBy.display) }),
    },
    handle: (error) => {
      const code = codeOf(error);
      return code === 'file_too_large' || code === 'self_approval_forbidden' ? { file: [t.refusals[code]] } : null;
    },
    submit: async (values) => {
      const { file } = values;
      if (file === null) return;
      const parts = multipart(values);
      const key = keyFor([
        list.id,
        ...[...parts].map(([name, part]) => [
          name,
          part instanceof File ? [part.name, part.size, part.lastModified] : part,
        ]),
      ]);
      const {
        outcome,
        change,
        replacedProposal = null,
      } = await answerOf(
        client.POST('/v1/admin/screening-lists/{listId}/versions', {
          // The serializer creates the form with the bytes; the types require the members of the contract.
          params: { path: { listId: list.id }, header: { 'Idempotency-Key': key } },
          body: { file, format: values.format },
          bodySerializer: () => parts,
        }),
      ).catch((error: unknown) => {
        if (codeOf(error) === 'suspicious_shrink') setIsDoubtful(true);
        if (isProblem(error) && error.errors?.some(({ code }) => code === 'older_than_active')) setIsOlder(true);
        throw error;
      });
      await changed();
      if (replacedProposal !== null) return setReplaced(replacedProposal);
      onClose();
      announce(
        outcome === 'activated'
          ? t.activated(
              list.title,
              changes(format.number(change.added), format.number(change.changed), format.number(change.removed)),
            )
          : t[outcome](list.title),
      );
    },
  });
  if (replaced !== null) {
    return (
      <Dialog title={t.title(list.title)} onClose={onClose}>
        <Problems error={replaced}>
          <p>{t.replaced(replaced.proposedBy.display)}</p>
        </Problems>
        <div className="buttons">
          <Button onClick={onClose}>{t.close}</Button>
        </div>
      </Dialog>
    );
  }
  const isSeveral = form.values.format === 'ofac-csv';
  return (
    <Dialog title={confirmed === null ? t.title(list.title) : t.confirmTitle(confirmed.version)} wide onClose={onClose}>
      <p className="muted">
        {confirmed === null
          ? t.lead
          : t.confirm(
              confirmed.proposedBy.display,
              format.number(confirmed.change.removed),
              format.number(confirmed.change.matchChanged),
            )}
      </p>
      <Form form={form} action={confirmed === null ? t.upload : t.confirmAction} cancel={onClose} sticky>
        <SelectField field={form.field('format')} label={t.format} options={formats} />
        <FileField field={form.field('file')} label={t.file} hint={t.fileHint} />
        <Checkbox
          field={{ ...form.field('force'), closed: !isDoubtful || confirmed !== null }}
          label={t.force}
          hint={t.forceHint}
        />
        <Checkbox field={{ ...form.field('mayBeOlder'), closed: !isOlder }} label={t.older} />
        <FileField field={{ ...form.field('alt'), closed: !isSeveral }} label={t.alt} hint={t.fileHint} />
        <FileField
          field={{ ...form.field('comments'), closed: !isSeveral }}
          label={t.comments}
          hint={t.fileHint}
          optional
        />
        <TextField field={form.field('publishedOn')} type="date" label={t.published} hint={t.publishedHint} optional />
        <TextField
          field={form.field('sha256')}
          label={t.sha256}
          hint={t.sha256Hint}
          optional
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
        />
        {form.busy && (
          <p className="upload-progress" role="status">
            {t.reading(form.values.file?.name ?? '')}
            <progress aria-label={t.upload} />
          </p>
        )}
      </Form>
    </Dialog>
  );
}

function multipart({ format, file, alt, comments, publishedOn, sha256, mayBeOlder, force }: Values): FormData {
  const parts = new FormData();
  for (const [name, value] of Object.entries({
    format,
    publishedOn,
    sha256: sha256.trim().toLowerCase(),
    mayBeOlder: mayBeOlder ? 'true' : '',
    force: force ? 'true' : '',
  }))
    if (value !== '') parts.append(name, value);
  for (const [name, part] of Object.entries(format === 'ofac-csv' ? { file, alt, comments } : { file }))
    if (part !== null) parts.append(name, part, part.name);
  return parts;
}
