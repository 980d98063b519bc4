// Before packing: writes npm-shrinkwrap.json, so that an installation from a registry gets the versions that were tested.
// It is the lockfile without what is only needed for development.
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const { packages, ...lockfile } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
const { workspaces, devDependencies, ...own } = packages[''];
const installed = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
);
const shrinkwrap = { ...lockfile, packages: { '': own, ...Object.fromEntries(installed) } };
writeFileSync(new URL('npm-shrinkwrap.json', root), `${JSON.stringify(shrinkwrap, null, 2)}\n`);
