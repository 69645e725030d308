import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from './problem.ts';
import type { Received } from './received.ts';
import type { Input, OperationValidator } from './validate.ts';

/** What a request gives before its body: the parameters of the contract, in the shape that it declares. */
export function readParameters(validator: OperationValidator, headers: IncomingHttpHeaders, search: string, pathValues: readonly string[]): Input {
  return { params: pathParameters(validator, pathValues), query: validator.query.read(search), headers: headerParameters(validator, headers), body: undefined };
}

/** Adds the body and holds all of it against the contract. */
export function validateInput(validator: OperationValidator, input: Input, { mediaType, body, file }: Received): void {
  const { fileField } = validator;
  // For the validator a file is an empty string; the handler gets the file by itself and the fields without it.
  input.body = file !== undefined && fileField !== null ? { ...(body as object), [fileField]: '' } : body;
  validator.request(input, mediaType);
  if (file !== undefined && fileField !== null) delete (input.body as Record<string, unknown>)[fileField];
}

function pathParameters({ pathParameters }: OperationValidator, values: readonly string[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  pathParameters.forEach((name, index) => {
    const value = values[index] as string;
    try {
      params[name] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch {
      throw new Problem('invalid_parameter', { errors: [{ parameter: name, code: 'encoding', message: 'must be percent-encoded UTF-8' }] });
    }
  });
  return params;
}

/** Only declared headers reach the validator and the handler. */
function headerParameters({ headerParameters }: OperationValidator, sent: IncomingHttpHeaders): Record<string, unknown> {
  const headers: Record<string, unknown> = {};
  for (const name of headerParameters) {
    const value = sent[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
