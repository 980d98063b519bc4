import {
  type ChangeableField,
  changeableFields,
  clearableFields,
  fieldRows,
  type UserValues,
} from '../../contract/user-values.js';
import { commaSeparated } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** A field of users as an option, such as `--phone <number>`. */
interface FieldOption {
  readonly field: ChangeableField;
  readonly flags: string;
  /** Without dashes. None of them has several words. */
  readonly name: string;
  readonly help: string;
}

const fieldOptions: readonly FieldOption[] = changeableFields.flatMap((field) => {
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
    const text = of === 'update' ? `new ${help}` : help;
    if (fieldRows[field].kind === 'list') command.option(flags, text, commaSeparated);
    else command.option(flags, text);
  }
  return command;
}

/** The fields that were given. */
export function fieldsGiven(options: FieldOptionValues): Partial<UserValues> {
  return Object.fromEntries(
    fieldOptions.flatMap(({ field, name }) => (options[name] === undefined ? [] : [[field, options[name]]])),
  );
}

/** The fields that a user can be without, by their options. */
export const clearable: readonly string[] = fieldOptions
  .filter(({ field }) => clearableFields.includes(field))
  .map(({ name }) => name);

export function fieldOfOption(name: string): ChangeableField | undefined {
  return fieldOptions.find((option) => option.name === name)?.field;
}
