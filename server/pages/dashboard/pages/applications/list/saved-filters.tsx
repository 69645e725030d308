/**
 * Filters that a user keeps on this device. Used by applications-page.tsx. A tax number must never be kept, because
 * anybody at the device could read it.
 */
import { Link } from '@tanstack/react-router';
import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { useCurrent } from '../../../core/current.tsx';
import { inLanguages, useWords } from '../../../core/language.ts';
import { read, write } from '../../../core/stored-choice.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { type ApplicationsSearch, applicationsSearch, isFiltered } from './search.ts';

const words = inLanguages({
  en: {
    saved: 'Saved filters',
    save: 'Save these filters',
    name: 'Name',
    enter: 'Enter a name.',
    hint: 'The filters are kept on this machine, for you alone. A tax number is not kept.',
    forget: (name: string) => `Forget ${name}`,
    forgotten: 'The filter is forgotten.',
    kept: 'The filter is saved.',
    action: 'Save',
  },
  pt: {
    saved: 'Filtros salvos',
    save: 'Salvar estes filtros',
    name: 'Nome',
    enter: 'Digite um nome.',
    hint: 'Os filtros ficam nesta máquina, só para você. Um número fiscal não é guardado.',
    forget: (name: string) => `Esquecer ${name}`,
    forgotten: 'O filtro foi esquecido.',
    kept: 'O filtro foi salvo.',
    action: 'Salvar',
  },
});

interface SavedFilter {
  readonly name: string;
  readonly search: ApplicationsSearch;
}

/** Returns the filters that this user saved in this tenant on this device. */
function useSavedFilters() {
  const { tenant, user } = useCurrent();
  const key = `applications.filters.${tenant.id}.${user.id}`;
  const [filters, setFilters] = useState(() => parse(read(key)));
  const store = (next: readonly SavedFilter[]) => {
    setFilters(next);
    write(key, next.length > 0 ? JSON.stringify(next) : null);
  };
  return {
    filters,
    keep: (name: string, { taxId: _personal, ...search }: ApplicationsSearch) =>
      store([...filters.filter((filter) => filter.name !== name), { name, search }]),
    forget: (name: string) => store(filters.filter((filter) => filter.name !== name)),
  };
}

/** Parses stored filters like a URL, because they may be older than this page. */
function parse(stored: string | null): readonly SavedFilter[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(list) ? list.flatMap(savedFilter) : [];
  } catch {
    return [];
  }
}

function savedFilter(value: unknown): readonly SavedFilter[] {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('search' in value)) return [];
  const { name, search } = value;
  return typeof name === 'string' && typeof search === 'object' && search !== null
    ? [{ name, search: applicationsSearch({ ...search }) }]
    : [];
}

export function SavedFilters({ search }: { readonly search: ApplicationsSearch }) {
  const t = useWords(words);
  const { filters, keep, forget } = useSavedFilters();
  const [naming, setNaming] = useState(false);
  const { taxId: _personal, ...keepable } = search;
  const isKept = filters.some((filter) => same(filter.search, search));
  const maySave = isFiltered(keepable) && !isKept;
  if (filters.length === 0 && !maySave) return null;
  return (
    <div className="row saved-filters" role="group" aria-label={t.saved}>
      {filters.map(({ name, search: to }) => (
        <span key={name} className="saved-filter">
          <Link to="/applications" search={to} aria-current={same(to, search) ? 'true' : undefined}>
            <Bookmark aria-hidden size={15} />
            {name}
          </Link>
          <button
            type="button"
            className="icon-button"
            aria-label={t.forget(name)}
            onClick={() => {
              forget(name);
              announce(t.forgotten);
            }}
          >
            <X aria-hidden size={15} />
          </button>
        </span>
      ))}
      {maySave && (
        <Button look="quiet" small onClick={() => setNaming(true)}>
          <Bookmark aria-hidden size={16} />
          {t.save}
        </Button>
      )}
      {naming && <NameDialog close={() => setNaming(false)} keep={(name) => keep(name, search)} />}
    </div>
  );
}

function NameDialog({ close, keep }: { readonly close: () => void; readonly keep: (name: string) => void }) {
  const t = useWords(words);
  const form = useForm({
    initial: { name: '' },
    required: { name: t.enter },
    submit: ({ name }) => {
      keep(name.trim());
      announce(t.kept);
      close();
      return Promise.resolve();
    },
  });
  return (
    <Dialog title={t.save} onClose={close}>
      <p className="muted">{t.hint}</p>
      <Form form={form} action={t.action} cancel={close}>
        <TextField field={form.field('name')} label={t.name} maxLength={60} autoComplete="off" />
      </Form>
    </Dialog>
  );
}

function same(one: ApplicationsSearch, other: ApplicationsSearch): boolean {
  return JSON.stringify(applicationsSearch({ ...one })) === JSON.stringify(applicationsSearch({ ...other }));
}
