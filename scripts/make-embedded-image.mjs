// Creates the image of an empty embedded database at build time, which makes the first start fast.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { embeddedImage } from '../dist/storage/embedded/open-embedded.js';

const lock = JSON.parse(
  readFileSync(new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url)),
);
const stamp = new URL('./embedded-image.version', embeddedImage);

if (!existsSync(embeddedImage) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock.version) {
  const database = await PGlite.create('memory://');
  const image = await database.dumpDataDir('gzip');
  await database.close();
  const unfinished = new URL('./embedded-image.part', embeddedImage);
  writeFileSync(unfinished, Buffer.from(await image.arrayBuffer()));
  renameSync(unfinished, embeddedImage);
  writeFileSync(stamp, lock.version);
}
process.exit(0);
