/** Tests that our own use of the validators agrees with the stock middleware. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { Problem } from '../../server/contract/problem.ts';
import { isJson } from '../../server/request/handler.ts';
import { type OperationValidator, Validators } from '../../server/request/validate.ts';
import { shown, type Shown } from './examples.ts';
import { answersAround, type Probe, probesOf, Varied } from './probes.ts';
import { runtimeContract } from './runtime-contract.ts';
import { type Stock, stockOf, type Verdict } from './stock.ts';

const validators = new Validators(runtimeContract());

/** Differences that are intended, by operation and probe; the decision record states the reasons. */
const INTENDED: readonly { readonly probe: RegExp; readonly reason: string }[] = [
  {
    probe: /^(\w+ query (cursor|q|actorId|resourceType)|listAuditEvents query resourceId)=%00x$/,
    reason: 'NUL is refused everywhere, because the database cannot store it',
  },
  {
    probe: /^\w+ query action$/,
    reason: 'an asterisk stands in a query as it is (RFC 3986 section 3.4), and browsers send it so',
  },
  { probe: /^\w+ query thresholdPercent=%20$/, reason: 'a space is no number, which the package reads as 0' },
  {
    probe: /^createPower body\/rules\/0\/anchor\/lastWord = 0$/,
    reason: 'the last word does not come before the first, which no keyword of JSON Schema can say',
  },
];

function ours(
  validator: OperationValidator,
  { params, search, headers, mediaType, body }: Probe,
): 'accepted' | 'refused' {
  try {
    const query = validator.query.read(search);
    const declared = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    validator.request(
      {
        params: { ...params },
        query,
        headers: declared,
        body: structuredClone(body),
      },
      mediaType,
    );
  } catch (error) {
    if (error instanceof Problem) return 'refused';
    throw error;
  }
  return 'accepted';
}

function theirs(
  stock: Stock,
  { operation }: Shown,
  { params, search, headers, mediaType, body }: Probe,
): Promise<Verdict> {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const form =
    mediaType === 'application/x-www-form-urlencoded'
      ? new URLSearchParams(body as Record<string, string>).toString()
      : null;
  return stock.ask({
    method: operation.method.toUpperCase(),
    url: `${path}${search === '' ? '' : `?${search}`}`,
    headers: { ...headers, ...(mediaType !== null && { 'Content-Type': mediaType }) },
    body: mediaType === null ? null : (form ?? JSON.stringify(body)),
  });
}

const operations = shown().filter(({ operation }) => !operation.requestTypes.includes('multipart/form-data'));
const documented = (operation: Operation): number =>
  Number(
    Object.entries(operation.responses).find(([, types]) => types.length > 0 && isJson(types[0] ?? ''))?.[0] ?? 204,
  );

const probes = new Map<Operation, readonly Probe[]>();
const varied = { requests: new Varied(), answers: new Varied() };
for (const example of operations) probes.set(example.operation, probesOf(example, varied.requests));

interface Question {
  readonly status: number;
  readonly mediaType: string;
  readonly around: readonly (readonly [string, unknown])[];
}

/**
 * Responses to compare, by operation. The stock middleware lets every 5xx pass unchecked; this service checks those
 * too.
 */
const questions = new Map<Operation, readonly Question[]>();
const seen = new Set<string>();
for (const example of operations) {
  questions.set(
    example.operation,
    example.answers
      .filter(({ status, mediaType, value }) => {
        if (!isJson(mediaType) || status >= 500) return false;
        // The same example of the same kind is the same question.
        const before = seen.size;
        return seen.add(JSON.stringify([mediaType, value])).size > before;
      })
      .map((answer) => ({
        status: answer.status,
        mediaType: answer.mediaType,
        around: answersAround(example, answer, varied.answers),
      })),
  );
}

const stocks = new Map(
  [...Map.groupBy(operations, ({ operation }) => operation.tag)].map(([tag, group]) => [
    tag,
    stockOf(
      group.map(({ operation }) => ({
        path: operation.path,
        method: operation.method,
        statuses: new Set([documented(operation), ...questions.get(operation)!.map(({ status }) => status)]),
      })),
    ),
  ]),
);

describe('the validators driven directly and the stock middleware', () => {
  it.each(operations)('agree on every request similar to those shown for $operation.operationId', async (example) => {
    const { operation, answers } = example;
    const [validator, stock] = [validators.compile(operation), stocks.get(operation.tag)!];
    // A valid response, so that only the verdict on the request counts.
    const { status, value } = answers.find((answer) => answer.status === documented(operation)) ?? {
      status: documented(operation),
      value: undefined,
    };
    stock.answer = { status, body: value };
    const disagreements = await Promise.all(
      probes.get(operation)!.map(async (probe) => {
        const [we, they] = [ours(validator, probe), await theirs(stock, example, probe)];
        const intended = INTENDED.find((each) => each.probe.test(`${operation.operationId} ${probe.name}`));
        return (intended === undefined ? we !== they : we === they) ? [`${probe.name}: ${we} here, ${they} there`] : [];
      }),
    );
    expect(disagreements.flat()).toEqual([]);
  });

  it.each(operations)('agree on every answer similar to those shown for $operation.operationId', async (example) => {
    const { operation } = example;
    const [validator, stock] = [validators.compile(operation), stocks.get(operation.tag)!];
    const [request] = probes.get(operation)!;
    const disagreements: string[] = [];
    for (const { status, mediaType, around } of questions.get(operation)!) {
      for (const [name, body] of around) {
        stock.answer = { status, body };
        const we = validator.response(status, mediaType, body) === null ? 'accepted' : 'refused';
        const they = (await theirs(stock, example, request as Probe)) === 'failed' ? 'refused' : 'accepted';
        if (we !== they) disagreements.push(`${status} ${name}: ${we} here, ${they} there`);
      }
    }
    expect(disagreements).toEqual([]);
  });

  it('differ if this service is more exact on purpose', async () => {
    const example = operations.find(({ operation }) => operation.operationId === 'listApplications') as Shown;
    const [validator, stock] = [validators.compile(example.operation), stocks.get(example.operation.tag)!];
    stock.answer = { status: 200, body: { items: [], cursor: null, hasMore: false } };
    const both = async (search: string) => {
      const probe = {
        name: search,
        params: {},
        search,
        headers: {},
        mediaType: null,
        body: undefined,
      };
      return [ours(validator, probe), await theirs(stock, example, probe)];
    };
    // RFC 3986 §3.4 allows a colon in a query, and every timestamp contains some.
    expect(await both('createdAfter=2026-11-03T12:00:00Z')).toEqual(['accepted', 'refused']);
    expect(await both('limit=0x10')).toEqual(['refused', 'accepted']);
    expect(await both('limit=1e1')).toEqual(['refused', 'accepted']);
  });
});
