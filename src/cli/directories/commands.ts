import { Option } from 'commander';
import { nonEmpty } from '../arguments.js';
import { withMatchingOptions } from '../matching/options.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { type Directory, hasParents, organizations, tags } from './directory.js';

/** The serials and names in the examples of each directory. */
const examples = {
  organization: {
    one: 'ORG7',
    other: 'ORG8',
    unused: 'ORG9',
    new: 'ORG70',
    name: "'Sales, Berlin'",
    search: 'berlin',
  },
  tag: { one: 'T1', other: 'T2', unused: 'T9', new: 'T10', name: "'First aiders'", search: "'first aid'" },
} as const;

const mergeDescriptions = {
  organization: 'Move all users of one organization to another.',
  tag: 'Replace a tag with another for all users who have it.',
} as const;

export function directoryCommands(program: RollcallCommand): void {
  commandsOf(
    program.command('organizations').description('List, name, nest, rename and merge organizations.'),
    organizations,
  );
  commandsOf(program.command('tags').description('List, name, rename and merge tags.'), tags);
}

function commandsOf(group: RollcallCommand, directory: Directory): void {
  const { noun, nouns } = directory;
  const article = noun === 'organization' ? 'an' : 'a';
  const example = examples[noun];
  const isNested = hasParents(directory);

  const list = group
    .command('list')
    .description(`List or search ${nouns}, sorted by serial, with current user counts.`)
    .argument('[search]', 'parts of the serial or the display name, in any order')
    .examples(`rollcall ${nouns} list`, `rollcall ${nouns} list ${example.search} --json`);
  if (isNested) {
    list
      .addOption(new Option('--tree', 'show all as a tree').conflicts(['limit', 'json']))
      .examples(`rollcall ${nouns} list --tree`);
  }
  list.lists(`list ${nouns}`, async () => (await import('./entries.js')).listEntries(directory));

  group
    .command('show')
    .alias('get')
    .description(`Show ${article} ${noun}.`)
    .argument('<serial>', `serial of the ${noun}`)
    .examples(`rollcall ${nouns} show ${example.one}`)
    .runs(`show the ${noun}`, async () => (await import('./entries.js')).showEntry(directory));

  const set = group
    .command('set')
    .description(`Set the display name${isNested ? ' or the parent' : ''} of ${article} ${noun}.`)
    .argument('<serial>', `serial of the ${noun}; added to the directory if new`)
    .option('--name <name>', 'display name', nonEmpty)
    .option('--no-name', 'remove the display name')
    .examples(`rollcall ${nouns} set ${example.one} --name ${example.name}`);
  if (isNested) {
    set
      .option('--parent <serial>', 'parent organization', nonEmpty)
      .option('--no-parent', 'remove the parent')
      .details('Omitted options stay unchanged.')
      .examples(
        `rollcall ${nouns} set ${example.one} --parent ORG1`,
        `rollcall ${nouns} set ${example.one} --no-parent`,
      );
  }
  set.runs(`set the ${noun}`, async () => (await import('./entries.js')).setEntry(directory));

  withMatchingOptions(
    group
      .command('rename')
      .description(`Change the serial of ${article} ${noun}, for all its users.`)
      .argument('<serial>', 'current serial')
      .argument('<new-serial>', 'new serial, which must not be in the directory yet'),
  )
    .details(
      `The new serial takes over the display name${isNested ? ', the parent and the parts' : ''}. An undo moves ${isNested ? 'them' : 'it'} back together with the users.
If no user has the serial, there is nothing to undo: rename it back instead.`,
    )
    .examples(
      `rollcall ${nouns} rename ${example.one} ${example.new} --dry-run`,
      `rollcall ${nouns} rename ${example.one} ${example.new} --yes`,
    )
    .runs(`rename the ${noun}`, async () => (await import('./replace-serial.js')).renameEntry(directory));

  withMatchingOptions(
    group
      .command('merge')
      .description(mergeDescriptions[noun])
      .argument('<serial>', `serial of the ${noun} that loses its users`)
      .requiredOption('--into <serial>', `serial of the ${noun} that they get`, nonEmpty),
  )
    .details(`An undo gives users their former ${noun} back.`)
    .examples(
      `rollcall ${nouns} merge ${example.other} --into ${example.one} --dry-run`,
      `rollcall ${nouns} merge ${example.other} --into ${example.one} --yes`,
    )
    .runs(`merge the ${nouns}`, async () => (await import('./replace-serial.js')).mergeEntry(directory));

  group
    .command('delete')
    .description(`Remove an unused ${noun} from the directory.`)
    .argument('<serial>', `serial of the ${noun}`)
    .option('--yes', 'skip the confirmation prompt')
    .examples(`rollcall ${nouns} delete ${example.unused} --yes`)
    .runs(`remove the ${noun}`, async () => (await import('./entries.js')).deleteEntry(directory));
}
