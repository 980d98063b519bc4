import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './compressed.js';
import { preloaded } from './preloaded.js';

/** The address of the service that `npm run dev` starts. */
const service = `http://localhost:${process.env.PORT ?? 8080}`;

/** What dialogs and forms consist of. No page shows them at first. */
const inputs = new RegExp(
  [
    '@mantine/core/esm/components/(?:Autocomplete|Modal|ModalBase|MultiSelect|Pill|PillsInput|Radio|Select|TagsInput)/',
    '@mantine/core/esm/components/Combobox/(?!get-parsed|ComboboxChevron)', // a native select has these
    'console/src/components/(?:attribute-input|dialog|entry-inputs)\\.tsx$',
  ].join('|'),
);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloaded('start'), compressed()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsInlineLimit: 0, // no data: URLs, which the content policy would have to allow
    modulePreload: { polyfill: false }, // an inline script
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Without groups, a page would need a hundred small files, whose headers weigh as much as some pages.
        codeSplitting: {
          groups: [
            // What loads the texts must not wait for the modules that show them.
            {
              name: 'main',
              test: /console\/src\/(?:main|copy\/(?:load-copy|language|format))\.ts$/,
              priority: 4,
            },
            { name: 'start', test: /console\/src\/start\.tsx$/, priority: 3 },
            { name: 'shell', test: /console\/src\/shell\.tsx$/, priority: 2 },
            {
              name: 'shared',
              test: (id) => !/\/src\/copy\//.test(id) && !inputs.test(id),
              minShareCount: 10,
              priority: 1,
            },
            { name: 'inputs', test: inputs },
          ],
        },
      },
    },
  },
  worker: {
    format: 'es',
    // In one file: the content policy of the worker's own response allows no further scripts.
    rolldownOptions: { output: { codeSplitting: false } },
  },
  server: { proxy: { '/service': service, '/oauth': service } },
});
