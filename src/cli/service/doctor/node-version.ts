import { readFileSync } from 'node:fs';
import { type Finding, failed, good } from './finding.js';

const packageFile = new URL('../../../../package.json', import.meta.url);

export function checkNode(): Finding {
  const { engines } = JSON.parse(readFileSync(packageFile, 'utf8')) as { engines: { node: string } };
  return nodeFinding(process.versions.node, engines.node.replace('>=', ''));
}

export function nodeFinding(version: string, minimum: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = minimum.split('.').map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return good('Node.js', version);
  return failed('Node.js', `${version} is too old`, `Install Node.js ${minimum} or newer.`);
}
