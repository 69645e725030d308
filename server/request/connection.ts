/**
 * One HTTP connection: feeds the parser in slices and handles one request at a time. Created by connections.ts for each
 * socket. It protects other clients from pipelining and from peers that do not read; errors here affect every request
 * of the service.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodySizeGuard, hasBody } from './body.ts';

/** Estimated memory of a request that has arrived and waits for earlier requests on its connection. */
const PIPELINED_REQUEST_BYTES = 4096;
/** Number of bytes of a refused body that are read and discarded, because the client may still be sending it. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Maximum number of bytes that are passed to the parser at a time, except bytes of a body. A header section of usual
 * length fits.
 */
const SLICE_BYTES = 2048;

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Action that is expected of the peer: sending a body, reading a response (`answer`), or sending the `rest` of a
 * refused body.
 */
type ExpectedPeerAction = 'body' | 'answer' | 'rest';

/** Scheduling that the connections of a server share, so that none of them monopolises the event loop. */
export interface ConnectionSchedule {
  /** Calls `startNext` in a later turn of the event loop. */
  readonly awaitStart: (connection: Connection) => void;
  /** Calls `resumeReading` when the connection is next in the schedule. */
  readonly awaitReading: (connection: Connection) => void;
  /** Notes the status of a response. Returns true if the connection is read only by schedule from now on. */
  readonly answered: (connection: Connection, status: number) => boolean;
}

/** Handlers and schedule that all connections of a server share. */
export interface ConnectionOwner {
  readonly handle: RequestListener;
  /** Called if the connection becomes idle or busy. */
  readonly onChange: (connection: Connection) => void;
  readonly schedule: ConnectionSchedule;
}

/**
 * One connection of HTTP/1.1. Its requests are handled one after another: a client that pipelines them (RFC 9112
 * §9.3.2) receives the responses in that order anyway, and must not use the capacity of several clients.
 */
export class Connection {
  readonly socket: Socket;
  /** Address that the connection is counted for: the peer, or the client behind a proxy once a request has named it. */
  site: string;
  #current: PendingRequest | null = null;
  #waiting: PendingRequest[] = [];
  /** Unparsed slices that have arrived behind a waiting request; null marks the end of the stream. */
  #unparsed: (Buffer | null)[] = [];
  readonly #end: () => void;
  #responseBytes = 0;
  #discarded: IncomingMessage | null = null;
  #isClosing = false;
  /** Whether a pipelined request is scheduled to start. */
  #awaitsStart = false;
  #finalMessage: (() => void) | null = null;
  #progressMark: { readonly action: ExpectedPeerAction; readonly at: number; readonly bytes: number } | null = null;
  readonly #handle: RequestListener;
  readonly #onChange: (connection: Connection) => void;
  readonly #schedule: ConnectionSchedule;

  constructor(socket: Socket, site: string, { handle, onChange, schedule }: ConnectionOwner) {
    this.socket = socket;
    this.site = site;
    this.#handle = handle;
    this.#onChange = onChange;
    this.#schedule = schedule;
    // Node calls this after it has sent a response that ends the connection.
    socket.destroySoon = () => this.#close();
    this.#end = socket.push.bind(socket, null);
    socket.push = (chunk: Buffer | null) => this.#arrived(chunk);
    // If the socket has a `data` listener, Node passes what it reads through the stream instead of directly to the
    // parser.
    socket.on('data', () => {});
    socket.on('resume', () => this.#readOn());
  }

  /**
   * Parses received bytes until a request waits for an earlier one. Node's parser processes everything that it
   * receives, and one read brings hundreds of pipelined requests: parsed at once, they would cost milliseconds and
   * megabytes. Returns false to stop reading.
   */
  #arrived(chunk: Buffer | null): boolean {
    const isBody = this.#current !== null && !this.#current.request.complete;
    if (chunk === null || isBody) this.#unparsed.push(chunk);
    else
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) this.#unparsed.push(chunk.subarray(at, at + SLICE_BYTES));
    return this.#parseOn();
  }

  /**
   * Returns true once everything is parsed. The stream buffers nothing: its listener is the parser, which pauses the
   * socket while a body is not read.
   */
  #parseOn(): boolean {
    const { socket } = this;
    while (this.#unparsed.length > 0 && this.#waiting.length === 0 && !socket.isPaused() && !socket.destroyed) {
      const slice = this.#unparsed.shift()!;
      if (slice === null) this.#end();
      else socket.emit('data', slice);
    }
    return this.#unparsed.length === 0 && !socket.isPaused();
  }

  /** Whether a complete request is being handled. Such a connection is not closed in favour of others. */
  get isAtWork(): boolean {
    return this.#current !== null && this.#current.request.complete && !this.#current.response.headersSent;
  }

  /** Memory that stays in use until the peer reads or sends something. */
  get heldBytes(): number {
    return this.#responseBytes + this.#waiting.length * PIPELINED_REQUEST_BYTES;
  }

  /** Counts the bytes of a response that is held in memory for this connection alone. */
  holdResponse(bytes: number): void {
    this.#responseBytes = bytes;
    this.#onChange(this);
  }

  enqueue(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isClosing || this.socket.destroyed) return;
    if (this.#current === null && !this.#awaitsStart) return this.#start({ request, response });
    this.#waiting.push({ request, response });
    this.#onChange(this);
  }

  /**
   * Sends a message that belongs to no request, such as that the bytes are not HTTP, and closes the connection. The
   * message is sent at once if the current request is the unreadable one, otherwise after the pending responses, and
   * never into a response that has begun.
   */
  sendFinal(send: () => void): void {
    if (this.#isClosing) return;
    if (this.#current === null && this.#waiting.length === 0) this.#isClosing = true;
    else if (this.#current === null || this.#current.request.complete) {
      this.#finalMessage = send;
      return;
    } else if (this.#current.response.headersSent) return void this.socket.destroy();
    this.#isClosing = true;
    send();
  }

  /**
   * Returns the action in which the peer has made too little progress during a window, `progress` if it has made
   * enough, and null while the window is open.
   */
  checkProgress(
    now: number,
    windowMilliseconds: number,
    minimum: Readonly<Record<ExpectedPeerAction, number>>,
  ): ExpectedPeerAction | 'progress' | null {
    const action = this.#expectedAction();
    if (action === null) {
      this.#progressMark = null;
      return null;
    }
    // Written bytes that are still in Node's buffer have not been read by the peer.
    const bytes = action === 'answer' ? this.socket.bytesWritten - this.socket.writableLength : this.socket.bytesRead;
    if (this.#progressMark?.action !== action) this.#progressMark = { action, at: now, bytes };
    if (now - this.#progressMark.at < windowMilliseconds) return null;
    if (bytes - this.#progressMark.bytes < minimum[action]) return action;
    this.#progressMark = { action, at: now, bytes };
    return 'progress';
  }

  #expectedAction(): ExpectedPeerAction | null {
    if (this.#current !== null && this.#current.response.headersSent)
      return this.#current.response.writableLength > 0 ? 'answer' : null;
    if (this.#discarded !== null) return this.#discarded.complete ? null : 'rest';
    const request = this.#current?.request;
    return request !== undefined && !request.complete && request.readableFlowing === true ? 'body' : null;
  }

  #start(pending: PendingRequest): void {
    const { request, response } = pending;
    this.#current = pending;
    this.#discarded = null;
    this.#progressMark = null;
    response.once('prefinish', () => this.#discardRest(request));
    response.once('close', () => this.#next(response.statusCode));
    this.#onChange(this);
    this.#handle(request, response);
  }

  #next(status: number): void {
    this.#current = null;
    this.#responseBytes = 0;
    const isRefused = this.#schedule.answered(this, status);
    if (this.socket.destroyed) return;
    this.#onChange(this);
    if (!this.#isClosing && this.#waiting.length > 0) {
      this.#awaitsStart = true;
      return this.#schedule.awaitStart(this);
    }
    if (isRefused && !this.#isClosing && this.#finalMessage === null) return this.awaitReading();
    if (this.#finalMessage !== null) {
      this.#isClosing = true;
      this.#finalMessage();
    } else if (!this.#isClosing) {
      this.socket.resume();
      this.#readOn();
    }
  }

  /** Continues with bytes that have already arrived, then resumes reading. */
  #readOn(): void {
    if (this.#parseOn() && !this.socket.isPaused() && !this.socket.destroyed) this.socket._read(0);
  }

  /** Pauses reading until the connection is next in the schedule. */
  awaitReading(): void {
    this.socket.pause();
    this.#schedule.awaitReading(this);
  }

  /** Resumes reading. Returns false if the connection is closed or closing. */
  resumeReading(): boolean {
    if (this.socket.destroyed || this.#isClosing) return false;
    this.socket.resume();
    return true;
  }

  /** Starts the next pipelined request, unless the connection has ended in the meantime. */
  startNext(): void {
    this.#awaitsStart = false;
    const next = this.socket.destroyed || this.#isClosing ? undefined : this.#waiting.shift();
    if (next === undefined) return;
    this.#start(next);
    // The body of the request has not been parsed yet.
    if (!next.request.complete && this.#waiting.length === 0) this.#readOn();
  }

  /**
   * Reads and discards the rest of a body. If the rest were left unread, it would precede the next request, or closing
   * the connection would cause a reset, which can destroy the response before the client has read it (RFC 9112 §9.6).
   */
  #discardRest(request: IncomingMessage): void {
    if (request.complete || !hasBody(request)) return;
    const checkSize = bodySizeGuard(DISCARDED_BYTES, 'payload_too_large');
    this.#discarded = request;
    const count = (chunk: Buffer): void => {
      try {
        checkSize(chunk.length);
      } catch {
        request.off('data', count);
        this.socket.destroy();
      }
    };
    request.on('data', count).resume();
  }

  /** Closes in stages (RFC 9112 §9.6): first the sending side, then the connection after the client has finished. */
  #close(): void {
    const { socket } = this;
    this.#isClosing = true;
    this.#waiting = [];
    socket.end();
    const destroy = (): void => {
      if (socket.writableFinished) socket.destroy();
      else socket.once('finish', () => socket.destroy());
    };
    if (this.#discarded === null || this.#discarded.complete) destroy();
    else this.#discarded.once('end', destroy);
  }
}
