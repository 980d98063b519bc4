import { ByteReader } from './byte-reader.js';
import { type ContentPart, readContent } from './content.js';
import { compressed, compressedBlock, decompressed, readFrames, writeFrames } from './frames.js';
import { type BackupHeader, damaged, headerLine, readHeader, UnusableBackup } from './header.js';
import { encryption, fileKey, hashChain, newKeyDerivation, type Seal } from './seals.js';

/** What an encrypted backup can contain besides the data: the first block. */
export interface Extras {
  /** The keys that encrypt secrets in the data, in Base64. */
  readonly secretKeys?: readonly string[];
}

export interface SealOptions {
  /** Encrypts the backup. */
  readonly passphrase?: string | undefined;
  readonly extras?: Extras | undefined;
  /** Of deriving a key; tests use a lower one. */
  readonly cost?: number | undefined;
}

export type HeaderFacts = Omit<BackupHeader, 'encryption' | 'includesKeys'>;

/** The bytes of a backup file. */
export async function* writeBackup(
  facts: HeaderFacts,
  content: AsyncIterable<Buffer>,
  options: SealOptions = {},
): AsyncGenerator<Buffer> {
  yield* sealedBackup(facts, compressed(content), options);
}

async function* sealedBackup(
  facts: HeaderFacts,
  blocks: AsyncIterable<Buffer>,
  { passphrase, extras = {}, cost }: SealOptions,
): AsyncGenerator<Buffer> {
  const line = headerLine({
    ...facts,
    includesKeys: (extras.secretKeys?.length ?? 0) > 0,
    encryption: passphrase === undefined ? null : newKeyDerivation(cost),
  });
  async function* all() {
    yield await compressedBlock(JSON.stringify(extras));
    yield* blocks;
  }
  const { header } = await readHeader(new ByteReader(only(line)));
  yield line;
  yield* writeFrames(all(), await sealOf(header, line, passphrase));
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function sealOf(header: BackupHeader, line: Buffer, passphrase: string | undefined): Promise<Seal> {
  if (!header.encryption) {
    if (passphrase !== undefined) throw notEncrypted();
    return hashChain(line);
  }
  if (passphrase === undefined)
    throw new UnusableBackup(
      'The backup is encrypted. Set ROLLCALL_BACKUP_PASSPHRASE, or ROLLCALL_BACKUP_PASSPHRASE_FILE, to its passphrase.',
    );
  return encryption(await fileKey(passphrase, header.encryption, line));
}

/** Whoever can replace an encrypted backup could otherwise replace it with one of their own making. */
function notEncrypted(): UnusableBackup {
  return new UnusableBackup(
    'A passphrase is set, but the backup is not encrypted, so somebody else may have made it. If you trust it, run the command again without ROLLCALL_BACKUP_PASSPHRASE.',
  );
}

export interface OpenBackup {
  readonly header: BackupHeader;
  readonly extras: Extras;
  /** Everything else. Throws as soon as something is found to be damaged, at the latest at the end. */
  readonly parts: AsyncGenerator<ContentPart>;
  close(): Promise<void>;
}

export async function openBackup(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): Promise<OpenBackup> {
  const { reader, header, extras, blocks } = await openFrames(bytes, passphrase);
  async function* content() {
    for await (const block of blocks) yield await decompressed(block);
  }
  return { header, extras, parts: readContent(content()), close: () => reader.close() };
}

/** Checks a backup as it passes through, and encrypts it if a passphrase is given. */
export async function* resealed(
  bytes: AsyncIterable<Uint8Array>,
  options: SealOptions = {},
): AsyncGenerator<Buffer> {
  const { reader, header, blocks } = await openFrames(bytes, undefined);
  try {
    const { encryption: _, includesKeys: __, ...facts } = header;
    yield* sealedBackup(facts, blocks, options);
  } finally {
    await reader.close();
  }
}

async function openFrames(bytes: AsyncIterable<Uint8Array>, passphrase: string | undefined) {
  const reader = new ByteReader(bytes);
  try {
    const { header, line } = await readHeader(reader);
    const blocks = readFrames(reader, await sealOf(header, line, passphrase));
    const { value: first } = await blocks.next();
    if (!first) throw damaged('its beginning is missing');
    return { reader, header, blocks, extras: parsedExtras(await decompressed(first)) };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function parsedExtras(block: Buffer): Extras {
  try {
    const { secretKeys = [] } = JSON.parse(block.toString()) as { secretKeys?: unknown };
    if (Array.isArray(secretKeys) && secretKeys.every((key) => typeof key === 'string'))
      return { secretKeys };
  } catch {
    // reported below
  }
  throw damaged('its beginning cannot be read');
}
