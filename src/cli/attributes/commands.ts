import { InvalidArgumentError, Option } from 'commander';
import type { Bound } from '../../contract/attributes.js';
import { attributeTypes, languages } from '../../contract/enums.js';
import { attributeLimits } from '../../contract/limits.js';
import { commaSeparatedOf, keyValue, RepeatableOption, trueOrFalse, wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { clearable } from './settings.js';

export function attributeCommands(program: RollcallCommand): void {
  const attributes = program
    .command('attributes')
    .description('Define fields of users that only your company has.');

  attributes
    .command('list')
    .description('List the attributes, in the order in which they were created.')
    .examples('rollcall attributes list', 'rollcall attributes list --json')
    .runs('list the attributes', async () => (await import('./attributes.js')).listAttributes);

  withKey(attributes.command('show'))
    .alias('get')
    .description('Show an attribute.')
    .examples('rollcall attributes show department')
    .runs('show the attribute', async () => (await import('./attributes.js')).showAttribute);

  withSettings(
    attributes
      .command('create')
      .description('Define an attribute.')
      .argument(
        '<key>',
        'name in the API and in files: letters and digits, beginning with a lower-case letter',
      )
      .addOption(
        new Option('--type <type>', 'what its values are, which cannot be changed later')
          .choices(attributeTypes)
          .makeOptionMandatory(),
      ),
  )
    .examples(
      'rollcall attributes create costCenter --type text --label en="Cost center" --label de=Kostenstelle --filterable',
      'rollcall attributes create building --type choice --choice North --choice South --editable',
      'rollcall attributes create contractEnd --type date --minimum 2020-01-01',
    )
    .runs('create the attribute', async () => (await import('./attributes.js')).createAttribute);

  withSettings(
    withKey(attributes.command('update')).option('--key <key>', 'new key; values and history keep'),
  )
    .description('Change settings of an attribute. Omitted ones stay unchanged.')
    .option(
      '--clear <settings>',
      `settings to reset, comma-separated: ${clearable.join(',')}`,
      commaSeparatedOf(clearable),
    )
    .details(
      `Synonyms and choices replace those from before. Users keep values that a new limit excludes, until they are changed.`,
    )
    .examples(
      'rollcall attributes update department --label de=Abteilung --filterable false',
      'rollcall attributes update site --choice Berlin --choice Lyon --choice Madrid',
      'rollcall attributes update department --key team --clear synonyms,maxLength',
    )
    .runs('change the attribute', async () => (await import('./attributes.js')).updateAttribute);

  withKey(attributes.command('retire'))
    .description('Stop accepting values of an attribute. Users keep theirs.')
    .examples('rollcall attributes retire department')
    .runs('retire the attribute', async () => (await import('./attributes.js')).retireAttribute);

  withKey(attributes.command('restore'))
    .description('Accept values of a retired attribute again.')
    .examples('rollcall attributes restore department')
    .runs('restore the attribute', async () => (await import('./attributes.js')).restoreAttribute);

  withKey(attributes.command('delete'))
    .description('Delete an attribute together with its values.')
    .option('--yes', 'skip the confirmation prompt')
    .details(
      'Shows how many users have a value before it asks. To keep the values, use `rollcall attributes retire`.',
    )
    .examples('rollcall attributes delete department --yes')
    .runs('delete the attribute', async () => (await import('./attributes.js')).deleteAttribute);

  attributes
    .command('apply')
    .description('Create and change attributes as a YAML file describes them.')
    .argument('<file>', 'YAML or JSON; - for stdin')
    .option('--dry-run', 'show the plan without changing anything')
    .details(
      `The file lists the attributes by key, with the settings of the API:

  attributes:
    - key: department
      type: text
      labels: { en: Department, de: Abteilung }
      isFilterable: true

Settings that the file does not name stay as they are, and null resets one. Attributes that it does not name are never deleted.`,
    )
    .examples(
      'rollcall attributes apply attributes.yaml --dry-run',
      'rollcall attributes apply attributes.yaml',
    )
    .runs('apply the file', async () => (await import('./apply.js')).applyAttributes);
}

function withKey(command: RollcallCommand): RollcallCommand {
  return command.argument('<key>', 'key of the attribute');
}

function withSettings(command: RollcallCommand): RollcallCommand {
  const { synonymsMax, choicesMax } = attributeLimits;
  return command
    .optionsGroup('Attribute settings:')
    .addOption(
      new RepeatableOption('--label <language=text>', `what people call it, in ${languages.join(', ')}`, {
        max: languages.length,
        check: label,
      }),
    )
    .addOption(new RepeatableOption('--synonym <heading>', 'another heading in files', { max: synonymsMax }))
    .addOption(
      new RepeatableOption('--choice <text>', 'a value of a choice, in this order', { max: choicesMax }),
    )
    .option('--max-length <count>', 'of a text, or of each text of a list', wholeNumber)
    .option('--pattern <expression>', 'regular expression that a text has to match as a whole')
    .option('--minimum <value>', 'smallest number or earliest date', bound)
    .option('--maximum <value>', 'largest number or latest date', bound)
    .addOption(flag('--unique', 'no two users may have the same value'))
    .addOption(flag('--searchable', 'searches find users by it'))
    .addOption(flag('--filterable', 'lists can be filtered and sorted by it'))
    .addOption(flag('--sensitive', 'only callers with attributes:sensitive see and change it'))
    .addOption(flag('--editable', 'users may change their own value'))
    .optionsGroup('Options:');
}

/** Without a value, commander sets it to true. */
function flag(name: string, description: string): Option {
  return new Option(`${name} [true|false]`, description).argParser(trueOrFalse);
}

function label(text: string): void {
  const { key } = keyValue(text);
  if (!languages.some((language) => language === key)) {
    throw new InvalidArgumentError(`Must be language=text, with one of ${languages.join(', ')}.`);
  }
}

function bound(text: string): Bound {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}
