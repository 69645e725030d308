/**
 * What an application or a company still needs, with a way to provide each. Part of the pages of both. The service
 * decides what is required and met; here it is only shown.
 */
import { useState } from 'react';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { oneOf } from '../../core/search.ts';
import { DOCUMENT_TYPES } from './search.ts';
import { AttestDialog, AttestedBecause } from './attest.tsx';
import { fieldAt } from './form/values.ts';
import { WaiverDetails, WaiveDialog, type Waiving } from './waive.tsx';
import { SubjectLink } from './subject-link.tsx';
import { type Subject, useMayWith } from './subject.ts';
import { nameOf, type Status, useNames } from './words.ts';

type Requirement = Schemas['Requirement'];

const words = inLanguages({
  en: {
    title: 'What is needed',
    all: 'Everything that this level asks for is there.',
    open: (count: number) => (count === 1 ? 'One thing is missing.' : `${count} things are missing.`),
    enter: 'Enter it',
    or: 'Upload one of:',
    upload: 'Upload',
    established: 'for the approval',
    waive: 'Waive',
    revoke: 'Revoke the waiver',
    attest: 'Attest',
    statuses: {
      missing: 'Missing',
      provided: 'Provided',
      verified: 'Verified',
      failed: 'Not met',
      waived: 'Waived',
    },
  },
  pt: {
    title: 'O que é preciso',
    all: 'Tudo o que este nível pede está aqui.',
    open: (count: number) => (count === 1 ? 'Falta uma coisa.' : `Faltam ${count} coisas.`),
    enter: 'Preencher',
    or: 'Envie um destes:',
    upload: 'Enviar',
    established: 'para a aprovação',
    waive: 'Dispensar',
    revoke: 'Revogar a dispensa',
    attest: 'Atestar',
    statuses: {
      missing: 'Falta',
      provided: 'Informado',
      verified: 'Verificado',
      failed: 'Não atendido',
      waived: 'Dispensado',
    },
  },
});

export function isMet({ status }: Requirement): boolean {
  return status !== 'missing' && status !== 'failed';
}

interface Props {
  readonly subject: Subject;
  /** Whether the user may enter data and documents now. If so, each requirement links to its field. */
  readonly editable: boolean;
  readonly uploadable: boolean;
}

/** Requirements that identify the person cannot be waived. */
const IDENTIFICATION: readonly string[] = ['identity_data', 'tax_id_valid', 'comparable_name'];
/** Statuses before a decision, or before the application ends without one. */
const OPEN: readonly Status[] = ['draft', 'submitted', 'in_review', 'needs_information', 'pending_approval'];

/** Adverse findings, which cannot be waived. Open hits must be decided instead. */
const AGAINST: readonly (string | null)[] = [
  'confirmed_match',
  'attested_adverse',
  'verification_failed',
  'hits_open',
  'registry_not_active',
  'party_sanctioned',
];

export function Requirements({ subject, editable, uploadable }: Props) {
  const {
    status,
    personalDataMasked,
    waivers = [],
    attestations = [],
    requirements: { items },
  } = subject;
  const t = useWords(words);
  const may = useMayWith(subject);
  const [waiving, setWaiving] = useState<Waiving | null>(null);
  const [attesting, setAttesting] = useState<string | null>(null);
  const isOpen = !personalDataMasked && OPEN.includes(status);
  const ways = {
    waive: isOpen && may('waive') ? setWaiving : null,
    attest: isOpen && may('attest') ? setAttesting : null,
  };
  const open = items.filter((item) => !isMet(item));
  const inOrder = [...open, ...items.filter(isMet)];
  return (
    <Section title={t.title} id="requirements">
      <p className="muted">{open.length === 0 ? t.all : t.open(open.length)}</p>
      <ul className="requirement-list">
        {inOrder.map((requirement) => (
          <Item
            key={requirement.key}
            {...{
              subject,
              requirement,
              editable,
              uploadable,
              ...ways,
            }}
            waiver={waivers.find(({ requirementKey }) => requirementKey === requirement.key)}
            attestation={lastLookUp(attestations, requirement.key)}
          />
        ))}
      </ul>
      {waiving !== null && <WaiveDialog subject={subject} waiving={waiving} close={() => setWaiving(null)} />}
      {attesting !== null && (
        <AttestDialog subject={subject} requirementKey={attesting} close={() => setAttesting(null)} />
      )}
    </Section>
  );
}

/** Returns the latest look-up, which is the one that counts. */
function lastLookUp(newestFirst: readonly Schemas['Attestation'][], key: string): Schemas['Attestation'] | undefined {
  return newestFirst
    .filter(({ requirementKey }) => requirementKey === key)
    .toSorted((one, other) => other.lookedUpAt.localeCompare(one.lookedUpAt))[0];
}

interface ItemProps extends Props {
  readonly requirement: Requirement;
  readonly waiver: Schemas['Waiver'] | undefined;
  readonly attestation: Schemas['Attestation'] | undefined;
  /** Actions available to the user; null if not permitted. */
  readonly waive: ((waiving: Waiving) => void) | null;
  readonly attest: ((requirementKey: string) => void) | null;
}

function Item({ subject, requirement, editable, uploadable, waiver, attestation, waive, attest }: ItemProps) {
  const t = useWords(words);
  const { requirements, requirementReasons } = useNames();
  const met = isMet(requirement);
  const name = nameOf(requirements, requirement.key);
  const isWaived = requirement.status === 'waived';
  const isWaivable = !met && !IDENTIFICATION.includes(requirement.key) && !AGAINST.includes(requirement.reasonCode);
  const isAttestable = requirement.satisfiedBy.some(({ kind }) => kind === 'attestation');
  const status =
    !met && requirement.reasonCode !== null
      ? nameOf(requirementReasons, requirement.reasonCode)
      : nameOf(t.statuses, requirement.status);
  return (
    <li className={met ? 'requirement met' : 'requirement open'}>
      {met ? <CircleCheck aria-hidden size={19} /> : <CircleAlert aria-hidden size={19} />}
      <div>
        <p>
          <strong>{name}</strong>{' '}
          <span className="muted">
            {[requirement.kind === 'established' ? t.established : '', status]
              .filter(Boolean)
              .map((text) => `· ${text}`)
              .join(' ')}
          </span>
        </p>
        {!met && (
          <Ways
            {...{
              subject,
              requirement,
              editable,
              uploadable,
            }}
          />
        )}
        {isWaived && waiver !== undefined && <WaiverDetails waiver={waiver} />}
        {attestation !== undefined && <AttestedBecause kind={subject.kind} attestation={attestation} />}
      </div>
      <div className="row">
        {attest !== null && isAttestable && (
          <Button look="quiet" small aria-label={`${t.attest}: ${name}`} onClick={() => attest(requirement.key)}>
            {t.attest}
          </Button>
        )}
        {waive !== null && (isWaived || isWaivable) && (
          <Button
            look="quiet"
            small
            aria-label={`${isWaived ? t.revoke : t.waive}: ${name}`}
            onClick={() => waive({ action: isWaived ? 'revoked' : 'granted', requirementKey: requirement.key })}
          >
            {isWaived ? t.revoke : t.waive}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Links to where a requirement can be met: the field, or the upload of a suitable type. */
export function Ways({
  subject,
  requirement: { key, satisfiedBy },
  editable,
  uploadable,
}: Props & {
  readonly requirement: Pick<Requirement, 'key' | 'satisfiedBy'>;
}) {
  const t = useWords(words);
  const { documentTypes, requirements } = useNames();
  const fields = editable
    ? satisfiedBy.flatMap(({ pointer }) => (pointer === undefined ? [] : (fieldAt(pointer) ?? [])))
    : [];
  const types = uploadable ? satisfiedBy.flatMap(({ documentType }) => oneOf(DOCUMENT_TYPES, documentType) ?? []) : [];
  if (fields.length === 0 && types.length === 0) return null;
  return (
    <p className="ways">
      {fields.map((field) => (
        <SubjectLink
          key={field}
          subject={subject}
          search={{ edit: field }}
          label={`${t.enter}: ${nameOf(requirements, key)}`}
        >
          {t.enter}
        </SubjectLink>
      ))}
      {types.length > 1 && <span className="muted">{t.or}</span>}
      {types.map((type) => (
        <SubjectLink
          key={type}
          subject={subject}
          search={{ add: type }}
          label={`${t.upload}: ${nameOf(documentTypes, type)}`}
        >
          {types.length > 1 ? nameOf(documentTypes, type) : t.upload}
        </SubjectLink>
      ))}
    </p>
  );
}
