/**
 * Registry of all connections, which closes the least useful one when there are too many or they hold too much memory.
 * Created by server/start.ts and attached to the HTTP server. No client may keep others out, however many connections
 * it opens.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import { BoundedMap } from '../base/bounded-map.ts';
import { clientIpOf, siteOf } from '../identity/client-address.ts';
import { Connection, type ConnectionOwner, type ConnectionSchedule } from './connection.ts';

interface ConnectionLimits {
  readonly connections: number;
  /** Time in which a peer must make the minimum progress. */
  readonly windowMilliseconds: number;
}

/** Minimum number of bytes that a peer must send of a body, or read of a response, in each window. */
const MIN_PROGRESS_BYTES = { body: 5 * 1024, answer: 16 * 1024, rest: 5 * 1024 };
/** Maximum total memory for responses that peers do not read and requests that they pipeline. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** Time in each turn of the event loop for starting pipelined requests. */
const STARTING_MILLISECONDS = 2;
/** Pause between two reads of connections from deprioritised addresses. */
const READING_PAUSE_MILLISECONDS = 10;
/** Statuses of refusals that cost a client nothing to provoke. */
const REFUSALS: ReadonlySet<number> = new Set([401, 429]);

type CloseReason = 'slow_body' | 'unread_answer' | 'too_many' | 'too_much_held';

/**
 * Registry of all open connections. If there are too many, or they use too much memory, the registry closes one: of the
 * address with the most connections, the one that has made no progress for the longest time. So no client can keep
 * others out by holding connections open, and no limit per address is needed, which would have to guess how many
 * clients share one.
 */
export class ConnectionRegistry {
  readonly #limits: ConnectionLimits;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Connection>();
  /** Connections of each address, in the order of their last progress. */
  readonly #sites = new Map<string, Set<Connection>>();
  readonly #heldByConnection = new Map<Connection, number>();
  #heldBytes = 0;
  /**
   * Connections with a pipelined request to start, and connections that wait to be read, both in the order of the
   * schedule.
   */
  #starting: Connection[] = [];
  readonly #reading = new Set<Connection>();
  #readingTimer: NodeJS.Timeout | null = null;
  /**
   * Deprioritised addresses: the last response refused a credential or a quota, or the connection was closed for the
   * requests that it pipelined.
   */
  readonly #refusedSites = new BoundedMap<string, true>(10_000);
  readonly #schedule: ConnectionSchedule = {
    awaitStart: (connection) => {
      if (this.#starting.push(connection) === 1) setImmediate(this.#startSentAhead);
    },
    awaitReading: (connection) => {
      this.#reading.add(connection);
      this.#readingTimer ??= setTimeout(this.#readNext, READING_PAUSE_MILLISECONDS).unref();
    },
    answered: ({ site }, status) => {
      if (REFUSALS.has(status)) this.#refusedSites.set(site, true);
      else if (status < 400) this.#refusedSites.delete(site);
      return this.#refusedSites.get(site) === true;
    },
  };
  readonly #closed: Counter<'reason'>;

  constructor(limits: ConnectionLimits, registry: Registry) {
    this.#limits = limits;
    const registers = [registry];
    const [open, held] = [this.#open, () => this.#heldBytes];
    this.#closed = new Counter({
      name: 'http_connections_closed_total',
      help: 'Connections closed because of what their peers did or did not do.',
      labelNames: ['reason'],
      registers,
    });
    new Gauge({
      name: 'http_connections',
      help: 'Open connections.',
      registers,
      collect() {
        this.set(open.size);
      },
    });
    new Gauge({
      name: 'http_held_bytes',
      help: 'Bytes of answers that peers have not taken yet, and of requests sent ahead.',
      registers,
      collect() {
        this.set(held());
      },
    });
  }

  /** Passes the requests of a server to a handler, one after another for each connection. */
  attach(server: Server, handle: RequestListener): void {
    const enqueue = (request: IncomingMessage, response: ServerResponse): void =>
      this.of(request.socket).enqueue(request, response);
    const owner: ConnectionOwner = { handle, onChange: (changed) => this.#changed(changed), schedule: this.#schedule };
    server.on('connection', (socket: Socket) => {
      abortCheaply(socket);
      this.#register(socket, owner);
    });
    server.on('request', enqueue);
    // A request with an expectation is handled like any other; by itself, Node would answer 100 or 417 (RFC 9110
    // §10.1.1).
    server.on('checkContinue', enqueue);
    server.on('checkExpectation', enqueue);
    const timer = setInterval(
      () => this.#closeSlow(server),
      Math.max(50, this.#limits.windowMilliseconds / 10),
    ).unref();
    server.on('close', () => clearInterval(timer));
  }

  of(socket: Socket): Connection {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined)
      throw new Error('the connection is not registered: attach() must be called on its server');
    return connection;
  }

  /** Counts the connection for another address, because a proxy uses one connection for requests of several clients. */
  reassign(connection: Connection, site: string): void {
    if (connection.site === site || !this.#open.has(connection)) return;
    this.#removeFromSite(connection);
    connection.site = site;
    this.#markProgress(connection);
  }

  #register(socket: Socket, owner: ConnectionOwner): void {
    if (this.#open.size >= this.#limits.connections && !this.#closeIdlest()) {
      this.#closed.inc({ reason: 'too_many' });
      socket.destroy();
    }
    const connection = new Connection(socket, siteOf(clientIpOf(socket.remoteAddress, undefined, 0)), owner);
    this.#bySocket.set(socket, connection);
    this.#open.add(connection);
    this.#markProgress(connection);
    socket.once('close', () => this.#forget(connection));
    if (this.#refusedSites.get(connection.site) === true) connection.awaitReading();
  }

  /**
   * Starts pipelined requests during a part of each turn of the event loop. In between, new connections are accepted,
   * one in each turn, and all others are read. Otherwise all pipelined requests of a crowd, which are refused at once,
   * would be answered before any other client is served.
   */
  readonly #startSentAhead = (): void => {
    const end = performance.now() + STARTING_MILLISECONDS;
    let started = 0;
    while (started < this.#starting.length && (started === 0 || performance.now() < end))
      this.#starting[started++]!.startNext();
    this.#starting = this.#starting.slice(started);
    if (this.#starting.length > 0) setImmediate(this.#startSentAhead);
  };

  /**
   * Reads one connection of a deprioritised address. Only one, because one read brings hundreds of requests, which take
   * milliseconds to parse.
   */
  readonly #readNext = (): void => {
    for (const connection of this.#reading) {
      this.#reading.delete(connection);
      if (connection.resumeReading()) break;
    }
    this.#readingTimer =
      this.#reading.size === 0 ? null : setTimeout(this.#readNext, READING_PAUSE_MILLISECONDS).unref();
  };

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#reading.delete(connection);
    this.#removeFromSite(connection);
    this.#updateHeld(connection, 0);
  }

  #removeFromSite(connection: Connection): void {
    const site = this.#sites.get(connection.site);
    site?.delete(connection);
    if (site?.size === 0) this.#sites.delete(connection.site);
  }

  #markProgress(connection: Connection): void {
    const site = this.#sites.get(connection.site) ?? new Set();
    site.delete(connection);
    this.#sites.set(connection.site, site.add(connection));
  }

  #changed(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    this.#markProgress(connection);
    this.#updateHeld(connection, connection.heldBytes);
    while (this.#heldBytes > MAX_HELD_BYTES) this.#closeLargestHolder();
  }

  #updateHeld(connection: Connection, bytes: number): void {
    this.#heldBytes += bytes - (this.#heldByConnection.get(connection) ?? 0);
    if (bytes === 0) this.#heldByConnection.delete(connection);
    else this.#heldByConnection.set(connection, bytes);
  }

  /** Closes a connection that is not handling a request. Returns false if all of them are. */
  #closeIdlest(): boolean {
    let most = new Set<Connection>();
    for (const site of this.#sites.values()) if (site.size > most.size) most = site;
    for (const connection of most) if (!connection.isAtWork) return this.#end(connection, 'too_many');
    for (const connection of this.#open) if (!connection.isAtWork) return this.#end(connection, 'too_many');
    return false;
  }

  #closeLargestHolder(): void {
    const bySite = new Map<string, { bytes: number; readonly oldest: Connection }>();
    for (const [oldest, bytes] of this.#heldByConnection) {
      const site = bySite.get(oldest.site);
      if (site === undefined) bySite.set(oldest.site, { bytes, oldest });
      else site.bytes += bytes;
    }
    const [most] = [...bySite.values()].sort((a, b) => b.bytes - a.bytes);
    if (most !== undefined) this.#end(most.oldest, 'too_much_held');
  }

  #closeSlow(server: Server): void {
    const now = performance.now();
    for (const connection of this.#open) {
      const result = connection.checkProgress(now, this.#limits.windowMilliseconds, MIN_PROGRESS_BYTES);
      if (result === 'progress') this.#markProgress(connection);
      else if (result === 'answer') this.#end(connection, 'unread_answer');
      else if (result === 'rest') this.#end(connection, 'slow_body');
      else if (result === 'body') {
        this.#closed.inc({ reason: 'slow_body' });
        server.emit(
          'clientError',
          Object.assign(new Error('the body takes too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
          connection.socket,
        );
      }
    }
  }

  #end(connection: Connection, reason: CloseReason): true {
    this.#closed.inc({ reason });
    if (reason === 'too_much_held') this.#refusedSites.set(connection.site, true);
    this.#forget(connection);
    // Without a reset, the operating system would keep trying to deliver the unread response for minutes.
    if (reason === 'unread_answer' || reason === 'too_much_held') connection.socket.resetAndDestroy();
    else connection.socket.destroy();
    return true;
  }
}

/**
 * Suppresses stack traces while a connection closes. Node creates an error for each pipelined request of a closed
 * connection; these errors are never read, and their stack traces take two thirds of the time. The first listener runs
 * before Node's own, the second one after it.
 */
function abortCheaply(socket: Socket): void {
  let limit = Error.stackTraceLimit;
  socket.prependOnceListener('close', () => {
    limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = limit;
  });
}
