import fc from 'fast-check';

/**
 * Any text that the service stores, or once stored in the case of control characters, without NUL and lone surrogates,
 * and with many special characters of CSV and XML.
 */
export const storedText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...',;|\t"\'\r\n=+-@ aß&<>_',
        '\r\n',
        ']]>',
        '&amp;',
        '_x0041',
        '_x000D_',
        'x005F_',
        '007',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.integer({ min: 1, max: 0x1f }).map((code) => String.fromCharCode(code)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));
