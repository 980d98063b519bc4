// Builds the parts that are out of date: `npm run build`, or `node scripts/build.mjs service` for one part.
// A part is up to date if the hash of its sources and outputs matches the one recorded by its last build.
// With --check, it builds nothing and fails if a part is out of date. With --quiet, it prints nothing if none is.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const records = join(root, 'node_modules/.cache/rollcall-build');
const tsc = [join(root, 'node_modules/typescript-native/bin/tsc'), '--listEmittedFiles', '-p'];
const vite = join(root, 'node_modules/vite/bin/vite.js');
/** Compiler and package versions, which affect every part. */
const everywhere = ['package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];

/** `npm run check` checks the types of src, so its build skips them. Only the build checks client and sheets. */
const parts = {
  client: {
    sources: ['client/src', 'client/tsconfig.json'],
    outputs: ['client/dist'],
    commands: [[...tsc, 'client']],
  },
  sheets: {
    sources: ['sheets/src', 'sheets/tsconfig.json'],
    outputs: ['sheets/dist'],
    commands: [[...tsc, 'sheets']],
  },
  service: {
    sources: [
      'src',
      'tsconfig.build.json',
      'scripts/api-page',
      'scripts/api-parts.mjs',
      'scripts/described-app.mjs',
      'scripts/make-api-documents.mjs',
      'scripts/make-embedded-image.mjs',
    ],
    outputs: ['dist'],
    except: ['dist/console'],
    keep: ['dist/embedded-image.tar.gz', 'dist/embedded-image.version'],
    commands: [
      [...tsc, 'tsconfig.build.json', '--noCheck'],
      [join(root, 'scripts/make-embedded-image.mjs')],
      [join(root, 'scripts/make-api-documents.mjs')],
    ],
  },
  console: {
    after: ['client', 'sheets'],
    sources: ['console', 'client/src', 'sheets/src'],
    outputs: ['dist/console'],
    commands: [[vite, 'build', '--logLevel', 'error', join(root, 'console')]],
  },
};

const args = process.argv.slice(2);
const wanted = args.filter((each) => !each.startsWith('--'));
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  fail(`Unknown part "${unknown[0]}". The parts are ${Object.keys(parts).join(', ')}.`);
}
const names = wanted.length > 0 ? wanted : Object.keys(parts);

if (args.includes('--check')) {
  const stale = names.filter((name) => !isFresh(name));
  if (stale.length > 0) fail(`The built files of ${stale.join(', ')} are out of date. Run "npm run build".`);
} else {
  const building = new Map();
  const built = await Promise.all(names.map((name) => ensureBuilt(name, building)));
  const done = names.filter((_, position) => built[position]);
  if (done.length > 0) console.log(`Built: ${done.join(', ')}.`);
  else if (!args.includes('--quiet')) console.log('The built files are up to date.');
}

/** Resolves to true if the part was built. */
function ensureBuilt(name, building) {
  const running = building.get(name) ?? start();
  building.set(name, running);
  return running;

  async function start() {
    await Promise.all((parts[name].after ?? []).map((each) => ensureBuilt(each, building)));
    if (isFresh(name)) return false;
    const sources = hashOf([...everywhere, ...parts[name].sources]);
    await build(parts[name]);
    mkdirSync(records, { recursive: true });
    writeFileSync(join(records, name), `${sources} ${outputsOf(parts[name])}`);
    return true;
  }
}

function isFresh(name) {
  const part = parts[name];
  const record = join(records, name);
  if (!existsSync(record)) return false;
  return readFileSync(record, 'utf8') === `${hashOf([...everywhere, ...part.sources])} ${outputsOf(part)}`;
}

async function build(part) {
  const emitted = new Set((part.keep ?? []).map((file) => join(root, file)));
  for (const command of part.commands) {
    for (const line of (await run(command)).split('\n')) {
      if (line.startsWith('TSFILE: ')) emitted.add(line.slice('TSFILE: '.length).trim());
    }
  }
  // The compiler doesn't delete the outputs of removed sources, and imports would still find them.
  if (part.commands[0].includes('--listEmittedFiles')) {
    for (const file of filesOf(part.outputs, part.except)) if (!emitted.has(file)) rmSync(file);
  }
}

function run(command) {
  const env = { ...process.env, NODE_ENV: 'production' }; // tests set another, which changes the console
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('close', (code) => {
      const messages = output.replaceAll(/^TSFILE: .*\n/gm, '').trim();
      if (messages) console.error(messages);
      if (code !== 0) process.exit(1);
      resolve(output);
    });
  });
}

function outputsOf(part) {
  return hashOf(part.outputs, part.except);
}

function hashOf(paths, except) {
  const hash = createHash('sha256');
  for (const file of filesOf(paths, except)) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(paths, except = []) {
  const left = except.map((path) => join(root, path));
  const found = [];
  const look = (path) => {
    if (left.includes(path) || !existsSync(path)) return;
    if (!statSync(path).isDirectory()) return void found.push(path);
    for (const entry of readdirSync(path)) if (entry !== 'node_modules') look(join(path, entry));
  };
  for (const path of paths) look(join(root, path));
  return found.sort();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
