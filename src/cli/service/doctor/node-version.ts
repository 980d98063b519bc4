import { readFileSync } from 'node:fs';
import { type Finding, failed, good } from './finding.js';

const packageFile = new URL('../../../../package.json', import.meta.url);

export function checkNode(): Finding {
  const { engines } = JSON.parse(readFileSync(packageFile, 'utf8')) as { engines: { node: string } };
  return nodeFinding(process.versions.node, engines.node.replace('>=', ''));
}

export function nodeFinding(version: string, least: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return good('Node.js', version);
  return failed('Node.js', `${version} is too old`, `Install Node.js ${least} or newer.`);
}
