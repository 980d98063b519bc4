import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { consolePaths } from '../../../src/http/console.js';

const app = readFileSync('console/src/app.tsx', 'utf8');
const routes = [...app.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path as string);

/** As the service matches it: a path, or everything below one. */
function isServed(path: string): boolean {
  return consolePaths.some((served) =>
    served.endsWith('/*') ? path.startsWith(served.slice(0, -1)) : path === served,
  );
}

test('the service answers a reload of every page of the console', () => {
  expect(routes.length).toBeGreaterThan(15);
  // Parameters and the rest of a path, which may be missing, stand for anything.
  const examples = routes.flatMap((route) => {
    const whole = route.replace(/\*\??$/, 'x/y').replaceAll(/:\w+\??/g, 'x');
    return /\?$/.test(route) ? [whole, route.replace(/\/(?:\*|:\w+)\?$/, '')] : [whole];
  });
  expect(examples.filter((path) => !isServed(path))).toEqual([]);
});
