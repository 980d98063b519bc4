import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../../dist/console/', import.meta.url));
const assets = readdirSync(`${built}assets`);

/** These scripts and everything they import. */
function withImports(files: readonly string[]): Set<string> {
  const needed = new Set(files);
  for (const file of needed) {
    const source = readFileSync(`${built}assets/${file}`, 'utf8');
    for (const [, imported] of source.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      needed.add(imported as string);
  }
  return needed;
}

test.each([
  ['the sign-in page', [], 150],
  ['Home', ['shell', 'home-page'], 230],
  ['the list of users', ['shell', 'users-page'], 250],
] as const)(
  '%s loads less than %i KB of scripts and styles, compressed with Brotli',
  (_, chunks, kilobytesMax) => {
    const html = readFileSync(`${built}index.html`, 'utf8');
    const linked = [...html.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map(([, file]) => file as string);
    const onDemand = assets.filter((file) =>
      new RegExp(`^(en|${chunks.join('|') || 'en'})-.*\\.(js|css)$`).test(file),
    );
    expect(onDemand.filter((file) => file.endsWith('.js'))).toHaveLength(1 + chunks.length);
    const scripts = withImports([...linked, ...onDemand].filter((file) => file.endsWith('.js')));
    expect(scripts.size).toBeGreaterThan(2);
    const styles = [...linked, ...onDemand].filter((file) => file.endsWith('.css'));
    const sizes = [...scripts, ...styles].map((file) => statSync(`${built}assets/${file}.br`).size);
    const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1024;
    expect(kilobytes).toBeGreaterThan(100); // proves that it measured the console
    expect(kilobytes).toBeLessThan(kilobytesMax);
  },
);

/** Classes of Mantine's components have names like m_77c9d27d. */
const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

test('every component that the console uses has its styles', () => {
  const all = classesIn(readFileSync('node_modules/@mantine/core/styles.css', 'utf8'));
  const read = (end: string) =>
    assets
      .flatMap((file) => (file.endsWith(end) ? [readFileSync(`${built}assets/${file}`, 'utf8')] : []))
      .join('\n');
  const [used, styled] = [classesIn(read('.js')), classesIn(read('.css'))];
  const missing = [...used].filter((name) => all.has(name) && !styled.has(name));
  expect(used.size).toBeGreaterThan(50);
  expect(missing, 'add their files to console/src/mantine.css').toEqual([]);
});
