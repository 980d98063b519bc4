import type { callLabelCopy as english } from '../en/call-label.js';
import type { Translation } from '../translation.js';

export const callLabelCopy: Translation<typeof english> = { source: 'Archivo', note: 'Nota' };
