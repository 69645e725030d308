/**
 * Writes the resources of the Python SDK and the root of their tree. Used by index.ts. Resources are loaded when first
 * used.
 */
import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';
import { pythonName, snakeCase } from '../naming.ts';
import { aliasMethods, aliasNames } from './aliases.ts';
import { methodName, methodSource } from './methods.ts';
import type { ProblemCodes } from '../problem-codes.ts';
import { docstring, header, str } from './text.ts';
import type { Naming } from './types.ts';

/** Returns all resources beneath the root, parents first. */
export function resourceNodes(root: ResourceNode): ResourceNode[] {
  return root.children.flatMap((child) => [child, ...resourceNodes(child)]);
}

export function moduleName(node: ResourceNode): string {
  return snakeCase(node.path);
}

/** The formatter removes unused imports afterwards. */
const IMPORTS = `from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast, overload
from uuid import UUID

from compliance_onboarding._arguments import REQUIRED, takes
from compliance_onboarding._base import UNSET, Unset
from compliance_onboarding._body import binary_body, form_body, json_body, json_value_body, multipart_body
from compliance_onboarding._config import CallOptions, KeyedCallOptions
from compliance_onboarding._download import AsyncDownload
from compliance_onboarding._errors import ComplianceOnboardingError
from compliance_onboarding._feed import AsyncFeed, AsyncOnPage, AsyncOnPoison
from compliance_onboarding._files import FileInput
from compliance_onboarding._follow import AsyncFollow
from compliance_onboarding._generated import models, operations, params
from compliance_onboarding._paginator import AsyncPaginator
from compliance_onboarding._renamed import deprecated
from compliance_onboarding._resource import AsyncResource
from compliance_onboarding._response import async_with_response

if TYPE_CHECKING:
    from typing_extensions import Unpack
`;

export function resourceModule(node: ResourceNode, model: ApiModel, naming: Naming, codes: ProblemCodes): string {
  const name = `Async${node.className}`;
  const path = modulePath(node);
  const answers = node.operations.length > 0 || aliasNames(node).length > 0;
  const withResponse = !answers
    ? ''
    : `    @cached_property\n    def with_response(self) -> ${name}WithResponse:\n` +
      '        """The same methods, answering status and headers too."""\n' +
      `        return ${name}WithResponse(self)\n\n`;
  return (
    `${header()}${renames(node)}"""\`client.${path}\`."""\n\n${IMPORTS}${childImports(node)}\n\n` +
    `class ${name}(AsyncResource):\n${docstring(`\`client.${path}\`.`, '    ')}\n` +
    node.children.map(childProperty).join('') +
    withResponse +
    [
      ...node.operations.map((operation) => methodSource(operation, model, naming, codes)),
      ...node.operations.flatMap(followMethod),
      ...aliasMethods(node, model, naming),
    ].join('\n') +
    (answers ? responseClass(node, name, path) : '')
  );
}

/**
 * Returns the former names in `with_response`; type checkers would report them as deprecated here instead of where they
 * are used.
 */
function renames(node: ResourceNode): string {
  return aliasNames(node).length === 0 ? '' : '# pyright: reportDeprecated=false\n';
}

function responseClass(node: ResourceNode, name: string, path: string): string {
  const named = [...node.operations.map(methodName).map((method) => [method, method] as const), ...aliasNames(node)];
  const methods = named.map(([method, source]) => `        self.${method} = async_with_response(resource.${source})\n`);
  return (
    `\n\nclass ${name}WithResponse:\n${docstring(`\`client.${path}.with_response\`.`, '    ')}\n` +
    `    def __init__(self, resource: ${name}) -> None:\n${methods.join('')}`
  );
}

/** Returns `resources/__init__.py`: the root of the tree, from which the client inherits. */
export function rootModule(root: ResourceNode): string {
  return (
    `${header()}"""The tree of resources."""\n\n` +
    'from __future__ import annotations\n\n' +
    'from functools import cached_property\n' +
    '\n' +
    'from typing import TYPE_CHECKING\n\n' +
    'if TYPE_CHECKING:\n' +
    `${childImports(root)}    from compliance_onboarding._transport import AsyncTransport\n\n` +
    '\n' +
    'class AsyncResources:\n    """The resources of a client."""\n\n' +
    '    def __init__(self, transport: AsyncTransport) -> None:\n        self._transport = transport\n\n' +
    root.children.map(childProperty).join('')
  );
}

function childImports(node: ResourceNode): string {
  return node.children.map((child) => `    ${importOf(child)}`).join('');
}

function importOf(child: ResourceNode): string {
  return `from compliance_onboarding._generated.resources.${moduleName(child)} import Async${child.className}\n`;
}

/**
 * Returns a property that imports a resource when it is first used, because a program uses few resources and starts
 * faster without the others.
 */
function childProperty(child: ResourceNode): string {
  const name = `Async${child.className}`;
  return (
    '    @cached_property\n' +
    `    def ${child.python}(self) -> ${name}:\n` +
    `        """\`client.${modulePath(child)}\`."""\n` +
    `        ${importOf(child)}\n` +
    `        return ${name}(self._transport)\n` +
    '\n'
  );
}

export function modulePath(node: ResourceNode): string {
  return node.path.split('.').map(snakeCase).join('.');
}

/** Keyword arguments of `follow`, with their types and defaults. */
const keywords = (item: string) => ({
  cursor: 'str | None = None',
  limit: 'int | None = None',
  on_page: `AsyncOnPage[${item}] | None = None`,
  on_retry: 'Callable[[ComplianceOnboardingError, float], None] | None = None',
  on_poison: 'AsyncOnPoison | None = None',
  min_interval: 'float = 1.0',
  max_interval: 'float | None = None',
});

/** Returns the row of `api.md`; empty for other operations. */
export function followRow({ follow, pagination, sdk }: OperationModel): string {
  if (follow === null || pagination === null) return '';
  const names = Object.keys(keywords(''))
    .map((name) => `[${name}=]`)
    .join(', ');
  return (
    `| \`follow(${names})\` | \`Follow[${pagination.itemSchema}]\` | Follow \`${pythonName(sdk.method)}\` without ` +
    'end, acknowledging what was processed |\n'
  );
}

/** Returns the method `follow` of a list that the contract marks with `x-follow`; empty for other operations. */
export function followMethod(operation: OperationModel): string[] {
  const { follow, pagination } = operation;
  if (follow === null || pagination === null) return [];
  const item = `models.${pagination.itemSchema}`;
  const parameters = Object.entries(keywords(item)).map(([name, type]) => `${name}: ${type}`);
  const method = methodName(operation);
  return [
    '    @takes(CallOptions)\n' +
      `    def follow(self, *, ${parameters.join(', ')}, **options: Unpack[CallOptions],) -> AsyncFollow[${item}]:\n` +
      docstring(documentation(method, follow.interval), '        ') +
      '        # Repetition is up to the loop, which never gives up and waits as long as it is asked to.\n' +
      '        options["max_retries"] = 0\n' +
      '        return AsyncFollow(\n' +
      '            AsyncFeed(\n' +
      `                read=lambda at: self.with_response.${method}(cursor=at, limit=limit, **options),\n` +
      `                acknowledge=lambda at: self.${pythonName(follow.acknowledge)}(cursor=at, **options),\n` +
      `                interval=${str(follow.interval)},\n            ),\n` +
      `${Object.keys(keywords(''))
        .filter((name) => name !== 'limit')
        .map((name) => `            ${name}=${name},\n`)
        .join('')}        )\n`,
  ];
}

function documentation(method: string, interval: string): string {
  return (
    `Follow \`${method}\` without end.

Reads on when the server asks to (\`${interval}\`, \`Retry-After\`), survives outages, and acknowledges a page ` +
    `only after each
of its events was processed, which is when the next one is asked for. Ends when \`stop\` is called on what is
returned. Raises what waiting cannot heal: a refused credential, a missing scope, a cursor of another consumer.
Events may come again after a crash: drop those whose id you have processed. \`timeout\` and \`deadline\` are those of
one request; \`max_retries\` has no say here.

Args:
    cursor: A cursor that was saved: everything up to it has been processed.
    limit: The largest number of events on a page.
    on_page: Called once every event of a page was processed and before the page is acknowledged: ` +
    `the moment to save its \`cursor\`.
    on_retry: Called when something failed that will be tried again in so many seconds.
    on_poison: Called in place of delivering it with an event that is not as the contract says: as it came, ` +
    `and the reason. Without it,
        the event is delivered as far as it could be read, with \`parse_errors\`.
    min_interval: Seconds that are waited at least at the end of the feed and after a failure.
    max_interval: Seconds that are waited at most at the end of the feed, although the server asks for more.`
  );
}
