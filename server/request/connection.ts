import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodySizeGuard, hasBody } from './body.ts';

/** The estimated memory of a request that has arrived and waits for earlier ones on its connection. */
const PIPELINED_REQUEST_BYTES = 4096;
/** A client that is refused early may still be sending its body; up to this much of it is read and discarded. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/** The most that the parser is given at once, unless it is of a body. A header section of usual length fits. */
const SLICE_BYTES = 2048;

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What the peer has to do next: send a body, read a response (`answer`), or send the `rest` of a body that was refused. */
type ExpectedPeerAction = 'body' | 'answer' | 'rest';

/** What the connections of a server share, so that none of them keeps the others from being heard. */
export interface Turns {
  /** Calls `startNext` in a later turn of the event loop. */
  readonly awaitStart: (connection: Connection) => void;
  /** Calls `resumeReading` when it is the turn of the connection. */
  readonly awaitReading: (connection: Connection) => void;
  /** Notes what a connection has earned; true if it is read in turns from now on. */
  readonly answered: (connection: Connection, status: number) => boolean;
}

/**
 * One connection of HTTP/1.1. Its requests are handled one after another: a client that pipelines them (RFC 9112 §9.3.2) receives the
 * responses in that order anyway, and must not use the capacity of as many clients.
 */
export class Connection {
  readonly socket: Socket;
  /** The address that the connection counts for: its peer, or the client behind a proxy once a request has named it. */
  site: string;
  #current: PendingRequest | null = null;
  #waiting: PendingRequest[] = [];
  /** What has arrived behind a request that waits, in slices that are not parsed yet; null is the end. */
  #unparsed: (Buffer | null)[] = [];
  readonly #end: () => void;
  #responseBytes = 0;
  #discarded: IncomingMessage | null = null;
  #isClosing = false;
  /** Whether a request that was sent ahead waits for its turn. */
  #awaitsStart = false;
  #finalMessage: (() => void) | null = null;
  #progressMark: { readonly action: ExpectedPeerAction; readonly at: number; readonly bytes: number } | null = null;
  readonly #handle: RequestListener;
  readonly #onChange: (connection: Connection) => void;
  readonly #turns: Turns;

  constructor(socket: Socket, site: string, handle: RequestListener, onChange: (connection: Connection) => void, turns: Turns) {
    this.socket = socket;
    this.site = site;
    this.#handle = handle;
    this.#onChange = onChange;
    this.#turns = turns;
    // Node calls this when it has sent a response that ends the connection.
    socket.destroySoon = () => this.#close();
    this.#end = socket.push.bind(socket, null);
    socket.push = (chunk: Buffer | null) => this.#arrived(chunk);
    // With a listener of its own, Node passes what it reads through the stream instead of handing it to the parser directly.
    socket.on('data', () => {});
    socket.on('resume', () => this.#readOn());
  }

  /**
   * Parses what has arrived until a request waits for an earlier one. Node's parser takes all that it is given, and one read brings
   * hundreds of requests that were sent ahead: parsed at once they would cost milliseconds and megabytes. False stops the reading.
   */
  #arrived(chunk: Buffer | null): boolean {
    const isBody = this.#current !== null && !this.#current.request.complete;
    if (chunk === null || isBody) this.#unparsed.push(chunk);
    else for (let at = 0; at < chunk.length; at += SLICE_BYTES) this.#unparsed.push(chunk.subarray(at, at + SLICE_BYTES));
    return this.#parseOn();
  }

  /** True once everything is parsed. The stream keeps nothing back: its listener is the parser, which pauses the socket while nobody reads a body. */
  #parseOn(): boolean {
    const { socket } = this;
    while (this.#unparsed.length > 0 && this.#waiting.length === 0 && !socket.isPaused() && !socket.destroyed) {
      const slice = this.#unparsed.shift()!;
      if (slice === null) this.#end();
      else socket.emit('data', slice);
    }
    return this.#unparsed.length === 0 && !socket.isPaused();
  }

  /** Whether a complete request is being handled; such a connection is not closed in favour of others. */
  get isAtWork(): boolean {
    return this.#current !== null && this.#current.request.complete && !this.#current.response.headersSent;
  }

  /** The memory that is used until the peer reads or sends something. */
  get heldBytes(): number {
    return this.#responseBytes + this.#waiting.length * PIPELINED_REQUEST_BYTES;
  }

  /** Counts the bytes of a response that is kept in memory for this connection alone. */
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
   * Sends a message that answers no request, such as that the bytes are not HTTP, and closes the connection. It is sent at once when the
   * current request is the one that cannot be read, otherwise after the pending responses, and never into a response that has begun.
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

  /** The action with which the peer has made too little progress in a window; `progress` when it has made enough, null while it is undecided. */
  checkProgress(now: number, windowMilliseconds: number, minimum: Readonly<Record<ExpectedPeerAction, number>>): ExpectedPeerAction | 'progress' | null {
    const action = this.#expectedAction();
    if (action === null) {
      this.#progressMark = null;
      return null;
    }
    // Bytes that are written but still in Node's buffer have not been read by the peer.
    const bytes = action === 'answer' ? this.socket.bytesWritten - this.socket.writableLength : this.socket.bytesRead;
    if (this.#progressMark?.action !== action) this.#progressMark = { action, at: now, bytes };
    if (now - this.#progressMark.at < windowMilliseconds) return null;
    if (bytes - this.#progressMark.bytes < minimum[action]) return action;
    this.#progressMark = { action, at: now, bytes };
    return 'progress';
  }

  #expectedAction(): ExpectedPeerAction | null {
    if (this.#current !== null && this.#current.response.headersSent) return this.#current.response.writableLength > 0 ? 'answer' : null;
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
    const isRefused = this.#turns.answered(this, status);
    if (this.socket.destroyed) return;
    this.#onChange(this);
    if (!this.#isClosing && this.#waiting.length > 0) {
      this.#awaitsStart = true;
      return this.#turns.awaitStart(this);
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

  /** Goes on with what has arrived, then with what arrives. */
  #readOn(): void {
    if (this.#parseOn() && !this.socket.isPaused() && !this.socket.destroyed) this.socket._read(0);
  }

  /** Stops reading until it is the turn of the connection. */
  awaitReading(): void {
    this.socket.pause();
    this.#turns.awaitReading(this);
  }

  /** Reads again; false if there is nothing to read any more. */
  resumeReading(): boolean {
    if (this.socket.destroyed || this.#isClosing) return false;
    this.socket.resume();
    return true;
  }

  /** Starts the next request that was sent ahead, unless the connection has ended meanwhile. */
  startNext(): void {
    this.#awaitsStart = false;
    const next = this.socket.destroyed || this.#isClosing ? undefined : this.#waiting.shift();
    if (next === undefined) return;
    this.#start(next);
    // Its body has not been parsed yet.
    if (!next.request.complete && this.#waiting.length === 0) this.#readOn();
  }

  /**
   * Reads and discards the rest of a body. Left unread it would precede the next request, or closing the connection would cause a reset,
   * which can destroy the response before the client has read it (RFC 9112 §9.6).
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

  /** Closes in stages (RFC 9112 §9.6): the sending side first, and the connection when the client has finished. */
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
