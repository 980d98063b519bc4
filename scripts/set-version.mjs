// Run by `npm version <x>` after it has changed package.json: sets the same version in every other file, and releases
// the Unreleased section of the changelog.
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const { version, workspaces } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const today = new Date().toISOString().slice(0, 10);

for (const workspace of workspaces) {
  edit(`${workspace}/package.json`, (text) => withVersion(text, (manifest) => [manifest]));
}
edit('package-lock.json', (text) =>
  withVersion(text, (lock) => [
    lock,
    lock.packages[''],
    ...workspaces.map((workspace) => lock.packages[workspace]),
  ]),
);
edit('openapi.json', (text) => withVersion(text, ({ info }) => [info]));
edit('README.md', (text) => text.replaceAll(/rollcall-\d[\w.-]*\.tgz/g, `rollcall-${version}.tgz`));
edit('deploy/Dockerfile', (text) => imageOf(text).replace(/(image\.version=")[^"]*/, `$1${version}`));
edit('deploy/compose.yaml', imageOf);
edit('docs/deployment.md', imageOf);
edit('deploy/kubernetes/kustomization.yaml', (text) => text.replace(/(newTag: )\S+/, `$1${version}`));
edit('CHANGELOG.md', release);

function imageOf(text) {
  return text.replaceAll(/\brollcall:\d[\w.-]*/g, `rollcall:${version}`);
}

/** If the version is already in the changelog, it was released by hand. */
function release(text) {
  if (text.includes(`\n## [${version}]`)) return text;
  return text.replace('\n## [Unreleased]\n', `\n## [Unreleased]\n\n## [${version}] - ${today}\n`);
}

function withVersion(text, versioned) {
  const value = JSON.parse(text);
  for (const each of versioned(value)) each.version = version;
  return `${JSON.stringify(value, null, 2)}\n`;
}

function edit(file, change) {
  const url = new URL(file, root);
  writeFileSync(url, change(readFileSync(url, 'utf8')));
}
