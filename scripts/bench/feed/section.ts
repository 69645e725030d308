import { median, ratioByRound } from '../statistics.ts';
import { atMost, round, told, type Row, type Section } from '../table.ts';
import type { Timed } from '../whole-path/contender.ts';
import type { Speed } from './deriving.ts';
import { CONSUMERS, type FeedFigures, type Sized } from './index.ts';
import { MANY } from './ingestion.ts';
import { kinds, PAGE, type Kind } from './reading.ts';

const names: Readonly<Record<Kind, string>> = {
  onward: `page of ${PAGE} in the middle, position moved`, lastPage: `last page of ${PAGE}`, nothingNew: 'nothing new',
};

export function feedSections({ ingestion, consumers, pairs }: FeedFigures): Section[] {
  return [
    {
      title: 'Funds-recovery feed: from the directory into it',
      rows: [
        told('over mutual TLS, pages of 200, one tenant', taken(ingestion.oneTenant)), told(`over mutual TLS, pages of 200, ${MANY} tenants`, taken(ingestion.manyTenants)),
        told('deriving, saving and publishing, without a directory', taken(ingestion.publishing)), told('deriving alone', taken(ingestion.deriving)),
        atMost('events lost or doubled', ingestion.missing, 0, ''),
      ],
    },
    {
      title: `Funds-recovery feed: ${CONSUMERS} consumers at once, ${pairs[0]?.large.events} stored events`,
      rows: kinds.map((kind) => told(names[kind], `${round(middle(consumers[kind], (turn) => turn.perSecond))}/s, ${latency(consumers[kind])}, ${round(middle(consumers[kind], (turn) => turn.cpuMicroseconds))} µs CPU`)),
    },
    { title: 'Funds-recovery feed: what a read costs as the feed grows, one after the other', rows: pairs.flatMap(({ small, large }) => kinds.flatMap((kind) => growth(kind, small, large))) },
  ];
}

function growth(kind: Kind, small: Sized, large: Sized): Row[] {
  const named = `${names[kind]}${small.payloads === 'small' ? ', small payloads' : ''}`;
  const { median: grown, least, most } = ratioByRound(large.reads[kind].map((turn) => turn.p50Milliseconds), small.reads[kind].map((turn) => turn.p50Milliseconds));
  return [
    ...[small, large].map((one) => told(`${named}, ${one.events} events`, latency(one.reads[kind]))),
    atMost(`${named}, ${large.events} / ${small.events} events`, grown, 1.15, '', `${grown.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`),
  ];
}

function taken(turns: readonly Speed[]): string {
  return `${round(median(turns.map(({ perSecond }) => perSecond)))} events/s, ${round(median(turns.map(({ cpuMicroseconds }) => cpuMicroseconds)))} µs CPU`;
}

function latency(turns: readonly Timed[]): string {
  return `p50 ${round(middle(turns, (turn) => turn.p50Milliseconds))} ms, p99 ${round(middle(turns, (turn) => turn.p99Milliseconds))} ms`;
}

function middle(turns: readonly Timed[], of: (turn: Timed) => number): number {
  return median(turns.map(of));
}
