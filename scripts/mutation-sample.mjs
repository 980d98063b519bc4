// `npm run test:mutations`: breaks one rule at a time (scripts/mutations.mjs) and checks that a test fails. Run it after
// tests were removed or rewritten. With words as arguments, only rules whose text or file contains one of them are broken.
// Built files are changed and restored; `--json <file>` writes the results for comparison.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import typescript from 'typescript';
import { createVitest } from 'vitest/node';
import { mutations } from './mutations.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options, positionals: words } = parseArgs({
  options: { json: { type: 'string' } },
  allowPositionals: true,
});
const chosen = mutations.filter(
  ({ rule, file }) => words.length === 0 || words.some((word) => `${rule} ${file}`.includes(word)),
);

/** What to restore if the run is interrupted. */
let restore = () => {};
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    restore();
    process.exit(130);
  });
}

process.env.ROLLCALL_TEST_TIMEOUT_MS = '60000'; // a broken rule may wait forever
process.env.ROLLCALL_TEST_STALE_BUILD = '1'; // or each run would repair what was broken
/** The title of the first test that fails in a run. */
let failedTest;
const noteFailure = {
  onTestCaseResult: (test) => {
    if (test.result().state === 'failed') failedTest ??= test.fullName;
  },
};
const vitest = await createVitest('test', {
  root,
  watch: false,
  bail: 1,
  reporters: [noteFailure],
  passWithNoTests: true,
  tagsFilter: ['!release'],
});
const results = [];
for (const mutation of chosen) {
  const begin = performance.now();
  const caughtBy = await firstFailure(mutation);
  const seconds = Math.round((performance.now() - begin) / 100) / 10;
  results.push({ rule: mutation.rule, file: mutation.file, caughtBy, seconds });
  console.log(`${caughtBy ? '✓' : '✗'} ${seconds.toFixed(1).padStart(5)} s  ${mutation.rule}`);
  console.log(`           ${caughtBy ?? `NOT NOTICED (${mutation.file})`}`);
}
await vitest.close();

const missed = results.filter(({ caughtBy }) => caughtBy === undefined);
const total = results.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(`\n${results.length - missed.length} of ${results.length} noticed in ${Math.round(total)} s.`);
if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 1));
process.exit(missed.length === 0 ? 0 : 1);

/** The title of the first test that fails while the rule is broken. */
async function firstFailure(mutation) {
  const { file, from, to, tests } = mutation;
  const source = readFileSync(join(root, file), 'utf8');
  const places = source.split(from).length - 1;
  if (places !== 1) throw new Error(`${file} contains ${places} times, not once: ${from}`);
  const broken = source.replace(from, () => to);
  // Tests run the service as it was built.
  const isBuilt = file.startsWith('src/');
  const path = join(root, isBuilt ? file.replace(/^src(.*)\.ts$/, 'dist$1.js') : file);
  const original = readFileSync(path, 'utf8');
  restore = () => writeFileSync(path, original);
  writeFileSync(path, isBuilt ? compiled(broken) : broken);
  try {
    vitest.invalidateFile(path);
    const found = await vitest.globTestSpecifications(tests.map((each) => join(root, each)));
    const gone = tests.find((each) => !found.some(({ moduleId }) => moduleId.includes(each)));
    if (gone) throw new Error(`"${mutation.rule}" names ${gone}, but no test has this path`);
    const specifications = found.filter(({ project }) => !project.name.endsWith('embedded'));
    failedTest = undefined;
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
    const wanted = new Set(specifications.map(({ moduleId }) => moduleId)); // other modules are from earlier runs
    const failed = testModules.find((module) => wanted.has(module.moduleId) && module.state() === 'failed');
    return failedTest ?? failed?.relativeModuleId ?? unhandledErrors[0]?.message;
  } finally {
    restore();
    vitest.invalidateFile(path);
  }
}

function compiled(source) {
  const { ModuleKind, ScriptTarget, transpileModule } = typescript;
  const compilerOptions = {
    module: ModuleKind.ESNext,
    target: ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
  };
  return transpileModule(source, { compilerOptions }).outputText;
}
