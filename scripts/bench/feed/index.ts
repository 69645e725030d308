import type { LoadGenerator } from '../load/generator.ts';
import { alternate } from '../rounds.ts';
import type { Timed } from '../whole-path/contender.ts';
import type { Laboratory } from '../whole-path/laboratory.ts';
import { measureIngestion, type IngestionFigures } from './ingestion.ts';
import { FeedService, kinds, type Kind } from './reading.ts';
import { storeFeed, type StoreOrder } from './stored.ts';

export interface FeedOrder {
  readonly rounds: number;
  readonly secondsPerTurn: number;
  readonly warmUpSeconds: number;
  /** Recoveries that are taken in per turn. */
  readonly recoveries: number;
  /** Stored events, of a small feed and a large one; the payloads of the largest do not fit on every disk. */
  readonly sizes: { readonly small: number; readonly large: number; readonly largest: number | null };
}

export interface Sized {
  readonly events: number;
  readonly payloads: StoreOrder['payloads'];
  readonly reads: Readonly<Record<Kind, readonly Timed[]>>;
}

export interface FeedFigures {
  readonly ingestion: IngestionFigures;
  /** Of 1,000 consumers on the large feed. */
  readonly consumers: Readonly<Record<Kind, readonly Timed[]>>;
  /** One read after the other: what it costs as the feed grows. Each pair has the same payloads. */
  readonly pairs: readonly { readonly small: Sized; readonly large: Sized }[];
}

export const CONSUMERS = 1000;
const CONNECTIONS = 16;
/** Reads of the two feeds change places more often than others do: the ratio of two single reads is what noise spoils most. */
const TURNS_PER_ROUND = 4;

type Say = (line: string) => void;

export async function measureFeed(laboratory: Laboratory, generator: LoadGenerator, order: FeedOrder, say: Say): Promise<FeedFigures> {
  const ingestion = await measureIngestion(laboratory, order, say);
  const { small, large, largest } = order.sizes;
  const whole = await measurePair(laboratory, generator, { ...order, small, large, payloads: 'whole', readers: CONSUMERS }, say);
  const few = largest === null ? [] : [(await measurePair(laboratory, generator, { ...order, small, large: largest, payloads: 'small', readers: CONSUMERS }, say)).pair];
  return { ingestion, consumers: whole.consumers, pairs: [whole.pair, ...few] };
}

interface PairOrder extends Pick<FeedOrder, 'rounds' | 'secondsPerTurn' | 'warmUpSeconds'>, Omit<StoreOrder, 'events'> {
  readonly small: number;
  readonly large: number;
}

/** Two services, each on a feed of its own, that take turns. */
async function measurePair(laboratory: Laboratory, generator: LoadGenerator, { small, large, payloads, readers, rounds, ...turn }: PairOrder, say: Say) {
  const running: FeedService[] = [];
  const start = async (events: number): Promise<FeedService> => {
    say(`a feed of ${events} stored events …`);
    const service = await FeedService.start(laboratory, await storeFeed(laboratory, { events, readers, payloads }));
    running.push(service);
    await service.check();
    return service;
  };
  try {
    const services = { small: await start(small), large: await start(large) };
    // Each turn moves positions further on; the first is for warming up.
    const parts = (kinds.length * TURNS_PER_ROUND + 1) * (rounds + 1);
    let part = 0;
    const read = (service: FeedService, kind: Kind, connections: number, seconds: number) => () => service.read(generator, kind, { connections, seconds }, { number: part, of: parts });
    const both = (kind: Kind, seconds: number) => ({ small: read(services.small, kind, 1, seconds), large: read(services.large, kind, 1, seconds) });
    const turns = {} as Record<Kind, Record<'small' | 'large', Timed[]>>;
    for (const kind of kinds) {
      await alternate(1, both(kind, turn.warmUpSeconds), () => part++);
      turns[kind] = await alternate(rounds * TURNS_PER_ROUND, both(kind, turn.secondsPerTurn / TURNS_PER_ROUND), (round) => {
        part++;
        if (round % TURNS_PER_ROUND === 1) say(`reads of the feed at ${small} and ${large} events, ${kind}, round ${Math.ceil(round / TURNS_PER_ROUND)} of ${rounds} …`);
      });
    }
    const many = (kind: Kind) => read(services.large, kind, CONNECTIONS, turn.secondsPerTurn);
    const consumers = await alternate(rounds, { onward: many('onward'), lastPage: many('lastPage'), nothingNew: many('nothingNew') }, (round) => {
      part++;
      say(`${readers} consumers of the feed, round ${round} of ${rounds} …`);
    });
    const sized = (of: 'small' | 'large', events: number): Sized =>
      ({ events, payloads, reads: { onward: turns.onward[of], lastPage: turns.lastPage[of], nothingNew: turns.nothingNew[of] } });
    return { consumers, pair: { small: sized('small', small), large: sized('large', large) } };
  } finally {
    await Promise.all(running.map((service) => service.stop()));
  }
}
