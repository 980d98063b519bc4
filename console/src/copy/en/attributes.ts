import { formatNumber } from '../format.js';
import { users } from './plural.js';

/** The fields that a company adds to users: how they are defined, entered and shown. */
export const attributesCopy = {
  lead: 'Fields that your company adds to users. They appear on user pages, in lists and files, and in the API.',
  empty: 'No attributes yet',
  emptyHint: 'With attributes, you keep more about users than the fields that everyone has. For example:',
  examples: [
    { name: 'Site', text: 'A choice such as Berlin or Lyon. Filter the list of users by it.' },
    { name: 'End of contract', text: 'A date. Find everyone whose contract ends this quarter.' },
  ],
  columns: { label: 'Label', key: 'Key', type: 'Type', flags: 'Properties', actions: 'Actions' },
  actionsFor: (name: string) => `Actions for ${name}`,
  types: {
    text: 'Text',
    number: 'Number',
    date: 'Date',
    boolean: 'Yes or no',
    choice: 'Choice',
    list: 'List of texts',
  },
  typeHints: {
    text: 'Anything on one line, such as a badge number.',
    number:
      'A number to compare, such as hours per week. For identifiers, use a text: it keeps leading zeros.',
    date: 'A day without a time, such as the first day of work.',
    boolean: 'Can also be left open.',
    choice: 'One of the values that you list.',
    list: 'Several texts, such as certificates.',
  },
  flags: {
    isUnique: 'Unique',
    isSearchable: 'Searchable',
    isFilterable: 'Filterable',
    isSensitive: 'Sensitive',
    isEditableByUser: 'Self-service',
  },
  flagHints: {
    isUnique: 'No two users can have the same value.',
    isSearchable: 'The search finds users by this value. Not available for sensitive attributes.',
    isFilterable: 'The list of users can be filtered and sorted by it.',
    isSensitive: 'Only administrators, and API clients with this permission, see and change it.',
    isEditableByUser: 'Users may change their own value.',
  },
  retired: 'Retired',
  retiredHint: 'The value is kept, but can no longer be changed.',
  sensitive: 'sensitive',
  sensitiveHint: 'Sensitive: only administrators, and API clients with this permission, see it.',

  form: {
    labels: 'Labels',
    labelsHint: 'What the attribute is called. A language without a label shows another one.',
    key: 'Key',
    keyHint: 'Its name in the API and in files. Letters and digits, beginning with a lower-case letter.',
    keyInvalid: (max: number) =>
      `Use only letters from a to z and digits, at most ${max}, and begin with a lower-case letter.`,
    renameHint: 'Programs that use the old key have to be adapted.',
    type: 'Type',
    typeFixed: "The type can't be changed later.",
    choices: 'Choices',
    choicesHint: 'Type each value and press Enter. They are offered in this order.',
    choicesRequired: 'Enter at least one choice.',
    maxLength: 'Longest text, in characters',
    maxLengthHint: (standard: number) => `${formatNumber(standard)} if you leave it empty.`,
    pattern: 'Pattern',
    patternHint: 'Optional. A regular expression (RE2) that each value has to match as a whole.',
    patternInvalid: "This isn't a valid pattern. Lookaround and backreferences are not supported.",
    boundsReversed: 'This is less than the smallest value.',
    minimum: { number: 'Smallest number', date: 'Earliest date' },
    maximum: { number: 'Largest number', date: 'Latest date' },
    flags: 'Properties',
    synonyms: 'Other headings in files',
    synonymsHint: 'Columns with these headings are recognized on import, too. Type each and press Enter.',
    laterHint: 'Limits, labels in other languages and the rest can be set in the settings later.',
    limitsHint: 'Users keep values that a new limit excludes, until someone changes them.',
  },
  create: {
    action: 'Add attribute',
    done: (name: string) => `${name} added.`,
    failed: "Couldn't add the attribute",
  },
  edit: {
    action: 'Edit…',
    title: (name: string) => `Edit ${name}`,
    done: (name: string) => `${name} saved.`,
    failed: "Couldn't save changes",
  },
  retire: {
    action: 'Retire…',
    title: (name: string) => `Retire ${name}?`,
    text: 'Users keep their values, and everyone still sees them, but nobody can enter new ones. You can restore the attribute at any time.',
    confirm: 'Retire',
    done: (name: string) => `${name} retired.`,
    failed: "Couldn't retire the attribute",
  },
  restore: {
    action: 'Restore…',
    title: (name: string) => `Restore ${name}?`,
    text: 'Values can be entered again.',
    confirm: 'Restore',
    done: (name: string) => `${name} restored.`,
    failed: "Couldn't restore the attribute",
  },
  remove: {
    action: 'Delete…',
    title: (name: string) => `Delete ${name}?`,
    counting: 'Counting the users who have a value…',
    notCounted: "Couldn't count the users who have a value",
    unused: 'No user has a value. The definition is deleted for good.',
    inUse: (count: number) =>
      `${users(count)} ${count === 1 ? 'has a value' : 'have values'}. Deleting the attribute removes ${count === 1 ? 'it' : 'them'}.`,
    alternative: 'To keep the values, retire the attribute instead.',
    confirm: (count: number) => (count === 0 ? 'Delete' : `Delete values of ${users(count)}`),
    done: (name: string) => `${name} deleted.`,
    doneTitle: 'Attribute deleted',
    cleared: (count: number) => `The values of ${users(count)} were removed. You can undo that in Activity.`,
    view: 'View in Activity',
    failed: "Couldn't delete the attribute",
  },

  input: {
    notSet: 'Not set',
    choose: 'Choose',
    clear: (name: string) => `Clear ${name}`,
    listHint: 'Type each entry and press Enter.',
  },
  rules: {
    text: (max: number) => `Enter at most ${formatNumber(max)} characters on one line.`,
    pattern: (pattern: string) => `The value has to match the pattern ${pattern}.`,
    number: (example: string) => `Enter a number such as ${example}.`,
    digits: (max: number, smallest: string) =>
      `Enter a number with at most ${max} digits that is not closer to zero than ${smallest}. For identifiers, use a text.`,
    date: 'Enter a date.',
    atLeast: (bound: string) => `Enter ${bound} or more.`,
    atMost: (bound: string) => `Enter ${bound} or less.`,
    between: (from: string, to: string) => `Enter a value from ${from} to ${to}.`,
    choice: 'Choose one of the values that are offered.',
    oneOf: (choices: string) => `Choose one of these: ${choices}.`,
    boolean: 'Choose yes or no.',
    list: (max: number, count: number) =>
      `Enter at most ${formatNumber(count)} texts with up to ${formatNumber(max)} characters each.`,
  },

  filter: {
    is: 'is',
    range: 'from – to',
    isSet: 'has a value',
    isNotSet: 'is empty',
    from: 'From',
    to: 'To',
    valuesHint: 'Type a value and press Enter. Several values find users with any of them.',
    isSetText: (name: string) => `${name} has a value`,
    isNotSetText: (name: string) => `${name} is empty`,
    rangeText: (name: string, from: string | undefined, to: string | undefined) => {
      if (from === undefined) return `${name} up to ${to}`;
      if (to === undefined) return `${name} from ${from}`;
      return from === to ? `${name} is ${from}` : `${name} ${from} – ${to}`;
    },
  },
  sort: {
    ascending: (name: string) => `${name} (ascending)`,
    descending: (name: string) => `${name} (descending)`,
  },
  change: {
    attribute: 'Attribute',
    value: 'New value',
    valueRequired: 'Enter a value.',
  },
};
