/** A ZIP archive to be hidden in other files. Used by the specimens of document tests. */
import { crc32 } from 'node:zlib';

/**
 * Returns a ZIP of one stored file. `offset` is the position of the archive in a larger file, `comment` the number of
 * bytes after it.
 */
export function zip(offset = 0, comment = 0): Buffer {
  const name = Buffer.from('payload.html');
  const content = Buffer.from('<script>alert(1)</script>');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, content]);
  const place = Buffer.alloc(14);
  place.writeUInt32LE(offset, 10);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset + local.length, 12);
  end.writeUInt16LE(comment, 16);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
