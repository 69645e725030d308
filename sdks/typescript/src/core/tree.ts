/**
 * Reads the generated table of operations and hangs their methods on the client. Used by client.ts. Resources are
 * created when first accessed.
 */
import { HEADERS } from '../generated/resources/contract.ts';
import { downloadOf } from './download.ts';
import { Follow, type Feed, type FollowOptions } from './follow.ts';
import { form } from './form.ts';
import { headed, inputOf, operationOf, send, type Operation, type Send } from './operation.ts';
import { listOf } from './pagination.ts';
import type { Transport } from './transport.ts';
import { upload } from './upload.ts';

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** One resource of the table: its operations by method name, and its child resources. */
export interface Resource {
  readonly operations: Map<string, Operation>;
  readonly below: Map<string, Resource>;
}

const VERBS: Readonly<Record<string, string>> = {
  P: 'POST',
  D: 'DELETE',
  A: 'PATCH',
  U: 'PUT',
};

/**
 * Parses the generated table. A line is the path of a resource, which continues the last whole one if it begins with a
 * dot, or an operation of the resource above it: the name of its method, and then what `operationOf` reads, as short as
 * compresses best: a letter in place of the HTTP method, none for GET; the number of segments that the path shares with
 * the one above; and marks without the usual credentials, or with `-` if it takes none. A segment that is named like
 * the resource is written `+`, and one that is named like the method `*`: below `documents`, `upload P4+ kf file` ends
 * in `/documents`. A method with a former name has a line for each name.
 */
export function treeOf(table: string): Resource {
  const root = resource();
  let current = root;
  let above: string[] = [''];
  let top = '';
  let title = '';
  for (const line of table.split('\n')) {
    const [, name, verb, shared, own, rest] = /^(\w+) (\D?)(\d+)(\S*)(.*)/.exec(line) ?? [];
    if (name) {
      const segments = own!.replace(/[+*]/g, (sign) => `/${kebabOf(sign === '+' ? title : name)}`).split('/');
      above = [...above.slice(0, +shared!), ...segments.slice(1)];
      current.operations.set(
        name,
        operationOf(`${VERBS[verb!] ?? 'GET'} ${above.join('/')}${rest!.replace(/^(?! [-A-Z]) ?/, ' BAO')}`),
      );
    } else {
      current = root;
      for (title of (line[0] === '.' ? top + line : (top = line)).split('.')) {
        const { below } = current;
        current = below.get(title) ?? below.set(title, resource()).get(title)!;
      }
    }
  }
  return root;
}

function kebabOf(name: string): string {
  return name.replace(/[A-Z]/g, '-$&').toLowerCase();
}

function resource(): Resource {
  return { operations: new Map(), below: new Map() };
}

/**
 * Adds the methods of a resource and its child resources to `target`. A child is created when it is first accessed, and
 * kept.
 */
export function hang<Target extends object>(
  target: Target,
  transport: Transport,
  { operations, below }: Resource,
): Target {
  for (const [name, operation] of operations) {
    const how = kindOf(operation);
    const methods = target as Methods;
    methods[name] = (...args) => how(transport, operation, inputOf(operation, args));
    const [, acknowledge, interval] = operation.members;
    // The members of a multipart form are its files.
    if (interval === undefined || !operation.marks.includes('q')) continue;
    methods['follow'] = (options) =>
      new Follow(
        {
          list: methods[name] as Feed<unknown>['list'],
          acknowledge: (cursor, request) => methods[acknowledge!]!({ cursor }, request) as PromiseLike<void>,
          interval,
        },
        options as FollowOptions<unknown>,
      );
  }
  for (const [name, child] of below) {
    const define = (descriptor: PropertyDescriptor): unknown =>
      Object.defineProperty(target, name, { configurable: true, enumerable: true, ...descriptor });
    // A resource with the former name of a method is also a function.
    const base = (target as Methods)[name] ?? {};
    define({
      get: () => {
        const value = hang(base, transport, child);
        define({ value });
        return value;
      },
    });
  }
  return target;
}

/** Returns how an operation is sent. A list is one page unless `isPaged` is set. */
export function kindOf(operation: Operation, isPaged = true): Send {
  return headed(HEADERS, contentOf(operation, isPaged));
}

function contentOf({ marks, members }: Operation, isPaged: boolean): Send {
  if (marks.includes('f')) return upload;
  if (marks.includes('u')) return form;
  if (marks.includes('b')) return downloadOf;
  return members.length > 0 && isPaged ? listOf : send;
}
