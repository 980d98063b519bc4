import { resolve } from 'node:path';
import type { Config } from '../../../config.js';
import { languages } from '../../../contract/enums.js';
import { ignoredTemplates, loadTemplates } from '../../../delivery/templates.js';
import { StartupError } from '../../../storage/errors.js';
import { type Finding, failed, good, warning } from './finding.js';

export function checkTemplates({
  templatesDir,
  language,
}: Pick<Config, 'templatesDir' | 'language'>): Finding {
  try {
    loadTemplates(templatesDir);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return failed('templates', error.message, 'Fix the file, or ROLLCALL_TEMPLATES_DIR.');
  }
  const ignored = templatesDir ? ignoredTemplates(templatesDir) : [];
  if (ignored.length > 0) {
    return warning(
      'templates',
      `no message uses ${ignored.join(', ')} in ${templatesDir}`,
      `Name files like the built-in ones, in the directory itself or in a folder named ${languages.join(', ')}.`,
    );
  }
  const used = templatesDir ? `using those in ${resolve(templatesDir)}` : 'using the built-in templates';
  return good(
    'templates',
    `${used}, in ${languages.join(', ')}; ${language} unless a user has another language`,
  );
}
