import { WRITERS, type AuditFigures, type Pair } from './audit/index.ts';
import type { AuthenticationFigures } from './authentication.ts';
import type { Memory } from './footprint/memory.ts';
import type { StartUp } from './footprint/start-up.ts';
import { median, ratioByRound, type Ratio } from './statistics.ts';
import { atLeast, atMost, round, told, type Row, type Section } from './table.ts';
import type { ValidationFigures } from './validation/index.ts';
import type { Timed } from './whole-path/contender.ts';
import type { WholePathFigures } from './whole-path/index.ts';

export function wholePathSections({ GET, POST, chains }: WholePathFigures): Section[] {
  return [
    {
      title: 'GET /v1/applications/{id}: both directions validated, row-level security',
      rows: [
        told('service', speed(GET.ours)), told('bare, in sequence', speed(GET.sequence)), told('bare, pipelined', speed(GET.pipelined)),
        ratio('service / bare in sequence', GET.ours, GET.sequence, 0.9), ratio('service / bare pipelined', GET.ours, GET.pipelined, 0.7),
      ],
    },
    {
      title: 'POST /v1/applications: the same, and an event in the audit chain',
      rows: [
        told('service', speed(POST.ours)), told('service, with Idempotency-Key', speed(POST.withKey)),
        told('bare, in sequence', speed(POST.sequence)), told('bare, pipelined', speed(POST.pipelined)),
        ratio('service / bare in sequence', POST.ours, POST.sequence, 1), ratio('service / bare pipelined', POST.ours, POST.pipelined, 0.85),
        ratio('service with key / bare in sequence', POST.withKey, POST.sequence, 0.7),
        told('service with key / bare pipelined', ratioText(perRound(POST.withKey, POST.pipelined))),
        ratio('service, one tenant / fifty tenants', POST.oneTenant, POST.ours, 0.8),
        atMost('broken audit chains', chains.broken, 0, '', `${chains.broken} in ${chains.events} events`),
      ],
    },
  ];
}

export function auditSection({ oneTenant, withoutKey, manyTenants, chains }: AuditFigures): Section {
  const speeds = (what: string, { audited, unaudited }: Pair): Row[] => [told(`${what}, with audit`, speed(audited)), told(`${what}, without`, speed(unaudited))];
  return {
    title: 'POST /v1/applications with an Idempotency-Key, with and without the audit log',
    rows: [
      ...speeds(`${WRITERS} writers on one tenant`, oneTenant),
      ratio(`${WRITERS} writers on one tenant, with / without`, oneTenant.audited, oneTenant.unaudited, 0.7),
      ...speeds('fifty tenants', manyTenants), ratio('fifty tenants, with / without', manyTenants.audited, manyTenants.unaudited, 0.7),
      told('one tenant and no key, with / without', ratioText(perRound(withoutKey.audited, withoutKey.unaudited))),
      atMost('broken audit chains', chains.broken, 0, '', `${chains.broken} in ${chains.events} events`),
    ],
  };
}

export function validationSection(figures: ValidationFigures, sizes: readonly number[]): Section {
  const of = (who: string, method: string, size: number): number => figures[`${who} ${method} ${size}`] ?? Number.NaN;
  const largest = sizes.at(-1) ?? 0;
  const smallest = sizes[0] ?? 0;
  const rows = ['GET', 'POST'].flatMap((method) => [
    told(`${method}, stock middleware, ${sizes.join(' / ')} operations`, `${sizes.map((size) => round(of('stock', method, size))).join(' / ')} µs`),
    told(`${method}, service, ${sizes.join(' / ')} operations`, `${sizes.map((size) => round(of('ours', method, size))).join(' / ')} µs`),
    atMost(`${method}, service, ${largest} operations`, of('ours', method, largest), method === 'GET' ? 5 : 10, 'µs'),
    atMost(`${method}, service, ${largest} / ${smallest} operations`, of('ours', method, largest) / of('ours', method, smallest), 1.15, ''),
  ]);
  return {
    title: 'Validation in process, request and answer, CPU per exchange',
    rows: [...rows, told('JSON.stringify of the same answer, for scale', `${round(figures['JSON.stringify'] ?? Number.NaN)} µs`)],
  };
}

export function footprintSection(startUps: readonly StartUp[], residentMegabytes: number, memory: Memory, grownTo: number): Section {
  const middle = (of: (one: StartUp) => number): number => median(startUps.map(of));
  return {
    title: 'Start-up and memory',
    rows: [
      told('ready, new data directory', `${round(middle((one) => one.first))} ms`),
      told('ready, existing data directory', `${round(middle((one) => one.again))} ms`),
      atMost(`ready, existing data directory, ${grownTo} operations`, middle((one) => one.grown), 1500, 'ms'),
      told(`slowest first call of an operation, ${grownTo} operations`, `${round(memory.firstHit)} ms (third: ${round(memory.laterHit)} ms)`),
      told('resident after all load', `${round(residentMegabytes)} MB`),
      told(`resident when ready, ${grownTo} operations`, `${round(memory.ready)} MB`),
      atMost(`resident after load, ${grownTo} operations`, memory.warm, 200, 'MB'),
    ],
  };
}

export function authenticationSection({ apiKey, token }: AuthenticationFigures): Section {
  return { title: 'Authentication of a request, warm, CPU', rows: [atMost('API key', apiKey, 10, 'µs'), atMost('access token (JWT)', token, 10, 'µs')] };
}

function speed(turns: readonly Timed[]): string {
  const middle = (of: (turn: Timed) => number): number => median(turns.map(of));
  return `${round(middle((turn) => turn.perSecond))}/s, p99 ${round(middle((turn) => turn.p99Milliseconds))} ms, ${round(middle((turn) => turn.cpuMicroseconds))} µs CPU`;
}

function ratio(what: string, ours: readonly Timed[], theirs: readonly Timed[], goal: number): Row {
  const compared = perRound(ours, theirs);
  return atLeast(what, compared.median, goal, ratioText(compared));
}

function perRound(ours: readonly Timed[], theirs: readonly Timed[]): Ratio {
  return ratioByRound(ours.map((turn) => turn.perSecond), theirs.map((turn) => turn.perSecond));
}

function ratioText({ median: middle, least, most }: Ratio): string {
  return `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}
