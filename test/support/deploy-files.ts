import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

export const manifest: {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly workspaces: readonly string[];
  readonly files: readonly string[];
  readonly scripts: { readonly start: string };
} = JSON.parse(read('package.json'));

/** Everything in deploy/, except what operators create there. */
export const deployed: readonly string[] = readdirSync(join(root, 'deploy'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('secrets'))
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

export const dockerfile = read('deploy/Dockerfile');
export const nginx = read('deploy/proxy/nginx.conf');
export const caddy = read('deploy/proxy/Caddyfile');
export const unit = read('deploy/systemd/rollcall.service');
export const compose = parse(read('deploy/compose.yaml'));
export const kustomization = parse(read('deploy/kubernetes/kustomization.yaml'));

// biome-ignore lint/suspicious/noExplicitAny: each kind has another shape
const resources: readonly any[] = kustomization.resources.flatMap((file: string) =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
);

// biome-ignore lint/suspicious/noExplicitAny: as above
export function resource(kind: string): any {
  return resources.find((each) => each.kind === kind);
}

export const pod = resource('Deployment').spec.template.spec;
export const [container] = pod.containers;
export const containerEnv: Readonly<Record<string, string>> = Object.fromEntries(
  container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
);

/** What follows the name of a directive or an instruction, in the first line that has it. */
export function directive(text: string, name: string): string {
  return new RegExp(`^\\s*${name}[ =](.+?);?$`, 'm').exec(text)?.[1] ?? `no ${name}`;
}

/** "17m" and "17MiB" in bytes, "25s" in milliseconds. */
export function amountOf(text: string): number {
  const [, amount = '', unitName = ''] = /^(\d+)\s*(\w*)$/.exec(text) ?? [];
  const factors: Readonly<Record<string, number>> = { m: 2 ** 20, MiB: 2 ** 20, s: 1_000 };
  return Number(amount) * (factors[unitName] ?? 1);
}
