import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodySizeGuard, hasBody } from './body.ts';

/** What a request costs that has arrived and waits for those before it on its connection. */
const WAITING_BYTES = 4096;
/** A client that is refused early may still be sending; up to this much is read and thrown away for it. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What the peer is waited for: to send a body, to take an answer, or to send the rest of a body that was refused. */
export type ExpectedPeerAction = 'body' | 'answer' | 'rest';

/**
 * One connection. Its requests are answered one after the other: a client that sends many at once (RFC 9112 §9.3.2) gets
 * its answers in that order anyway, and does not get the places of as many clients.
 */
export class Connection {
  readonly socket: Socket;
  /** Whom the connection counts for: its peer, and once a proxy has told, the client behind it. */
  site: string;
  #turn: PendingRequest | null = null;
  #waiting: PendingRequest[] = [];
  #answerBytes = 0;
  #discarded: IncomingMessage | null = null;
  #isClosing = false;
  #afterwards: (() => void) | null = null;
  #mark: { readonly awaited: ExpectedPeerAction; readonly at: number; readonly bytes: number } | null = null;
  readonly #handle: RequestListener;
  readonly #changed: (connection: Connection) => void;

  constructor(socket: Socket, site: string, handle: RequestListener, changed: (connection: Connection) => void) {
    this.socket = socket;
    this.site = site;
    this.#handle = handle;
    this.#changed = changed;
    // What Node calls when it has sent an answer that ends the connection.
    socket.destroySoon = () => this.#close();
  }

  /** Whether the service owes something: such a connection is not closed for others. */
  get isAtWork(): boolean {
    return this.#turn !== null && this.#turn.request.complete && !this.#turn.response.headersSent;
  }

  /** Memory that is held until the peer does something. */
  get heldBytes(): number {
    return this.#answerBytes + this.#waiting.length * WAITING_BYTES;
  }

  /** So many bytes are to be sent that nobody else shares. */
  holdResponse(bytes: number): void {
    this.#answerBytes = bytes;
    this.#changed(this);
  }

  enqueue(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isClosing || this.socket.destroyed) return;
    if (this.#turn === null) return this.#begin({ request, response });
    this.#waiting.push({ request, response });
    this.socket.pause();
    this.#changed(this);
  }

  /**
   * Says something that is no answer to a request, such as that the bytes are not HTTP: at once when the request at hand is
   * the one that cannot be read, after the answers that are owed otherwise, and never into an answer that has begun.
   */
  sendFinal(say: () => void): void {
    if (this.#isClosing) return;
    if (this.#turn === null) this.#isClosing = true;
    else if (this.#turn.request.complete) {
      this.#afterwards = say;
      return;
    } else if (this.#turn.response.headersSent) return void this.socket.destroy();
    this.#isClosing = true;
    say();
  }

  /** What the peer is waited for and has not made enough progress with in a window of so many milliseconds; tells when it has. */
  checkProgress(now: number, windowMilliseconds: number, least: Readonly<Record<ExpectedPeerAction, number>>): ExpectedPeerAction | 'progress' | null {
    const awaited = this.#awaited();
    if (awaited === null) {
      this.#mark = null;
      return null;
    }
    // What is written but not yet taken by the system is the peer's to take.
    const bytes = awaited === 'answer' ? this.socket.bytesWritten - this.socket.writableLength : this.socket.bytesRead;
    if (this.#mark?.awaited !== awaited) this.#mark = { awaited, at: now, bytes };
    if (now - this.#mark.at < windowMilliseconds) return null;
    if (bytes - this.#mark.bytes < least[awaited]) return awaited;
    this.#mark = { awaited, at: now, bytes };
    return 'progress';
  }

  #awaited(): ExpectedPeerAction | null {
    if (this.#turn !== null && this.#turn.response.headersSent) return this.#turn.response.writableLength > 0 ? 'answer' : null;
    if (this.#discarded !== null) return this.#discarded.complete ? null : 'rest';
    const request = this.#turn?.request;
    return request !== undefined && !request.complete && request.readableFlowing === true ? 'body' : null;
  }

  #begin(turn: PendingRequest): void {
    const { request, response } = turn;
    this.#turn = turn;
    this.#discarded = null;
    this.#mark = null;
    response.once('prefinish', () => this.#discardRest(request));
    response.once('close', () => this.#next());
    this.#changed(this);
    this.#handle(request, response);
  }

  #next(): void {
    this.#turn = null;
    this.#answerBytes = 0;
    if (this.socket.destroyed) return;
    const next = this.#isClosing ? undefined : this.#waiting.shift();
    if (next !== undefined) return this.#begin(next);
    this.#changed(this);
    if (this.#afterwards !== null) {
      this.#isClosing = true;
      this.#afterwards();
    } else if (!this.#isClosing) this.socket.resume();
  }

  /** Unread, it would stand before the next request, or be answered with a reset that takes the answer away from the client. */
  #discardRest(request: IncomingMessage): void {
    if (request.complete || !hasBody(request)) return;
    const arrive = bodySizeGuard(DISCARDED_BYTES, 'payload_too_large');
    this.#discarded = request;
    const count = (chunk: Buffer): void => {
      try {
        arrive(chunk.length);
      } catch {
        request.off('data', count);
        this.socket.destroy();
      }
    };
    request.on('data', count).resume();
  }

  /** RFC 9112 §9.6: says that nothing follows, and lets the client finish before the connection is gone. */
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
