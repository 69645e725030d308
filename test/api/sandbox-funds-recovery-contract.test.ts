/** Tests that the contract names the options and scenarios that the simulated directory has. */
import { describe, expect, it } from 'vitest';
import { projectContract } from '../../scripts/contract/project.ts';
import {
  creationRefusals,
  documentForms,
  expiryPolicies,
  faults,
  leastAmount,
  paces,
  refundReasons,
  rejectionReasons,
  scenarioNamed,
  scenarios,
  situations,
} from '../../server/simulators/directory/index.ts';

const {
  components: { schemas = {} },
} = projectContract();

interface Property {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
}

function property(schema: string, name: string): Property {
  const { properties } = schemas[schema] as { readonly properties?: Readonly<Record<string, Property>> };
  const found = properties?.[name];
  if (found === undefined) throw new Error(`${schema} has no ${name}`);
  return found;
}

const sorted = (values: readonly string[] | undefined): string[] => [...(values ?? [])].sort();

describe('the contract and the simulated directory agree', () => {
  it('on the faults, the paces, the policies and the other options', () => {
    expect(sorted(property('DirectoryFault', 'kind').enum)).toEqual(sorted(faults));
    for (const schema of ['ScenarioStart', 'ScenarioRun']) expect(property(schema, 'pace').enum).toEqual(paces);
    expect(property('ScenarioStart', 'onTimeout').enum).toEqual(expiryPolicies);
    expect(schemas['ExpiryPolicy']?.enum).toEqual(expiryPolicies);
    for (const [name, values] of Object.entries({
      situationType: situations,
      refusal: creationRefusals,
      refundReason: refundReasons,
      rejectionReason: rejectionReasons,
      documents: documentForms,
    })) {
      expect(property('ScenarioStart', name).enum).toEqual(values);
    }
  });

  it('on the available roles', () => {
    const offered = sorted([...new Set(scenarios.flatMap(({ roles }) => roles))]);
    for (const roles of [property('ScenarioStart', 'role').enum, schemas['ScenarioRole']?.enum as readonly string[]])
      expect(sorted(roles)).toEqual(offered);
    expect(scenarios.every(({ roles }) => roles.includes(property('ScenarioStart', 'role').default as 'SENT'))).toBe(
      true,
    );
  });

  it('on the smallest amount', () => {
    expect(property('PixAmount', 'amount').minimum).toBe(Number(leastAmount) * 100);
  });

  it('on the rules for a name, a title and a description', () => {
    const [name, title, description] = ['name', 'title', 'description'].map((member) =>
      property('RecoveryScenario', member),
    );
    for (const scenario of scenarios) {
      expect(scenario.name).toMatch(new RegExp(property('ScenarioStart', 'scenario').pattern ?? ''));
      expect(scenario.name.length).toBeLessThanOrEqual(name?.maxLength ?? 0);
      expect(scenario.title.length).toBeLessThanOrEqual(title?.maxLength ?? 0);
      expect(scenario.description.length).toBeLessThanOrEqual(description?.maxLength ?? 0);
    }
  });

  it('on the scenario that the contract shows', () => {
    const { paths } = projectContract();
    const response = paths['/v1/sandbox/funds-recovery/scenarios']?.get?.responses['200'] as unknown as Shown;
    const [shown] = response.content['application/json'].examples.one.value.scenarios;
    const scenario = scenarioNamed(String(shown?.['name']));
    expect(shown).toMatchObject({
      title: scenario?.title,
      description: scenario?.description,
      roles: scenario?.roles,
      onTimeout: scenario?.onTimeout,
    });
    expect(shown?.['expectedEvents']).toEqual(scenario?.expected('SENT').map(({ eventType }) => eventType));
    expect(shown?.['expectedEventsReceived']).toEqual(scenario?.expected('RECEIVED').map(({ eventType }) => eventType));
  });
});

interface Shown {
  readonly content: {
    readonly 'application/json': {
      readonly examples: {
        readonly one: { readonly value: { readonly scenarios: readonly Readonly<Record<string, unknown>>[] } };
      };
    };
  };
}
