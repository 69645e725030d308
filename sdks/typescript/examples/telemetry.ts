/**
 * A span for each request, and bodies in a log of your own without personal data. `Tracer` is that
 * of `@opentelemetry/api`.
 */
import { ComplianceOnboarding, personalData, type Fetch } from 'compliance-onboarding';

interface Span {
  setAttribute(name: string, value: string | number): unknown;
  recordException(error: Error): unknown;
  end(): unknown;
}
interface Tracer {
  startSpan(name: string, options: { readonly attributes: Readonly<Record<string, string>> }): Span;
}

function traced(tracer: Tracer, send: Fetch = fetch): Fetch {
  return async (url, init) => {
    const span = tracer.startSpan(`HTTP ${init.method}`, {
      attributes: { 'http.request.method': init.method, 'server.address': new URL(url).host },
    });
    try {
      const response = await send(url, init);
      span.setAttribute('http.response.status_code', response.status);
      return response;
    } catch (error) {
      span.recordException(error as Error);
      throw error;
    } finally {
      span.end();
    }
  };
}

/** The body with what the contract marks as personal masked, by the pointers of the operation. */
function redacted(body: unknown, pointers: readonly string[]): unknown {
  const copy: unknown = structuredClone(body);
  const mask = (node: unknown, [name = '', ...rest]: readonly string[]): void => {
    if (typeof node !== 'object' || node === null) return;
    const members = node as Record<string, unknown>;
    for (const key of name === '*' ? Object.keys(members) : [name]) {
      if (rest.length > 0) mask(members[key], rest);
      else if (key in members) members[key] = '***';
    }
  };
  for (const pointer of pointers) mask(copy, pointer.split('/').slice(1));
  return copy;
}

const tracer: Tracer = {
  startSpan: (name, { attributes }) => ({
    setAttribute: (key, value) => console.log(name, attributes['server.address'], key, value),
    recordException: console.error,
    end: () => undefined,
  }),
};
const client = new ComplianceOnboarding({ fetch: traced(tracer) });
const application = await client.applications.create({
  purpose: 'account_opening',
  applicant: { fullName: 'Ana Souza' },
});
console.log(JSON.stringify(redacted(application, personalData['createApplication']?.response ?? [])));
