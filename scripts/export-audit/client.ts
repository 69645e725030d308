import { setTimeout } from 'node:timers/promises';

export interface Event {
  readonly id: string;
  readonly sequence: number;
}

export interface Checkpoint {
  readonly tenantId: string;
  readonly treeSize: number;
}

export interface EventPage {
  readonly items: readonly Event[];
  readonly cursor: string | null;
}

export interface CheckpointPage {
  readonly items: readonly Checkpoint[];
  readonly cursor: string | null;
  readonly publicKeys: readonly object[];
}

export interface Proof {
  readonly checkpoint: Checkpoint;
}

/** The service refused, and asking again would not help. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string | null;
  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

const ATTEMPTS = 8;
/** A log that can be signed is signed by then. */
const ATTEMPTS_TO_SIGN = 3;
const LONGEST_PAUSE_SECONDS = 60;

/** Reads from the API, waiting when it asks for patience and trying again when it cannot be reached. */
export class Client {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, credential: Readonly<Record<string, string>>) {
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#headers = { Accept: 'application/json', ...credential };
  }

  async get<T>(path: string, query: Readonly<Record<string, string | number | null>> = {}): Promise<T> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    const url = `${this.#baseUrl}${path}?${new URLSearchParams(given)}`;
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, { headers: this.#headers }).catch((error: unknown) => error as Error);
      if (!(response instanceof Error) && response.ok) return await response.json() as T;
      const { code = null, detail } = response instanceof Error ? { detail: String(response.cause ?? response.message) } : await problemOf(response);
      const passing = response instanceof Error || [409, 429, 503].includes(response.status);
      if (!passing || attempt === (code === 'not_checkpointed_yet' ? ATTEMPTS_TO_SIGN : ATTEMPTS)) throw new Refused(`GET ${path}: ${[code, detail].filter(Boolean).join(': ')}`, code);
      const asked = response instanceof Error ? Number.NaN : Number(response.headers.get('retry-after') ?? Number.NaN);
      await setTimeout(1000 * Math.min(Number.isNaN(asked) ? 2 ** (attempt - 1) : asked, LONGEST_PAUSE_SECONDS));
    }
  }
}

async function problemOf(response: Response): Promise<{ code?: string; detail?: string }> {
  return await response.json().catch(() => ({ detail: `status ${response.status}` })) as { code?: string; detail?: string };
}
