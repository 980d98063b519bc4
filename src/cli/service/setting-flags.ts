import { Option } from 'commander';
import { type Flags, flagOf } from '../../config/flags.js';
import { defaultText, type Setting, variablesOf } from '../../config/kinds.js';
import { limitSettings } from '../../config/settings/limits.js';
import { operatorSettings, settings } from '../../config/settings.js';
import type { RollcallCommand } from '../rollcall-command.js';

type Settings = readonly Setting<unknown>[];

/** All that commands working on the database itself need. */
const databaseSettings: Settings = [settings.databaseUrl, settings.dataDir];

const commonSettings: Settings = [
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
const limits: Settings = limitSettings
  .map(({ setting }) => setting)
  .filter((setting) => operatorSettings.includes(setting));
const otherSettings = operatorSettings.filter(
  (setting) => !commonSettings.includes(setting) && !limits.includes(setting),
);

export function databaseFlags(command: RollcallCommand): RollcallCommand {
  return addFlags(command, databaseSettings, 'Database:');
}

export function backupFlags(command: RollcallCommand): RollcallCommand {
  return addFlags(command, [settings.backupPassphrase], 'Backup:');
}

/** Accepts every setting; help can hide the less common ones. */
export function allFlags(command: RollcallCommand, help: 'all' | 'common'): RollcallCommand {
  const isHidden = help === 'common';
  // The names are long, so descriptions need to wrap on narrow terminals.
  command.configureHelp({ ...command.configureHelp(), minWidthToWrap: 20 });
  addFlags(command, commonSettings, 'Settings:');
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
  // For help and completion only: the configuration validates all values and reports every problem at once.
  if (choices) option.argChoices = [...choices];
  const file = new Option(`${flagOf(`${name}_FILE`)} <file>`, 'Read it from a file.');
  return [option, ...(canBeFile ? [file] : [])];
}

function helpText(setting: Setting<unknown>): string {
  const { name, description, isSecret } = setting;
  const shownDefault = defaultText(setting);
  const advice = isSecret
    ? ` Arguments are visible to other users: prefer ${name} or ${flagOf(`${name}_FILE`)}.`
    : '';
  return `${firstSentence(withoutMarkdown(description))}${advice}${shownDefault ? ` (default: ${shownDefault})` : ''}`;
}

function withoutMarkdown(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) (?=[A-Z])/)[0] ?? text;
}

const variableOfAttribute = new Map(
  operatorSettings
    .flatMap(variablesOf)
    .map((variable) => [new Option(flagOf(variable)).attributeName(), variable] as const),
);

/** Picks the settings out of a command's options. */
export function flagsIn(options: object): Flags {
  return Object.fromEntries(
    Object.entries(options).flatMap(([attribute, text]) => {
      const variable = variableOfAttribute.get(attribute);
      return variable === undefined ? [] : [[variable, String(text)]];
    }),
  );
}
