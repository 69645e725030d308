/**
 * Lint rules about paths, ids and examples of operations. Used by the list of rules. Code samples are made of these
 * examples.
 */
import { dereference } from '../../contract/contract.ts';
import { isTokenEndpoint, mediaSites, operationSites, parametersOf } from '../../contract/walk.ts';
import { exampleOf } from '../../generate/model-body.ts';
import type { Rule } from '../rule.ts';

/** The OpenAPI version that all tools read in the same way. */
const openapiVersion: Rule = ({ openapi }, report) => {
  if (openapi !== '3.1.1') report(['openapi'], 'Write `openapi: 3.1.1`.');
};

/** A path states its version of the API, except the token endpoint, which is where RFC 6749 clients expect it. */
const pathVersion: Rule = (contract, report) => {
  for (const path of Object.keys(contract.paths)) {
    if (!/^\/(api\/)?v[1-9]\d*\//.test(path) && !isTokenEndpoint(path))
      report(['paths', path], 'Begin the path with its version: `/v1/…` or `/api/v1/…`.');
  }
};

/** `operationId` names types and handlers, so it is camelCase. */
const operationIdCamelCase: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    if (!/^[a-z][a-zA-Z0-9]*$/.test(operation.operationId ?? ''))
      report([...pointer, 'operationId'], 'Write `operationId` in camelCase, verb first.');
  }
};

/** Code samples fill paths and required parameters from examples. */
const parameterExamples: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    for (const parameter of parametersOf(contract, site)) {
      if (exampleOf(contract, parameter) === undefined)
        report(site.pointer, `Parameter \`${parameter.name}\` has no example.`);
      if ((parameter.description ?? '') === '')
        report(site.pointer, `Parameter \`${parameter.name}\` has no description.`);
    }
  }
};

/** Readers and code samples need an example of every body, except of bytes. */
const bodyExamples: Rule = (contract, report) => {
  for (const { media, pointer } of mediaSites(contract)) {
    const binary = media.schema !== undefined && dereference(contract, media.schema).format === 'binary';
    const has = media.example !== undefined || Object.keys(media.examples ?? {}).length > 0;
    if (!binary && !has) report(pointer, 'Give this body an example.');
  }
};

export const operations: Readonly<Record<string, Rule>> = {
  'body-examples': bodyExamples,
  'openapi-version': openapiVersion,
  'operation-id': operationIdCamelCase,
  'parameter-examples': parameterExamples,
  'path-version': pathVersion,
};
