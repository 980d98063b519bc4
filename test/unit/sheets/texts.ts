import fc from 'fast-check';

/** Any text that the service stores or, for control characters, has stored once, with no NUL and no half characters; many mean something in CSV or XML. */
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
