import type { OperationModel } from '../model.ts';
import { methodName } from './method.ts';
import { pythonName } from '../naming.ts';
import { docstring, str } from './text.ts';

/** The keywords of `follow`, with their types and defaults. */
const keywords = (item: string) => ({
  cursor: 'str | None = None',
  limit: 'int | None = None',
  on_page: `AsyncOnPage[${item}] | None = None`,
  on_retry: 'Callable[[ComplianceOnboardingError, float], None] | None = None',
  min_interval: 'float = 1.0',
  max_interval: 'float | None = None',
});

/** The row of `api.md`; none for other operations. */
export function followRow({ follow, pagination, sdk }: OperationModel): string {
  if (follow === null || pagination === null) return '';
  const names = Object.keys(keywords('')).map((name) => `[${name}=]`).join(', ');
  return `| \`follow(${names})\` | \`Follow[${pagination.itemSchema}]\` | Follow \`${pythonName(sdk.method)}\` without end, acknowledging what was processed |\n`;
}

/** The method `follow` beside a list that the contract marks with `x-follow`; none beside others. */
export function followMethod(operation: OperationModel): string[] {
  const { follow, pagination } = operation;
  if (follow === null || pagination === null) return [];
  const item = `models.${pagination.itemSchema}`;
  const parameters = Object.entries(keywords(item)).map(([name, type]) => `${name}: ${type}`);
  const method = methodName(operation);
  return [`    def follow(self, *, ${parameters.join(', ')}, **options: Unpack[CallOptions],) -> AsyncFollow[${item}]:\n`
    + docstring(documentation(method, follow.interval), '        ')
    + '        # Repetition is up to the loop, which never gives up and waits as long as it is asked to.\n'
    + '        options["max_retries"] = 0\n'
    + '        return AsyncFollow(\n'
    + '            AsyncFeed(\n'
    + `                read=lambda at: self.with_response.${method}(cursor=at, limit=limit, **options),\n`
    + `                acknowledge=lambda at: self.${pythonName(follow.acknowledge)}(cursor=at, **options),\n`
    + `                interval=${str(follow.interval)},\n            ),\n`
    + `${Object.keys(keywords('')).filter((name) => name !== 'limit').map((name) => `            ${name}=${name},\n`).join('')}        )\n`];
}

function documentation(method: string, interval: string): string {
  return `Follow \`${method}\` without end.

Reads on when the server asks to (\`${interval}\`, \`Retry-After\`), survives outages, and acknowledges a page only after each
of its events was processed, which is when the next one is asked for. Ends when \`stop\` is called on what is
returned. Raises what waiting cannot heal: a refused credential, a missing scope, a cursor of another consumer.
Events may come again after a crash: drop those whose id you have processed. \`timeout\` and \`deadline\` are those of
one request; \`max_retries\` has no say here.

Args:
    cursor: A cursor that was saved: everything up to it has been processed.
    limit: The largest number of events on a page.
    on_page: Called once every event of a page was processed and before the page is acknowledged: the moment to save its \`cursor\`.
    on_retry: Called when something failed that will be tried again in so many seconds.
    min_interval: Seconds that are waited at least at the end of the feed and after a failure.
    max_interval: Seconds that are waited at most at the end of the feed, although the server asks for more.`;
}
