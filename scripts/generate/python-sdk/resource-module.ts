import type { ApiModel, ResourceNode } from '../model.ts';
import { snakeCase } from '../naming.ts';
import type { Naming } from './argument-type.ts';
import { followMethod } from './follow-method.ts';
import { methodName, methodSource } from './method.ts';
import type { ProblemCodes } from './problem-codes.ts';
import { docstring, header } from './text.ts';

/** All resources beneath the root, parents first. */
export function resourceNodes(root: ResourceNode): ResourceNode[] {
  return root.children.flatMap((child) => [child, ...resourceNodes(child)]);
}

export function moduleName(node: ResourceNode): string {
  return snakeCase(node.path);
}

/** Unused imports are removed afterwards by the formatter. */
const IMPORTS = `from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from compliance_onboarding._base import UNSET, Unset
from compliance_onboarding._body import form_body, json_body, multipart_body
from compliance_onboarding._config import CallOptions, KeyedCallOptions
from compliance_onboarding._download import AsyncDownload
from compliance_onboarding._errors import ComplianceOnboardingError
from compliance_onboarding._feed import AsyncFeed, AsyncOnPage
from compliance_onboarding._files import FileInput, upload_of
from compliance_onboarding._follow import AsyncFollow
from compliance_onboarding._generated import models, operations, params
from compliance_onboarding._paginator import AsyncPaginator
from compliance_onboarding._resource import AsyncResource
from compliance_onboarding._response import async_with_response

if TYPE_CHECKING:
    from typing_extensions import Unpack
`;

export function resourceModule(node: ResourceNode, model: ApiModel, naming: Naming, codes: ProblemCodes): string {
  const name = `Async${node.className}`;
  const path = modulePath(node);
  const withResponse = node.operations.length === 0 ? '' : `    @cached_property\n    def with_response(self) -> ${name}WithResponse:\n`
    + '        """The same methods, answering status and headers too."""\n'
    + `        return ${name}WithResponse(self)\n\n`;
  return `${header()}"""\`client.${path}\`."""\n\n${IMPORTS}${childImports(node)}\n\n`
    + `class ${name}(AsyncResource):\n${docstring(`\`client.${path}\`.`, '    ')}\n`
    + node.children.map(childProperty).join('')
    + withResponse
    + [...node.operations.map((operation) => methodSource(operation, model, naming, codes)), ...node.operations.flatMap(followMethod)].join('\n')
    + (node.operations.length === 0 ? '' : responseClass(node, name, path));
}

function responseClass(node: ResourceNode, name: string, path: string): string {
  const methods = node.operations.map((operation) => `        self.${methodName(operation)} = async_with_response(resource.${methodName(operation)})\n`);
  return `\n\nclass ${name}WithResponse:\n${docstring(`\`client.${path}.with_response\`.`, '    ')}\n`
    + `    def __init__(self, resource: ${name}) -> None:\n${methods.join('')}`;
}

/** `resources/__init__.py`: the root of the tree, which the client inherits. */
export function rootModule(root: ResourceNode): string {
  return `${header()}"""The tree of resources."""\n\nfrom __future__ import annotations\n\nfrom functools import cached_property\n\n`
    + `from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n${childImports(root)}    from compliance_onboarding._transport import AsyncTransport\n\n\n`
    + 'class AsyncResources:\n    """The resources of a client."""\n\n'
    + '    def __init__(self, transport: AsyncTransport) -> None:\n        self._transport = transport\n\n'
    + root.children.map(childProperty).join('');
}

function childImports(node: ResourceNode): string {
  return node.children.map((child) => `    ${importOf(child)}`).join('');
}

function importOf(child: ResourceNode): string {
  return `from compliance_onboarding._generated.resources.${moduleName(child)} import Async${child.className}\n`;
}

/** A resource is imported when it is first used: a program uses few, and starts faster without the others. */
function childProperty(child: ResourceNode): string {
  const name = `Async${child.className}`;
  return `    @cached_property\n    def ${child.python}(self) -> ${name}:\n        """\`client.${modulePath(child)}\`."""\n        ${importOf(child)}\n        return ${name}(self._transport)\n\n`;
}

function modulePath(node: ResourceNode): string {
  return node.path.split('.').map(snakeCase).join('.');
}
