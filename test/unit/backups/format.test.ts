import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type HeaderFacts,
  openBackup,
  resealed,
  type SealOptions,
  writeBackup,
} from '../../../src/domain/backups/format/backup-stream.js';
import { ByteReader } from '../../../src/domain/backups/format/byte-reader.js';
import {
  readContent,
  writeContentEnd,
  writeTableStart,
  writtenTableEnd,
} from '../../../src/domain/backups/format/content.js';
import { blockBytes, decompressed } from '../../../src/domain/backups/format/frames.js';
import {
  type BackupHeader,
  headerLine,
  readHeader,
  UnusableBackup,
} from '../../../src/domain/backups/format/header.js';
import { inspectBackup } from '../../../src/domain/backups/restore-backup.js';

const facts: HeaderFacts = {
  rollcallVersion: '0.3.0',
  createdAt: '2026-11-16T21:30:00.000Z',
  engine: 'embedded',
  migrations: [{ name: '0001_users', appliedAt: '2026-11-01T00:00:00.000Z' }],
  secretKeyIds: ['0123456789abcdef'],
};

/** A cheap key, because every flipped byte derives it again. */
const encrypted: SealOptions = { passphrase: 'correct horse', cost: 2, extras: { secretKeys: ['c2VjcmV0'] } };

async function* chunks(...parts: Buffer[]) {
  yield* parts;
}

function content(lines: readonly string[], counted = lines.length): Buffer {
  return Buffer.concat([
    writeTableStart({ table: 'users', columns: ['serial', 'name'] }),
    Buffer.from(lines.map((line) => `${line}\n`).join('')),
    writtenTableEnd,
    writeTableStart({ table: 'empty', columns: ['id'] }),
    writtenTableEnd,
    writeContentEnd({ rows: { users: counted, empty: 0 }, sequences: {} }),
  ]);
}

async function collected(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

function file(lines: readonly string[], options: SealOptions = {}): Promise<Buffer> {
  return collected(writeBackup(facts, chunks(content(lines)), options));
}

function inspect(bytes: Buffer, passphrase?: string) {
  return inspectBackup(chunks(bytes), passphrase);
}

/** Which of these files are not refused. */
async function accepted(files: readonly Buffer[], passphrase?: string): Promise<number[]> {
  const outcomes = await Promise.allSettled(files.map((bytes) => inspect(bytes, passphrase)));
  return outcomes.flatMap((outcome, at) =>
    outcome.status === 'rejected' && outcome.reason instanceof UnusableBackup ? [] : [at],
  );
}

function withFlippedBit(whole: Buffer, at: number): Buffer {
  const changed = Buffer.from(whole);
  changed[at] = (changed[at] as number) ^ (1 << (at % 8));
  return changed;
}

const few = ['1\tAda', '2\t{"table":"users"}', '3\t\\\\.', '4\tlast'];

describe.each([
  ['a plain backup', {} as SealOptions],
  ['an encrypted backup', encrypted],
])('%s', (_, options) => {
  test('is read back as it was written, in any chunks', async () => {
    const whole = await file(few, options);
    const bytes = Array.from(whole, (byte) => Buffer.of(byte));
    const { header, parts } = await openBackup(chunks(...bytes), options.passphrase);
    expect(header).toMatchObject({ ...facts, encryption: options.passphrase ? { name: 'scrypt' } : null });
    const rows: string[] = [];
    for await (const part of parts) if (part.kind === 'rows') rows.push(part.bytes.toString());
    expect(rows.join('')).toBe(few.map((line) => `${line}\n`).join(''));
  });

  test('is refused if any byte is changed', async () => {
    const whole = await file(few, options);
    const changed = Array.from(whole, (_byte, at) => withFlippedBit(whole, at));
    expect(await accepted(changed, options.passphrase)).toEqual([]);
    expect(await accepted([whole], options.passphrase)).toEqual([0]);
  });

  test('is refused if it is cut off anywhere, or continued', async () => {
    const whole = await file(few, options);
    const cut = Array.from(whole, (_byte, length) => whole.subarray(0, length));
    expect(await accepted(cut, options.passphrase)).toEqual([]);
    await expect(inspect(Buffer.concat([whole, Buffer.of(0)]), options.passphrase)).rejects.toThrow(
      'something follows its end',
    );
  });

  test('can have more than one block, with rows across their borders', async () => {
    const many = Array.from({ length: 2_500 }, (_each, n) => `${n}\t${'name '.repeat(n % 400)}`);
    const whole = await file(many, options);
    expect(content(many).length).toBeGreaterThan(2 * blockBytes);
    expect((await inspect(whole, options.passphrase)).rows).toEqual({ users: 2_500, empty: 0 });
    const last = whole.length - 1;
    const places = [200, Math.floor(last / 3), Math.floor(last / 2), last - 40, last];
    const changed = places.map((at) => withFlippedBit(whole, at));
    expect(await accepted(changed, options.passphrase)).toEqual([]);
  });
});

describe('an encrypted backup', () => {
  test('contains nothing readable but its header', async () => {
    const whole = await file(['1\tAda Lovelace'], encrypted);
    expect(whole.includes('rollcall-backup 1 {')).toBe(true);
    expect(whole.includes('Ada')).toBe(false);
    expect(whole.includes('c2VjcmV0')).toBe(false);
    expect((await inspect(whole, 'correct horse')).secretKeys).toEqual(['c2VjcmV0']);
  });

  test('says what is missing without its passphrase, and that a wrong one is wrong', async () => {
    const whole = await file(few, encrypted);
    await expect(inspect(whole)).rejects.toThrow('Set ROLLCALL_BACKUP_PASSPHRASE');
    await expect(inspect(whole, 'wrong')).rejects.toThrow('the passphrase is wrong');
  });

  test('is made of a plain one without reading it twice', async () => {
    const plain = await file(few);
    expect(await collected(resealed(chunks(plain)))).toEqual(plain);
    const sealed = await collected(resealed(chunks(plain), encrypted));
    expect((await inspect(sealed, 'correct horse')).rows.users).toBe(few.length);
    await expect(collected(resealed(chunks(plain.subarray(0, -1)), encrypted))).rejects.toThrow(
      'end is missing',
    );
  });
});

describe('refused as well:', () => {
  test('a file that is something else', async () => {
    await expect(inspect(Buffer.from('employeeID,name\nE1,Ada\n'))).rejects.toThrow('not a backup');
  });

  test('a format of the future', async () => {
    const whole = (await file(few)).toString('latin1').replace('rollcall-backup 1', 'rollcall-backup 2');
    await expect(inspect(Buffer.from(whole, 'latin1'))).rejects.toThrow('has format 2');
  });

  test('a number of rows that is not the one at the end', async () => {
    const wrong = await collected(writeBackup(facts, chunks(content(few, few.length + 1))));
    await expect(inspect(wrong)).rejects.toThrow('the number of rows is wrong');
  });

  /** A file with correct checksums, as somebody who forges one would make it. */
  const forged = (text: string) => collected(writeBackup(facts, chunks(Buffer.from(text))));

  test.each([
    ['an end without counts', '{"rows":null,"sequences":{}}\n'],
    ['an end without sequences', '{"rows":{},"sequences":null}\n'],
    ['a sequence without a value', '{"rows":{},"sequences":{"change_numbers":null}}\n'],
    [
      'a value that is none',
      '{"rows":{},"sequences":{"change_numbers":{"lastValue":"-1","isCalled":true}}}\n',
    ],
    [
      'a sequence beyond what fits',
      '{"rows":{},"sequences":{"change_numbers":{"lastValue":"9999999999999999999","isCalled":true}}}\n',
    ],
    ['a table without columns', '{"table":"users","columns":[]}\n\\.\n{"rows":{"users":0},"sequences":{}}\n'],
    [
      'a column without a name',
      '{"table":"users","columns":[null]}\n\\.\n{"rows":{"users":0},"sequences":{}}\n',
    ],
    ['a column twice', '{"table":"users","columns":["a","a"]}\n\\.\n{"rows":{"users":0},"sequences":{}}\n'],
    ['a number', '7\n'],
  ])('%s', async (_, text) => {
    await expect(inspect(await forged(text))).rejects.toThrow('a line cannot be read');
  });

  test('a table that occurs twice', async () => {
    const table = '{"table":"users","columns":["serial"]}\n1\n\\.\n';
    const twice = await forged(`${table}${table}{"rows":{"users":1},"sequences":{}}\n`);
    await expect(inspect(twice)).rejects.toThrow('a table occurs twice');
  });

  test.each([
    { rollcallVersion: '\u001b[2J' },
    { secretKeyIds: ['\u009b31m'] },
    { migrations: [{ name: '0001_users\u0007', appliedAt: facts.createdAt }] },
    { migrations: [{ name: '0001_users', appliedAt: 'yesterday' }] },
    { createdAt: '2026-99-16T21:30:00.000Z' },
    { engine: 'oracle' },
  ])('a header that a terminal should not get: %j', async (changed) => {
    const header = { ...facts, includesKeys: false, encryption: null, ...changed } as BackupHeader;
    const reading = readHeader(new ByteReader(chunks(headerLine(header))));
    await expect(reading).rejects.toThrow('its header cannot be read');
  });

  test.each([
    ['a table, whose line is JSON', '', 1],
    ['a user', '{"table":"users","columns":["serial"]}\n', 16],
    ['a user after others', '{"table":"users","columns":["serial"]}\n1\n', 16],
    ['the outcomes of a call', '{"table":"call_parts","columns":["outcomes"]}\n', 128],
    ['the end', '{"table":"users","columns":["serial"]}\n\\.\n', 1],
  ])('a line that would take all memory, before it is complete: %s', async (_, start, blocksMax) => {
    let blocks = 0;
    async function* endless() {
      if (start !== '') yield Buffer.from(start);
      const part = Buffer.alloc(blockBytes, '\t');
      for (;;) {
        blocks++;
        yield part;
      }
    }
    const reading = async () => {
      for await (const _ of readContent(endless()));
    };
    await expect(reading()).rejects.toThrow('a line is too long');
    expect(blocks).toBe(blocksMax + 1);
  });

  test('more tables or columns than a database has', async () => {
    const reading = async (...content: Buffer[]) => {
      for await (const _ of readContent(chunks(Buffer.concat(content))));
    };
    const columns = Array.from({ length: 1_601 }, (_, index) => `c${index}`);
    await expect(reading(writeTableStart({ table: 'users', columns }))).rejects.toThrow(
      'a line cannot be read',
    );
    const tables = Array.from({ length: 1_001 }, (_, index) => [
      writeTableStart({ table: `t${index}`, columns: ['c'] }),
      writtenTableEnd,
    ]);
    await expect(reading(...tables.flat())).rejects.toThrow('it has too many tables');
  });

  test('a block that decompresses to more than a block', async () => {
    expect(await decompressed(gzipSync(Buffer.alloc(blockBytes)))).toHaveLength(blockBytes);
    const bomb = gzipSync(Buffer.alloc(blockBytes + 1));
    await expect(decompressed(bomb)).rejects.toThrow('a block cannot be decompressed');
  });

  test('a plain backup in place of an encrypted one', async () => {
    await expect(inspect(await file(few), 'correct horse')).rejects.toThrow('the backup is not encrypted');
  });

  test('a key derivation that would take all memory', async () => {
    const whole = (await file(few, encrypted)).toString('latin1').replace('"cost":2', '"cost":1073741824');
    await expect(inspect(Buffer.from(whole, 'latin1'), 'correct horse')).rejects.toThrow(
      'unknown encryption',
    );
  });
});
