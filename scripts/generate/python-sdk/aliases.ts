/** Methods of the Python SDK under their former names. Used by resources.ts. They warn and call the present method. */
import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';
import { pascalCase, pythonName, resourcePath, snakeCase } from '../naming.ts';
import { argumentsOf } from './arguments.ts';
import { signatureOf } from './methods.ts';
import type { Naming } from './types.ts';
import { docstring, str } from './text.ts';

/** Returns methods under their former names (`x-sdk.aliases`), which warn and call the method. */
export function aliasMethods({ aliases, formerly }: ResourceNode, model: ApiModel, naming: Naming): string[] {
  return [
    ...aliases.map(({ name, operation }) => aliasMethod(pythonName(name.method), operation, model, naming)),
    // A resource with the former name of a method is callable.
    ...(formerly === null ? [] : [aliasMethod('__call__', formerly, model, naming)]),
  ];
}

/** Returns the former names in the resource, with their Python replacements. */
export function aliasNames({ aliases, children }: ResourceNode): readonly (readonly [name: string, source: string])[] {
  return [
    ...aliases.map(({ name }) => pythonName(name.method)).map((name) => [name, name] as const),
    ...children
      .filter(({ formerly }) => formerly !== null)
      .map(({ python }) => [python, `${python}.__call__`] as const),
  ];
}

function aliasMethod(name: string, operation: OperationModel, model: ApiModel, naming: Naming): string {
  const { resource, method, python } = operation.sdk;
  const home = `Async${resourcePath(resource).map(pascalCase).join('')}`;
  const args = argumentsOf(operation, naming, model.schemas);
  const passed = args.map(({ name: argument, kind }) => (kind === 'path' ? argument : `${argument}=${argument}`));
  return (
    `    @deprecated(${str(`Renamed to client.${python}.`)})\n${signatureOf(operation, model, name)(args)}\n` +
    docstring(`Renamed to \`client.${python}\`.`, '        ') +
    `        from compliance_onboarding._generated.resources.${snakeCase(resource)} import ${home}\n\n` +
    `        return ${operation.pagination === null ? 'await ' : ''}${home}(self._transport).${pythonName(method)}(${[...passed, '**options'].join(', ')})\n`
  );
}
