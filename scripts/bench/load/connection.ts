import { connect, type Socket } from 'node:net';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * One keep-alive HTTP/1.1 connection that sends prepared requests one after the other. It is as thin as possible: the
 * generator shares the machine with what it measures, and its own cost would bring every ratio nearer to 1.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
      socket.once('error', reject);
    });
  }

  send(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.#fail(new Error(`a reply without Content-Length cannot be read: ${head}`));
    const start = end + END_OF_HEAD.length;
    if (this.#received.length < start + Number(length)) return;
    const reply = { status: Number(head.slice(9, 12)), body: this.#received.toString('utf8', start, start + Number(length)) };
    this.#received = this.#received.subarray(start + Number(length));
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve(reply);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}
