/**
 * Tests of pairing schemas of two contracts by the direction in which they travel. A wrong direction turns a verdict
 * round.
 */
import { describe, expect, it } from 'vitest';
import { inAnyState } from '../contract/contract.ts';
import type { Contract } from '../contract/contract.ts';
import { directedPairs } from './pairs.ts';

type Draft = { readonly paths?: object; readonly webhooks?: object; readonly components?: object };

function contract(draft: Draft): Contract {
  return inAnyState(draft as Partial<Contract>);
}

function seen(base: Draft, revision: Draft): string[] {
  return directedPairs(contract(base), contract(revision)).map(({ direction, place }) => `${direction} ${place}`);
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('schemas and the direction in which they travel', () => {
  it('are requests in parameters and bodies, responses in answers and their headers', () => {
    const api = {
      paths: {
        '/v1/things': {
          post: {
            parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
            requestBody: json({ type: 'string' }),
            responses: { 201: { ...json({ type: 'string' }), headers: { Location: { schema: { type: 'string' } } } } },
          },
        },
      },
    };
    expect(seen(api, api)).toEqual([
      'request POST /v1/things, dry',
      'request POST /v1/things, body',
      'response POST /v1/things, 201',
      'response POST /v1/things, 201, Location',
    ]);
  });

  it('travel the other way in webhooks', () => {
    const api = {
      webhooks: {
        thingCreated: { post: { requestBody: json({ type: 'string' }), responses: { 200: json({ type: 'string' }) } } },
      },
    };
    expect(seen(api, api)).toEqual([
      'response webhook POST thingCreated, body',
      'request webhook POST thingCreated, 200',
    ]);
  });

  it('are followed through references on either side, and once through a recursion', () => {
    const tree = { type: 'object', properties: { child: ref('Tree') } };
    const named = {
      paths: { '/v1/trees': { post: { requestBody: json(ref('Tree')) } } },
      components: { schemas: { Tree: tree } },
    };
    const inline = {
      paths: { '/v1/trees': { post: { requestBody: json(tree) } } },
      components: { schemas: { Tree: tree } },
    };
    expect(seen(named, inline)).toContain('request POST /v1/trees, body.child');
    expect(seen(named, named).length).toBeLessThan(10);
  });

  it('keep their place if null is written around a reference', () => {
    const api = (schema: object) => ({
      paths: { '/v1/things': { post: { requestBody: json(schema) } } },
      components: { schemas: { Size: { type: 'integer' } } },
    });
    expect(seen(api(ref('Size')), api({ oneOf: [ref('Size'), { type: 'null' }] }))).toEqual([
      'request POST /v1/things, body',
      'request POST /v1/things, body',
      'request Size',
    ]);
  });
});
