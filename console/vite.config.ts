import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './compressed.js';

/** The address of the service that `npm run dev` starts. */
const service = `http://localhost:${process.env.PORT ?? 8080}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsInlineLimit: 0, // no data: URLs, which the content policy would have to allow
    modulePreload: { polyfill: false }, // an inline script
    reportCompressedSize: false,
  },
  worker: {
    format: 'es',
    // In one file: the content policy of the worker's own response allows no further scripts.
    rolldownOptions: { output: { codeSplitting: false } },
  },
  server: { proxy: { '/service': service, '/oauth': service } },
});
