import {
  clearableFields,
  fieldRows,
  type PlainField,
  plainFields,
  type UserValues,
} from '../../contract/user-values.js';
import { commaSeparated, oncePerKey } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** A field of users as an option, such as `--phone <number>`. */
type OptionField = PlainField | 'managerEmployeeID';

interface FieldOption {
  readonly field: OptionField;
  readonly flags: string;
  /** Without dashes. None of them has several words. */
  readonly name: string;
  readonly help: string;
}

const optionFields: readonly OptionField[] = [...plainFields, 'managerEmployeeID'];

const fieldOptions: readonly FieldOption[] = optionFields.flatMap((field) => {
  const { option, optionHelp = '' } = fieldRows[field];
  const name = option?.match(/^--(\w+)/)?.[1];
  return option === undefined || name === undefined ? [] : [{ field, flags: option, name, help: optionHelp }];
});

/** What Commander makes of these options. */
export interface FieldOptionValues {
  readonly [name: string]: unknown;
}

export function withFieldOptions(command: RollcallCommand, of: 'newUser' | 'update'): RollcallCommand {
  for (const { field, flags, help } of fieldOptions) {
    if (of === 'newUser' && fieldRows[field].isRequired) {
      command.requiredOption(flags, help);
      continue;
    }
    if (fieldRows[field].kind === 'list') command.option(flags, help, commaSeparated);
    else command.option(flags, help);
  }
  return command.option(
    '--attribute <key=value>',
    of === 'update'
      ? 'value of an attribute; without a value, it is cleared; a list is comma-separated (repeatable)'
      : 'value of an attribute; a list is comma-separated (repeatable)',
    oncePerKey,
  );
}

/** The fields that were given. */
export function fieldsGiven(options: FieldOptionValues): Partial<Omit<UserValues, 'attributes'>> {
  return Object.fromEntries(
    fieldOptions.flatMap(({ field, name }) => (options[name] === undefined ? [] : [[field, options[name]]])),
  );
}

/** The fields that a user can be without, by their options. */
export const clearable: readonly string[] = fieldOptions
  .filter(({ field }) => field === 'managerEmployeeID' || clearableFields.includes(field))
  .map(({ name }) => name);

export function fieldOfOption(name: string): OptionField | undefined {
  return fieldOptions.find((option) => option.name === name)?.field;
}
