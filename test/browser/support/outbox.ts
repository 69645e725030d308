/**
 * Finds the link of a mail on the page of the demo. Used by helpers and tests that need a mailed link; fails after ten
 * seconds.
 */
import { baseUrl } from './service.ts';

/** Returns the link of the newest mail to an address, as the page of the demo shows it. */
export async function linkTo(address: string, path: '/invitation' | '/reset'): Promise<string> {
  for (
    const deadline = Date.now() + 10_000;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 100))
  ) {
    const page = await (await fetch(`${baseUrl}/outbox`)).text();
    const letter = page
      .split('<article')
      .find((text) => text.includes(`>${address}<`) && text.includes(`${path}#token=`));
    const link = letter === undefined ? null : /href="[^"]*?(\/[a-z]+#token=[^"]+)"/.exec(letter);
    if (link?.[1] !== undefined) return link[1];
  }
  throw new Error(`there is no mail with a link to ${path} for ${address}`);
}
