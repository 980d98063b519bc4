import { isFileError } from '../../../files/whole-file.js';
import { CommandProblem } from '../../problem.js';

/** Says which file could not be used. Other errors stay as they are. */
export function fileProblem(file: string, error: unknown): unknown {
  if (!isFileError(error)) return error;
  return new CommandProblem('wrongUse', `Cannot use ${file} (${error.code}).`, { cause: error });
}
