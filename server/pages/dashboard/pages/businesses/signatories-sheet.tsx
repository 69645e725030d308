/**
 * The sheet of those who may sign for a company on a day, to be printed. Opened by signatories.tsx. Printing leaves out
 * everything but the sheet (businesses.css).
 */
import { api } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { useForm } from '../../ui/form.tsx';
import { useFormat } from '../../ui/format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import type { Subject } from '../applications/subject.ts';
import { nameOf, optionsOf } from '../applications/words.ts';
import { SignatoryTable } from './signatory-table.tsx';
import { useSigningNames } from './signing-words.ts';
import './businesses.css';

const words = inLanguages({
  en: {
    title: 'Who may sign',
    day: 'On the day',
    act: 'Act',
    all: 'All acts',
    print: 'Print',
    on: (company: string, day: string) => `${company}, on ${day}`,
  },
  pt: {
    title: 'Quem pode assinar',
    day: 'No dia',
    act: 'Ato',
    all: 'Todos os atos',
    print: 'Imprimir',
    on: (company: string, day: string) => `${company}, em ${day}`,
  },
});

export function SignatoriesSheet({ subject, close }: { readonly subject: Subject; readonly close: () => void }) {
  const { title } = useWords(words);
  return (
    <Dialog title={title} onClose={close} wide>
      <Sheet subject={subject} />
    </Dialog>
  );
}

/** The sheet below the day and the act that it is for. */
function Sheet({ subject }: { readonly subject: Subject }) {
  const t = useWords(words);
  const { acts } = useSigningNames();
  const format = useFormat();
  const form = useForm({ initial: { asOf: '', actType: '' }, submit: () => Promise.resolve() });
  const { asOf, actType } = form.values;
  const query = api.useQuery('get', '/v1/businesses/{businessId}/signatories', {
    params: {
      path: { businessId: subject.id },
      query: { ...(asOf !== '' && { asOf }), ...(actType !== '' && { actType }) },
    },
  });
  const options = optionsOf(acts).filter(([act]) => act !== '*');
  return (
    <>
      <div className="form-grid not-printed">
        <TextField field={form.field('asOf')} type="date" label={t.day} optional />
        <SelectField field={form.field('actType')} label={t.act} options={[['', t.all], ...options]} />
      </div>
      <Loaded query={query}>
        {(sheet) => (
          <div className="printed stack">
            <p>
              {t.on(subject.name, format.day(sheet.asOf))}
              {actType !== '' && ` · ${nameOf(acts, actType)}`}
            </p>
            <SignatoryTable sheet={sheet} />
          </div>
        )}
      </Loaded>
      <div className="buttons not-printed">
        <Button look="primary" onClick={() => window.print()}>
          {t.print}
        </Button>
      </div>
    </>
  );
}
