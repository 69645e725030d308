import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './listen.ts';
import { createLog } from './log.ts';

const servers = [createServer(), createServer()] as const;
afterEach(() => servers.forEach((server) => server.close()));

describe('listening', () => {
  it('outlives an error that comes later, and tells of it', async () => {
    const lines: string[] = [];
    const [server] = servers;
    const port = await listen(server, 0, '127.0.0.1', createLog('info', { write: (line) => lines.push(line) }));
    expect(port).toBeGreaterThan(0);
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('accept EMFILE');
  });

  it('fails when the port is taken', async () => {
    const [first, second] = servers;
    const log = createLog('silent');
    const port = await listen(first, 0, '127.0.0.1', log);
    await expect(listen(second, port, '127.0.0.1', log)).rejects.toMatchObject({ name: 'AddressUnavailable', cause: { code: 'EADDRINUSE', syscall: 'listen' } });
  });
});
