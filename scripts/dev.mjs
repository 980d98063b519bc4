// `npm run dev`: the service, restarted when src/ changes, and the console with hot reload. Arguments go to `rollcall serve`.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const serveArguments = process.argv.slice(2);
let service;
let isStopping = false;
let isRestarting = false;
const formatHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};

// The watchers only compile. This also makes the embedded database image and the API documents.
const build = spawnSync(
  process.execPath,
  [join(root, 'scripts/build.mjs'), '--quiet', 'client', 'sheets', 'service'],
  { stdio: 'inherit' },
);
if (build.status !== 0) process.exit(build.status ?? 1);

const watchers = [
  watch('client/tsconfig.json'),
  watch('sheets/tsconfig.json'),
  watch('tsconfig.build.json', { noCheck: true }, restartService),
];
startService();
const consoleServer = await createServer({
  configFile: join(root, 'console/vite.config.ts'),
  clearScreen: false,
});
await consoleServer.listen();
consoleServer.printUrls();

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);

/** Compiles a project now and after every change. `onChange` is called when a later compilation writes a file. */
function watch(project, options = {}, onChange = () => {}) {
  let isFirst = true;
  let hasWritten = false;
  const system = {
    ...ts.sys,
    writeFile: (...file) => {
      hasWritten = true;
      ts.sys.writeFile(...file);
    },
  };
  const host = ts.createWatchCompilerHost(
    join(root, project),
    options,
    system,
    ts.createEmitAndSemanticDiagnosticsBuilderProgram,
    (diagnostic) =>
      console.error(ts.formatDiagnosticsWithColorAndContext([diagnostic], formatHost).trimEnd()),
    () => {},
  );
  const emit = host.afterProgramCreate;
  host.afterProgramCreate = (program) => {
    emit?.(program);
    if (hasWritten && !isFirst) onChange();
    isFirst = false;
    hasWritten = false;
  };
  return ts.createWatchProgram(host);
}

/** In its own process group, so that Ctrl-C reaches it once, through `stop`. A second signal would kill it. */
function startService() {
  service = spawn(process.execPath, [join(root, 'dist/cli.js'), 'serve', ...serveArguments], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  service.once('exit', (code) => {
    service = undefined;
    if (!isStopping && !isRestarting) console.error(`The service exited with ${code}. Waiting for a change.`);
  });
}

async function restartService() {
  if (isRestarting || isStopping) return;
  isRestarting = true;
  console.error('Restarting the service.');
  await endService();
  isRestarting = false;
  if (!isStopping) startService();
}

function endService() {
  if (!service) return;
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  return ended;
}

async function stop() {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const watcher of watchers) watcher.close();
  await Promise.all([endService(), consoleServer.close()]);
  process.exit(0);
}
