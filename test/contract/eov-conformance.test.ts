import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { Problem } from '../../server/contract/problem.ts';
import { type OperationValidator, Validators } from '../../server/request/validate.ts';
import { shown, type Shown } from './examples.ts';
import { answersAround, type Probe, probesOf } from './probes.ts';
import { runtimeContract } from './runtime-contract.ts';
import { startStock, type Stock } from './stock.ts';

const validators = new Validators(runtimeContract());

/** Where this service decides otherwise on purpose; the reason stands in the decision record. */
const INTENDED: readonly { readonly probe: RegExp; readonly reason: string }[] = [
  { probe: /^query (cursor|q|actorId|resourceType|resourceId)=%00x$/, reason: 'NUL is refused everywhere, because the database cannot store it' },
  { probe: /^query action$/, reason: 'an asterisk stands in a query as it is (RFC 3986 section 3.4), and browsers send it so' },
];

function ours(validator: OperationValidator, { params, search, headers, mediaType, body }: Probe): 'accepted' | 'refused' {
  try {
    const query = validator.query.read(search);
    const declared = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    validator.request({ params: { ...params }, query, headers: declared, body: structuredClone(body) }, mediaType);
  } catch (error) {
    if (error instanceof Problem) return 'refused';
    throw error;
  }
  return 'accepted';
}

async function theirs(stock: Stock, { operation }: Shown, { params, search, headers, mediaType, body }: Probe): Promise<'accepted' | 'refused' | 'failed'> {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const form = mediaType === 'application/x-www-form-urlencoded' ? new URLSearchParams(body as Record<string, string>).toString() : null;
  const response = await fetch(`${stock.url}${path}${search === '' ? '' : `?${search}`}`, {
    method: operation.method.toUpperCase(), headers: { ...headers, ...(mediaType !== null && { 'Content-Type': mediaType }) },
    body: mediaType === null ? null : form ?? JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.headers.get('x-verdict') as 'accepted' | 'refused' | 'failed';
}

const operations = shown().filter(({ operation }) => !operation.requestTypes.includes('multipart/form-data'));
const documented = (operation: Operation): number => Number(Object.entries(operation.responses).find(([, types]) => types.length > 0 && types[0]?.endsWith('json'))?.[0] ?? 204);

describe('the validators driven directly and the stock middleware', () => {
  let stock: Stock;
  beforeAll(async () => {
    stock = await startStock();
  });
  afterAll(() => stock.close());

  it.each(operations)('agree on every request around those shown for $operation.operationId', async (example) => {
    const { operation, answers } = example;
    const validator = validators.compile(operation);
    // An answer that passes, so that the verdict on the request is all that shows.
    const { status, value } = answers.find((answer) => answer.status === documented(operation)) ?? { status: documented(operation), value: undefined };
    stock.answer = { status, body: value };
    const disagreements = await Promise.all(probesOf(example).map(async (probe) => {
      const [we, they] = [ours(validator, probe), await theirs(stock, example, probe)];
      const intended = INTENDED.find((each) => each.probe.test(probe.name));
      return (intended === undefined ? we !== they : we === they) ? [`${probe.name}: ${we} here, ${they} there`] : [];
    }));
    expect(disagreements.flat()).toEqual([]);
  }, 60_000);

  const seen = new Set<string>();
  it.each(operations)('agree on every answer around those shown for $operation.operationId', async (example) => {
    const { operation, answers } = example;
    const validator = validators.compile(operation);
    const [request] = probesOf(example);
    const disagreements: string[] = [];
    // The stock middleware lets every 5xx pass unseen; this service checks those too.
    for (const { status, mediaType, value } of answers.filter((answer) => answer.mediaType.endsWith('json') && answer.status < 500)) {
      // The same example of the same kind is the same question.
      const question = JSON.stringify([mediaType, value]);
      if (seen.has(question)) continue;
      seen.add(question);
      for (const [name, body] of answersAround(value)) {
        stock.answer = { status, body };
        const we = validator.response(status, mediaType, body) === null ? 'accepted' : 'refused';
        const they = await theirs(stock, example, request as Probe) === 'failed' ? 'refused' : 'accepted';
        if (we !== they) disagreements.push(`${status} ${name}: ${we} here, ${they} there`);
      }
    }
    expect(disagreements).toEqual([]);
  }, 60_000);

  it('differ where this service is more exact on purpose', async () => {
    const example = operations.find(({ operation }) => operation.operationId === 'listApplications') as Shown;
    const validator = validators.compile(example.operation);
    stock.answer = { status: 200, body: { items: [], cursor: null, hasMore: false } };
    const both = async (search: string) => {
      const probe = { name: search, params: {}, search, headers: {}, mediaType: null, body: undefined };
      return [ours(validator, probe), await theirs(stock, example, probe)];
    };
    // RFC 3986 §3.4 allows a colon in a query, and every timestamp has some.
    expect(await both('createdAfter=2026-11-03T12:00:00Z')).toEqual(['accepted', 'refused']);
    expect(await both('limit=0x10')).toEqual(['refused', 'accepted']);
    expect(await both('limit=1e1')).toEqual(['refused', 'accepted']);
  });
});
