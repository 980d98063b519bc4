import { Option } from 'commander';
import { type Flags, flagOf } from '../../config/flags.js';
import type { Setting } from '../../config/kinds.js';
import { allSettings, limitSettings, settings } from '../../config/settings.js';
import type { RollcallCommand } from '../rollcall-command.js';

type Settings = readonly Setting<unknown>[];

/** Where the data are: all that a command on the database itself has to know. */
const databaseSettings: Settings = [settings.databaseUrl, settings.dataDir];

const everydaySettings: Settings = [
  settings.host,
  settings.port,
  settings.workers,
  ...databaseSettings,
  settings.publicUrl,
  settings.secretKey,
  settings.smtpUrl,
  settings.mailFrom,
  settings.logLevel,
];
const limits: Settings = limitSettings.map(({ setting }) => setting);
const otherSettings = allSettings.filter(
  (setting) => !everydaySettings.includes(setting) && !limits.includes(setting),
);

export function databaseFlags(command: RollcallCommand): RollcallCommand {
  return addFlags(command, databaseSettings, 'The database:');
}

/** Every setting there is; the help can leave the rarer ones out. */
export function allFlags(command: RollcallCommand, help: 'all' | 'everyday'): RollcallCommand {
  const isHidden = help === 'everyday';
  // Names are long here, and the texts beside them have to be wrapped on a narrow terminal all the same.
  command.configureHelp({ ...command.configureHelp(), minWidthToWrap: 20 });
  addFlags(command, everydaySettings, 'Settings:');
  addFlags(command, otherSettings, 'More settings:', isHidden);
  return addFlags(command, limits, 'Limits:', isHidden);
}

function addFlags(
  command: RollcallCommand,
  added: Settings,
  heading: string,
  isHidden = false,
): RollcallCommand {
  for (const option of added.flatMap(optionsOf))
    command.addOption(option.helpGroup(heading).hideHelp(isHidden));
  return command;
}

function optionsOf(setting: Setting<unknown>): Option[] {
  const { name, valueName, choices, canBeFile } = setting;
  const option = new Option(`${flagOf(name)} <${valueName}>`, helpText(setting));
  // Shown and completed. What is wrong with a value is said by the configuration, for all of them in one go.
  if (choices) option.argChoices = [...choices];
  if (!canBeFile) return [option];
  return [option, new Option(`${flagOf(`${name}_FILE`)} <file>`, 'The file that holds it.')];
}

function helpText({ name, description, fallback, isSecret }: Setting<unknown>): string {
  const hasDefault = fallback !== undefined && String(fallback) !== '';
  const advice = isSecret ? ` Others can see arguments: prefer ${name}, or ${flagOf(`${name}_FILE`)}.` : '';
  return `${firstSentence(withoutMarkdown(description))}${advice}${hasDefault ? ` (default: ${fallback})` : ''}`;
}

function withoutMarkdown(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) (?=[A-Z])/)[0] ?? text;
}

const variableOfAttribute = new Map(
  allSettings.flatMap(({ name }) =>
    [name, `${name}_FILE`].map(
      (variable) => [new Option(flagOf(variable)).attributeName(), variable] as const,
    ),
  ),
);

/** The settings among the options of a command. */
export function flagsIn(options: object): Flags {
  return Object.fromEntries(
    Object.entries(options).flatMap(([attribute, text]) => {
      const variable = variableOfAttribute.get(attribute);
      return variable === undefined ? [] : [[variable, String(text)]];
    }),
  );
}
