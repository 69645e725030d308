/**
 * The layers of the service and the rules of imports, for dependency-cruiser. Used by layers.test.ts and page.test.ts.
 * A rule that is missing here is not enforced.
 */
import type { IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Layers of the service, from top to bottom: a file may import from its own layer and from the layers below it
 * (docs/house.md).
 */
export const layers = [
  'server/[^/]+\\.ts$',
  'server/demo/',
  'server/pages/',
  'server/modules/',
  'server/simulators/',
  'server/tasks/',
  'server/workflow/',
  'server/rules/',
  'server/screening/',
  'server/risk/',
  'server/ownership/',
  'server/powers/',
  'server/request/',
  'server/identity/',
  'server/audit/',
  'server/providers/',
  'server/database/',
  'server/contract/',
  'server/verification/',
  'server/base/',
] as const;

/**
 * Excludes tests, which may import everything: they are in the folder of the tested code, and prove how the layers work
 * together.
 */
const notTests = { pathNot: ['\\.test\\.ts$', '/testing/', '^server/pages/assets/'] };

function rule(name: string, from: object, to: object): IForbiddenRuleType {
  return {
    name,
    severity: 'error',
    from,
    to,
  } as IForbiddenRuleType;
}

export const rules: readonly IForbiddenRuleType[] = [
  ...layers
    .slice(1)
    .map((layer, index) =>
      rule(
        `${layer} imports nothing from the layers above it`,
        { path: `^${layer}`, ...notTests },
        { path: layers.slice(0, index + 1).map((above) => `^${above}`) },
      ),
    ),
  rule(
    'There are no cycles',
    { path: '^server/', pathNot: '\\.test\\.ts$' },
    { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
  ),
  ...['modules', 'simulators', 'providers'].flatMap((layer) => [
    rule(
      `A folder of server/${layer} is entered by its index, from outside`,
      { path: '^server/', pathNot: [...notTests.pathNot, `^server/${layer}/`] },
      { path: `^server/${layer}/`, pathNot: `^server/${layer}/[^/]+/index\\.ts$` },
    ),
    rule(
      `A folder of server/${layer} is entered by its index, from its neighbours`,
      { path: `^server/${layer}/([^/]+)/`, ...notTests },
      { path: `^server/${layer}/`, pathNot: [`^server/${layer}/$1/`, `^server/${layer}/[^/]+/index\\.ts$`] },
    ),
  ]),
  rule(
    'The core and the components of the dashboard import no page and no shell',
    { path: '^server/pages/dashboard/(core|ui)/' },
    { path: '^server/pages/dashboard/(pages|shell)/' },
  ),
  rule(
    'A page of the dashboard imports no shell',
    { path: '^server/pages/dashboard/pages/' },
    { path: '^server/pages/dashboard/shell/' },
  ),
  rule(
    'Only the request layer knows Express',
    { path: '^server/(?!request/|pages/|app\\.ts|simulators/)', ...notTests },
    { path: 'node_modules/(@types/)?express/' },
  ),
  rule(
    'What the domain rests on knows no HTTP',
    {
      path: '^server/(workflow|rules|screening|risk|verification|ownership|powers|audit|database|contract|base)/',
      ...notTests,
    },
    { path: ['^server/request/', '^(node:)?http$'] },
  ),
];
