import { resolve } from 'node:path';
import { loadTemplates } from '../../../delivery/templates.js';
import { StartupError } from '../../../storage/errors.js';
import { type Finding, failed, good } from './finding.js';

export function checkTemplates(templatesDir: string | undefined): Finding {
  try {
    loadTemplates(templatesDir);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return failed('templates', error.message, 'Fix the file, or ROLLCALL_TEMPLATES_DIR.');
  }
  return good(
    'templates',
    templatesDir ? `using those in ${resolve(templatesDir)}` : 'using the built-in templates',
  );
}
