import { entityTag } from './user-resource.js';

/** Entity tags are compared weakly: what a response contains depends on its parameters. */
export function versionsIn(header: string | undefined): ((version: number) => boolean) | undefined {
  if (header === undefined) return undefined;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return (version) => tags.includes('*') || tags.includes(entityTag(version).replace(/^W\//, ''));
}
