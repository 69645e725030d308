/** The powers of a company, with the buttons to confirm and to revoke one. Part of business-page.tsx. */
import { useState } from 'react';
import { api, type Schemas } from '../../core/api.ts';
import { useCurrent, useMay } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import type { Subject } from '../applications/subject.ts';
import { nameOf } from '../applications/words.ts';
import { useBusinessNames } from './business-words.ts';
import { ConfirmPower } from './confirm-power.tsx';
import { EditPower } from './edit-power.tsx';
import { usePartyNames } from './parties.ts';
import { RevokePower } from './revoke-power.tsx';

const words = inLanguages({
  en: {
    title: 'Powers',
    none: 'No powers are recorded.',
    type: 'Document',
    status: 'Status',
    from: 'From',
    until: 'Until',
    clauses: 'Clauses',
    actions: 'Actions',
    confirm: 'Confirm',
    revoke: 'Revoke',
    record: 'Record a power',
    edit: 'Edit',
  },
  pt: {
    title: 'Poderes',
    none: 'Nenhum poder registrado.',
    type: 'Documento',
    status: 'Situação',
    from: 'Desde',
    until: 'Até',
    clauses: 'Cláusulas',
    actions: 'Ações',
    confirm: 'Confirmar',
    revoke: 'Revogar',
    record: 'Registrar um poder',
    edit: 'Editar',
  },
});

const TONES: Readonly<Record<string, Tone>> = { draft: 'warning', active: 'good' };

/** A power with the dialog that is open about it. */
type Opened =
  | { readonly dialog: 'confirm' | 'revoke' | 'edit'; readonly power: Schemas['Power'] }
  | { readonly dialog: 'record'; readonly power: null };

/** Shows the powers of a company, and offers to draft one, to change, confirm or revoke it. */
export function Powers({ subject, editable }: { readonly subject: Subject; readonly editable: boolean }) {
  const t = useWords(words);
  const [open, setOpen] = useState<Opened | null>(null);
  const nameOfParty = usePartyNames(subject.id);
  const path = { businessId: subject.id };
  const query = api.useQuery('get', '/v1/businesses/{businessId}/powers', { params: { path } });
  const { documents = [] } = subject;
  const close = () => setOpen(null);
  const document = documents.find(({ id }) => id === open?.power?.documentId);
  const may = useMay();
  return (
    <Section
      title={t.title}
      id="powers"
      actions={
        editable &&
        may('createPower') && (
          <Button small onClick={() => setOpen({ dialog: 'record', power: null })}>
            {t.record}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t.none}</p>
          ) : (
            <table className="table">
              <caption className="visually-hidden">{t.title}</caption>
              <thead>
                <tr>
                  {[t.type, t.status, t.from, t.until, t.clauses, t.actions].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((power) => (
                  <Row key={power.id} power={power} editable={editable} show={(dialog) => setOpen({ dialog, power })} />
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {open?.dialog === 'confirm' && document !== undefined && (
        <ConfirmPower
          {...{
            power: open.power,
            document,
            subject,
            nameOfParty,
            close,
          }}
        />
      )}
      {(open?.dialog === 'edit' || open?.dialog === 'record') && (
        <EditPower
          subject={subject}
          power={open.power}
          others={(query.data?.items ?? []).filter(({ id }) => id !== open.power?.id)}
          close={close}
        />
      )}
      {open?.dialog === 'revoke' && <RevokePower power={open.power} documents={documents} close={close} />}
    </Section>
  );
}

interface RowProps {
  readonly power: Schemas['Power'];
  readonly editable: boolean;
  readonly show: (dialog: 'confirm' | 'revoke' | 'edit') => void;
}

function Row({ power, editable, show }: RowProps) {
  const t = useWords(words);
  const may = useMay();
  const { user } = useCurrent();
  const { powerTypes, powerStatuses } = useBusinessNames();
  const { type, status, validFrom, validUntil, rules, documentId, createdBy, evidenceDigest } = power;
  const name = nameOf(powerTypes, type);
  // The author of a draft is its maker, and somebody else has to check it.
  const isConfirmable = status === 'draft' && documentId !== null && createdBy.id !== user.id;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={t.status}>
        <Badge tone={TONES[status] ?? 'neutral'}>{nameOf(powerStatuses, status)}</Badge>
      </td>
      <td data-label={t.from}>{validFrom}</td>
      <td data-label={t.until}>{validUntil ?? '–'}</td>
      <td data-label={t.clauses}>{rules.map(({ clause, key }) => clause ?? key).join('; ')}</td>
      <td data-label={t.actions}>
        <div className="row">
          {isConfirmable && evidenceDigest !== undefined && may('confirmPower') && (
            <Button small look="primary" aria-label={`${t.confirm}: ${name}`} onClick={() => show('confirm')}>
              {t.confirm}
            </Button>
          )}
          {editable && status === 'draft' && may('updatePower') && (
            <Button small aria-label={`${t.edit}: ${name}`} onClick={() => show('edit')}>
              {t.edit}
            </Button>
          )}
          {status !== 'revoked' && may('revokePower') && (
            <Button small look="quiet-danger" aria-label={`${t.revoke}: ${name}`} onClick={() => show('revoke')}>
              {t.revoke}
            </Button>
          )}
        </div>
      </td>
    </tr>
  );
}
