/** Uploads, replaces or removes the tenant's own watch list. Used by watch-lists.tsx. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { answerOf, codeOf, done } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { announce } from '../../ui/toasts.tsx';

const words = inLanguages({
  en: {
    about: 'People and companies that you know yourself can stand on a list of your own, which nobody else sees.',
    send: 'Send own list',
    replace: 'Replace own list',
    remove: 'Remove own list',
    file: 'File',
    fileHint:
      'CSV in UTF-8 with the columns key, type, name, aliases, date_of_birth, countries, tax_id, category, ' +
      'remarks; or a ZIP or gzip of it, up to 15 MB, 10,000 entries and 30,000 names.',
    version: 'Version',
    versionHint: 'What it is called; by default its day and checksum.',
    choose: 'Choose a file.',
    sent: (entries: string) => `The own list has ${entries} entries. Everybody who is monitored is screened again.`,
    removeText:
      'Nobody is screened against it any more, and its entries are gone for good. Hits that it has ' +
      'led to keep what they show.',
    removed: 'The own list is removed.',
    messages: { version_exists: 'There was a version of this name already.' },
    tooLarge: 'The file is larger than 15 MB. Send it as ZIP or gzip.',
  },
  pt: {
    about: 'Pessoas e empresas que você mesmo conhece podem constar de uma lista própria, que ninguém mais vê.',
    send: 'Enviar lista própria',
    replace: 'Substituir lista própria',
    remove: 'Remover lista própria',
    file: 'Arquivo',
    fileHint:
      'CSV em UTF-8 com as colunas key, type, name, aliases, date_of_birth, countries, tax_id, category, remarks; ' +
      'ou um ZIP ou gzip dele, até 15 MB, 10.000 registros e 30.000 nomes.',
    version: 'Versão',
    versionHint: 'Como se chama; por padrão o dia e a soma de verificação.',
    choose: 'Escolha um arquivo.',
    sent: (entries: string) =>
      `A lista própria tem ${entries} registros. Todos os monitorados são consultados de novo.`,
    removeText:
      'Ninguém mais é consultado nela, e os registros somem de vez. As ocorrências que ela trouxe continuam ' +
      'mostrando o que mostram.',
    removed: 'A lista própria foi removida.',
    messages: { version_exists: 'Já houve uma versão com este nome.' },
    tooLarge: 'O arquivo passa de 15 MB. Envie-o em ZIP ou gzip.',
  },
});

/** Lets compliance officers manage the tenant's own list. */
export function OwnList({ exists }: { readonly exists: boolean }) {
  const t = useWords(words);
  const may = useMay();
  const [doing, setDoing] = useState<'replace' | 'remove' | null>(null);
  const changed = useListsChanged();
  if (!may('replaceOwnList')) return null;
  const close = () => setDoing(null);
  const remove = async () => {
    await done(client.DELETE('/v1/screenings/lists/own'));
    announce(t.removed);
    await changed();
  };
  return (
    <div className="stack">
      <p className="muted">{t.about}</p>
      <div className="row">
        <Button small onClick={() => setDoing('replace')}>
          {exists ? t.replace : t.send}
        </Button>
        {exists && (
          <Button small look="quiet-danger" onClick={() => setDoing('remove')}>
            {t.remove}
          </Button>
        )}
      </div>
      {doing === 'replace' && <ReplaceDialog title={exists ? t.replace : t.send} onClose={close} />}
      {doing === 'remove' && (
        <ConfirmDialog title={t.remove} action={t.remove} danger run={remove} onClose={close}>
          <p>{t.removeText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface Values {
  readonly file: File | null;
  readonly version: string;
}

function ReplaceDialog({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  const t = useWords(words);
  const format = useFormat();
  const changed = useListsChanged();
  const initial: Values = { file: null, version: '' };
  const form = useForm({
    initial,
    required: { file: t.choose },
    messages: t.messages,
    handle: (error) => (codeOf(error) === 'file_too_large' ? { file: [t.tooLarge] } : null),
    submit: async ({ file, version }) => {
      if (file === null) return;
      const parts = new FormData();
      if (version !== '') parts.append('version', version);
      parts.append('file', file, file.name);
      // The serializer creates the form with the bytes; the types require the members of the contract.
      const { entryCount } = await answerOf(
        client.PUT('/v1/screenings/lists/own', { body: { file }, bodySerializer: () => parts }),
      );
      onClose();
      announce(t.sent(format.number(entryCount ?? 0)));
      await changed();
    },
  });
  return (
    <Dialog title={title} wide onClose={onClose}>
      <Form form={form} action={title} cancel={onClose}>
        <FileField field={form.field('file')} label={t.file} hint={t.fileHint} />
        <TextField
          field={form.field('version')}
          label={t.version}
          hint={t.versionHint}
          optional
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
        />
      </Form>
    </Dialog>
  );
}

function useListsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/screenings/lists').queryKey });
}
