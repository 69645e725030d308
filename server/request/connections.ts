import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import { clientIpOf, siteOf } from '../identity/client-address.ts';
import { Connection } from './connection.ts';

export interface ConnectionLimits {
  readonly connections: number;
  /** How long a peer may take for the least progress. */
  readonly windowMilliseconds: number;
}

/** What a peer has to send of a body, and to take of an answer, in each window. */
const MIN_PROGRESS_BYTES = { body: 5 * 1024, answer: 16 * 1024, rest: 5 * 1024 };
/** What peers together may make the service keep: answers that they do not read, requests that they send ahead. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

type CloseReason = 'slow_body' | 'unread_answer' | 'too_many' | 'too_much_held';

/**
 * All connections. When there are too many, or they hold too much, one is closed for the newcomer: of the address that has
 * the most, the one that has made no progress for the longest. So nobody can keep others out by staying, however many
 * connections they open, and no limit for each address has to guess how many clients stand behind one.
 */
export class ConnectionRegistry {
  readonly #limits: ConnectionLimits;
  readonly #known = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Connection>();
  /** Of each address, the connection without progress for the longest first. */
  readonly #sites = new Map<string, Set<Connection>>();
  readonly #held = new Map<Connection, number>();
  #heldBytes = 0;
  readonly #closed: Counter<'reason'>;

  constructor(limits: ConnectionLimits, registry: Registry) {
    this.#limits = limits;
    const registers = [registry];
    const [open, held] = [this.#open, () => this.#heldBytes];
    this.#closed = new Counter({ name: 'http_connections_closed_total', help: 'Connections closed because of what their peers did or did not do.', labelNames: ['reason'], registers });
    new Gauge({ name: 'http_connections', help: 'Open connections.', registers, collect() { this.set(open.size); } });
    new Gauge({ name: 'http_held_bytes', help: 'Bytes of answers that peers have not taken yet, and of requests sent ahead.', registers, collect() { this.set(held()); } });
  }

  /** Leads the requests of a server, each in its turn, to a handler. */
  attach(server: Server, handle: RequestListener): void {
    const take = (request: IncomingMessage, response: ServerResponse): void => this.of(request.socket).enqueue(request, response);
    server.on('connection', (socket: Socket) => this.#welcome(socket, handle));
    server.on('request', take);
    // A request with an expectation is answered like every other one; Node would say 100 or 417 by itself (RFC 9110 §10.1.1).
    server.on('checkContinue', take);
    server.on('checkExpectation', take);
    const timer = setInterval(() => this.#closeLate(server), Math.max(50, this.#limits.windowMilliseconds / 10)).unref();
    server.on('close', () => clearInterval(timer));
  }

  of(socket: Socket): Connection {
    const connection = this.#known.get(socket);
    if (connection === undefined) throw new Error('the connection was not opened here');
    return connection;
  }

  /** The connection counts for this client from now on: a proxy uses one connection for several clients, one after the other. */
  reassign(connection: Connection, site: string): void {
    if (connection.site === site || !this.#open.has(connection)) return;
    this.#leave(connection);
    connection.site = site;
    this.#touch(connection);
  }

  #welcome(socket: Socket, handle: RequestListener): void {
    if (this.#open.size >= this.#limits.connections && !this.#makeRoom()) {
      this.#closed.inc({ reason: 'too_many' });
      socket.destroy();
    }
    const connection = new Connection(socket, siteOf(clientIpOf(socket.remoteAddress, undefined, 0)), handle, (changed) => this.#changed(changed));
    this.#known.set(socket, connection);
    this.#open.add(connection);
    this.#touch(connection);
    socket.once('close', () => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#leave(connection);
    this.#hold(connection, 0);
  }

  #leave(connection: Connection): void {
    const site = this.#sites.get(connection.site);
    site?.delete(connection);
    if (site?.size === 0) this.#sites.delete(connection.site);
  }

  #touch(connection: Connection): void {
    const site = this.#sites.get(connection.site) ?? new Set();
    site.delete(connection);
    this.#sites.set(connection.site, site.add(connection));
  }

  #changed(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    this.#touch(connection);
    this.#hold(connection, connection.heldBytes);
    while (this.#heldBytes > MAX_HELD_BYTES) this.#releaseMost();
  }

  #hold(connection: Connection, bytes: number): void {
    this.#heldBytes += bytes - (this.#held.get(connection) ?? 0);
    if (bytes === 0) this.#held.delete(connection);
    else this.#held.set(connection, bytes);
  }

  /** False when every connection is at work. */
  #makeRoom(): boolean {
    let most = new Set<Connection>();
    for (const site of this.#sites.values()) if (site.size > most.size) most = site;
    for (const connection of most) if (!connection.isAtWork) return this.#end(connection, 'too_many');
    for (const connection of this.#open) if (!connection.isAtWork) return this.#end(connection, 'too_many');
    return false;
  }

  #releaseMost(): void {
    const bySite = new Map<string, { bytes: number; readonly oldest: Connection }>();
    for (const [oldest, bytes] of this.#held) {
      const site = bySite.get(oldest.site);
      if (site === undefined) bySite.set(oldest.site, { bytes, oldest });
      else site.bytes += bytes;
    }
    const [most] = [...bySite.values()].sort((a, b) => b.bytes - a.bytes);
    if (most !== undefined) this.#end(most.oldest, 'too_much_held');
  }

  #closeLate(server: Server): void {
    const now = performance.now();
    for (const connection of this.#open) {
      const late = connection.checkProgress(now, this.#limits.windowMilliseconds, MIN_PROGRESS_BYTES);
      if (late === 'progress') this.#touch(connection);
      else if (late === 'answer') this.#end(connection, 'unread_answer');
      else if (late === 'rest') this.#end(connection, 'slow_body');
      else if (late === 'body') {
        this.#closed.inc({ reason: 'slow_body' });
        server.emit('clientError', Object.assign(new Error('the body takes too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), connection.socket);
      }
    }
  }

  #end(connection: Connection, reason: CloseReason): true {
    this.#closed.inc({ reason });
    this.#forget(connection);
    // The system would go on offering an unread answer for minutes, if it was not a reset.
    if (reason === 'unread_answer' || reason === 'too_much_held') connection.socket.resetAndDestroy();
    else connection.socket.destroy();
    return true;
  }
}
