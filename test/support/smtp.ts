/** A mail server that stores the letters that it receives. Used by the tests of delivering mail. */
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Message as received. */
  readonly source: string;
}

export interface TestMailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  close(): Promise<void>;
}

/** Starts a mail server that stores what it receives; it listens on a loopback address, so it needs no TLS. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS', ...(options.onAuth === undefined ? ['AUTH'] : [])],
    onData(stream, { envelope }, done) {
      text(stream).then((source) => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source,
        });
        done();
      }, done);
    },
    ...options,
  });
  const listening = Promise.withResolvers<void>();
  server.on('error', () => {});
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
