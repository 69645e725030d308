/**
 * Tests of what the contract states about every record: which texts are about persons (`x-pii`) and hidden from readers
 * who see personal data masked (`x-masked`), which members are always there, and that a creation can be repeated.
 */
import { expect, it } from 'vitest';
import { type Contract, resolve, type Schema } from '../../scripts/contract/contract.ts';
import { projectContract } from '../../scripts/contract/project.ts';
import { allOperations } from '../support/contract.ts';

const contract: Contract = projectContract();
const schemas = contract.components.schemas ?? {};

/** Names of the records that are created with a schema of their own, such as `Waiver` by `WaiverCreate`. */
const created = Object.keys(schemas).filter((name) => `${name}Create` in schemas);

/** Texts of several lines that are not about a person, by schema and member. */
const IMPERSONAL: Readonly<Record<string, string>> = {
  'AlgorithmRelease note': 'about a version of the comparison of names',
  'GoLiveRequest note': 'about the tenant',
  'MetadataUpdateValue': 'the integrator must not write personal data there',
  'MetadataValue': 'the integrator must not write personal data there',
  'ReportSettings narrativeTemplate': 'a text with places for what is about the person',
  'ReportSettings submissionTemplate': 'a form with places for what is about the person',
  'ReportSettingsUpdate narrativeTemplate': 'a text with places for what is about the person',
  'ReportSettingsUpdate submissionTemplate': 'a form with places for what is about the person',
  'RiskFactor rationale': 'about a factor of a model',
  'TenantStatusUpdate note': 'about the tenant',
  'WatchListProposalReturn note': 'about a version of a list',
  WorkflowNote: 'about a process; the author is asked to name nobody',
};

/**
 * Returns the members of a schema, or the schema itself if it has none, each under its name with that of the schema.
 */
const textsOf = (name: string, schema: Schema): [string, Schema][] => [
  [name, schema],
  ...Object.entries(schema.properties ?? {}).map(([member, type]): [string, Schema] => [`${name} ${member}`, type]),
];

it('marks every text of several lines as personal, or says why it is not about a person', () => {
  const texts = Object.entries(schemas)
    .flatMap(([name, schema]) => textsOf(name, schema))
    .filter(([, { format }]) => format === 'multi-line');
  expect(texts.length).toBeGreaterThan(15);
  expect(
    texts
      .filter(([, text]) => text['x-pii'] !== true)
      .map(([name]) => name)
      .sort(),
  ).toEqual(Object.keys(IMPERSONAL).sort());
});

/** Records that nobody reads who sees personal data masked, and why. */
const NEVER_MASKED: Readonly<Record<string, string>> = { Report: 'its operations exist for compliance officers alone' };

it('hides in a record every text that is personal when it is created, and marks it there too', () => {
  const pairs = created
    .filter((name) => !(name in NEVER_MASKED))
    .flatMap((name) =>
      Object.entries(schemas[`${name}Create`]!.properties ?? {})
        .filter(([, member]) => resolve<Schema>(contract, member)['x-pii'] === true)
        .map(([member]) => ({ name, member, shown: schemas[name]!.properties?.[member] })),
    )
    .filter(({ shown }) => shown !== undefined);
  expect(pairs.length).toBeGreaterThan(3);
  expect(
    pairs
      .filter(({ shown }) => {
        const text = { ...resolve<Schema>(contract, shown!), ...shown };
        return text['x-pii'] !== true || text['x-masked'] === undefined;
      })
      .map(({ name, member }) => `${name} ${member}`),
  ).toEqual([]);
});

/** Members that some answers leave out, by record. */
const OPTIONAL: Readonly<Record<string, string>> = {
  Application: 'lists leave out what belongs to the application, and masked answers the digest',
  Business: 'lists leave out what belongs to the business, and masked answers the digest',
  CaseResolution: 'masked answers leave out the digest',
  Decision: 'masked answers leave out the digest',
  Power: 'masked answers leave out the digest',
  Report: 'lists leave out texts, parties, documents and the copy of the case',
  RiskAssessment: 'masked answers leave out the digest',
  RiskBacktest: 'lists leave out the movers',
  SigningEvaluation: 'masked answers leave out the digest',
};

it('requires every member of a record, or says why some answers leave one out', () => {
  expect(created.length).toBeGreaterThan(8);
  const incomplete = created.filter((name) => {
    const { properties = {}, required = [], additionalProperties } = schemas[name]!;
    return additionalProperties !== false && Object.keys(properties).some((member) => !required.includes(member));
  });
  expect(incomplete.sort()).toEqual(Object.keys(OPTIONAL).sort());
});

it('accepts no empty text of several lines', () => {
  const empty = Object.entries(schemas)
    .flatMap(([name, schema]) => textsOf(name, schema))
    .filter(([, { format, minLength }]) => format === 'multi-line' && minLength === undefined)
    .map(([name]) => name);
  expect(empty.sort(), 'an empty value of metadata is a value').toEqual(['MetadataUpdateValue', 'MetadataValue']);
});

it('says of every schema with members that it is an object', () => {
  const untyped = Object.entries(schemas).filter(([, { properties, type }]) => properties !== undefined && !type);
  expect(untyped.map(([name]) => name)).toEqual([]);
});

it('lets every creation be repeated with an idempotency key', () => {
  const once = allOperations.filter(
    (operation) => operation.method === 'post' && '201' in operation.responses && !operation.idempotent,
  );
  expect(
    once.map(({ operationId }) => operationId),
    'its token works once',
  ).toEqual(['acceptInvitation']);
});

it('gives every example a value, and words for the menus that offer it', () => {
  const examples = Object.entries(contract.components.examples ?? {});
  expect(examples.length).toBeGreaterThan(100);
  const incomplete = examples.filter(([, { summary = '', value }]) => summary === '' || value === undefined);
  expect(incomplete.map(([name]) => name)).toEqual([]);
});
